"""A16: what only raises a dependency is one theme, the last; places are no themes."""

import time

import pytest

from events.facts.editions import AssignedTheme
from projections.period_ledger.themes import (
    DEPENDENCIES,
    Bounds,
    Theme,
    ThemeRequest,
    ThemeRule,
    arrange,
)
from services.answers.themes.dependencies import raises_dependency
from services.answers.themes.making import Prior, make_themes
from services.answers.themes.naming import cluster_names
from services.answers.themes.phrases import phrases
from services.answers.themes.words import is_place, source_paths, without_places
from services.config.repository import ThemeSettings

RAISES = [
    "Bump foo from 1.2 to 1.3",
    "Bump actions/checkout from 3 to 4 in /.github/workflows",
    "Bump the k8s group with 4 updates",
    "Bump the npm group across 2 directories with 3 updates",
    "build(deps): bump github.com/acme/router from 0.9.1 to 0.9.2",
    "build(deps-dev): bump pytest from 8.1.0 to 8.1.1",
    "deps: upgrade router",
    "chore(deps): update golang docker tag to v1.22",
    "fix(deps): update module go.opentelemetry.io/collector/pdata to v1.36.0",
    "fix(deps)!: update all github.com/acme packages to v2",
    "Update All github.com/acme packages",
    "Update dependency eslint to v9",
    "Update actions/checkout digest to 11bd719",
    "Update opentelemetry-go monorepo to v1.2.3",
    "Update dependencies",
    "Pin dependencies",
    "Lock file maintenance",
    "[pre-commit.ci] pre-commit autoupdate",
    "[release-1.2] Bump foo from 1.2 to 1.3",
    "[chore] bump otel to v1.30.0",
    "vendor: update containerd to v2.1.0",
    "go.mod: bump github.com/acme/router v1.2.3",
]
OTHERS = [
    "Bump version to 1.2.0",
    "Bump core version to 0.16.0",
    "Prepare release v1.2.0",
    "Update timeout from 30s to 60s",
    "Bump the default limit from 1.0 to 2.0",
    "Update README",
    "Update docs to v2.0",
    "Update module docs",
    "Update MoE router group selection",
    "Update the process group with new backend",
    "Update dependency injection of the router",
    "Refactor the dependency graph",
    "fix(router): update weights from checkpoints",
    "Upgrade guide",
]


@pytest.mark.parametrize("title", RAISES)
def test_a_title_that_raises_a_dependency_is_known(title: str) -> None:
    assert raises_dependency(ThemeRequest(number=1, title=title))


@pytest.mark.parametrize("title", OTHERS)
def test_a_title_that_raises_something_else_is_not_taken_for_one(title: str) -> None:
    assert not raises_dependency(ThemeRequest(number=1, title=title))


def test_robots_that_do_nothing_else_and_labels_are_believed() -> None:
    assert raises_dependency(ThemeRequest(number=1, title="Router 2", author="renovate[bot]"))
    labelled = ThemeRequest(number=1, title="Update the router", labels=("Dependencies",))
    assert raises_dependency(labelled)
    assert not raises_dependency(ThemeRequest(number=1, title="Router 2", author="dev-a"))
    thinking = ThemeRequest(number=1, title="Drop the router", labels=("dependencies",))
    assert not raises_dependency(thinking)


@pytest.mark.parametrize(
    "title", ["to " * 5_000, "Bump " + "a " * 5_000, "[a] " * 5_000, "a.b/" * 5_000]
)
def test_a_title_of_any_length_is_looked_at_in_time(title: str) -> None:
    started = time.perf_counter()
    raises_dependency(ThemeRequest(number=1, title=title))
    without_places(title[:5_000])
    assert time.perf_counter() - started < 0.5


def bumps(first: int, count: int) -> list[ThemeRequest]:
    return [
        ThemeRequest(
            number=first + nth,
            title=f"fix(deps): update module go.opentelemetry.io/part{nth} to v1.{nth}.0",
            paths=("go.mod", "go.sum"),
        )
        for nth in range(count)
    ]


def about(first: int, words: str, count: int, folder: str = "core") -> list[ThemeRequest]:
    return [
        ThemeRequest(
            number=first + nth,
            title=f"{words} {('queue', 'limits', 'errors', 'memory')[nth % 4]}",
            paths=(f".chloggen/note-{first + nth}.yaml", f"{folder}/part{nth}.go"),
        )
        for nth in range(count)
    ]


def test_dependencies_are_one_theme_and_the_last_however_many_they_are() -> None:
    requests = [*bumps(1, 30), *about(100, "kafka receiver:", 8), *about(200, "tail sampling:", 6)]
    themes = make_themes(requests, (), ThemeSettings()).themes
    assert themes[-1].name == DEPENDENCIES
    assert themes[-1].numbers == tuple(range(1, 31))
    assert [theme.name for theme in themes].count(DEPENDENCIES) == 1
    prior = Prior(themes=(AssignedTheme(name=DEPENDENCIES, numbers=(9,), how="cluster"),))
    assert make_themes(requests, (), ThemeSettings(), prior).themes[-1].name == DEPENDENCIES


def test_a_rule_of_a_person_comes_first_and_keeps_its_place() -> None:
    rule = ThemeRule(name="Telemetry", titles=("opentelemetry",))
    themes = make_themes(bumps(1, 4), (), ThemeSettings(rules=(rule,))).themes
    assert [theme.name for theme in themes] == ["Telemetry"]
    own = ThemeRule(name=DEPENDENCIES, titles=("opentelemetry",))
    rules = ThemeSettings(rules=(own, ThemeRule(name="Kafka", titles=("kafka",))))
    themes = make_themes([*bumps(1, 4), *about(9, "kafka:", 8)], (), rules).themes
    assert [theme.name for theme in themes] == [DEPENDENCIES, "Kafka"]


def test_dependencies_take_no_place_from_others_and_few_of_them_are_left_over() -> None:
    def theme(name: str, first: int) -> Theme:
        return Theme(name=name, numbers=(first, first + 1, first + 2), how="cluster")

    given = [theme(DEPENDENCIES, 1), theme("A", 10), theme("B", 20)]
    told = arrange(given, (), Bounds(cap=2))
    assert [one.name for one in told.themes] == ["A", "B", DEPENDENCIES]
    assert make_themes(bumps(1, 2), (), ThemeSettings()).left_over == (1, 2)


PLACES = [
    "Github.com",
    "Module go.opentelemetry.io",
    "github.com/acme/router",
    "golang.org/x/net",
    "k8s.io/api",
    "@types/node",
    ".chloggen",
    ".github",
    "https://host.example/a?b=c",
    "registry.example.com",
]


@pytest.mark.parametrize("name", PLACES)
def test_hosts_module_paths_and_hidden_folders_are_places(name: str) -> None:
    assert is_place(name)
    told = {
        phrase.spelling.lower() for phrase in phrases(f"Fix the router of {name} today").values()
    }
    words = {word for spelling in told for word in spelling.split()}
    assert words <= {"router", "today"}


@pytest.mark.parametrize(
    "name", ["Node.js", "torch.compile", ".NET SDK", "ASP.NET", "Megatron.core", "MoE", "e.g. this"]
)
def test_names_with_a_dot_are_no_places(name: str) -> None:
    assert not is_place(name)


def test_folders_of_notes_name_no_cluster_and_join_none() -> None:
    requests = [
        ThemeRequest(
            number=n,
            title="wip",
            paths=(f".chloggen/{n}.yaml", f"changelog.d/{n}.md", f"exporter/{n}.go"),
        )
        for n in range(1, 5)
    ]
    assert source_paths(requests[0]) == ("exporter/1.go",)
    assert cluster_names([requests])[0].name == "Exporter"
    notes = [ThemeRequest(number=7, title="wip", paths=(".chloggen/7.yaml", ".github/x/y.yml"))]
    assert cluster_names([notes])[0].name == "#7"


def test_a_place_that_named_a_theme_last_month_names_none_any_more() -> None:
    requests = about(100, "kafka receiver:", 8)
    prior = Prior(
        themes=(AssignedTheme(name="Github.com", numbers=(1, 2, 3, 4), how="cluster"),),
        requests={request.number: request for request in about(1, "kafka receiver:", 4)},
    )
    names = [theme.name for theme in make_themes(requests, (), ThemeSettings(), prior).themes]
    assert names
    assert not any(map(is_place, names))
