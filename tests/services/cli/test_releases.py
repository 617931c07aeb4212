"""The commands about releases, on a small real repository."""

import json
from pathlib import Path
from typing import Any

import pytest

from events.errors import InvalidQuestion, NotFound
from tests.services.intake.git.sandbox import Sandbox
from tests.services_fixtures import Run

WIDGET = "acme/widget"
SOURCE = ("--source", "https://example.org/versions", "--author", "dev-a")


@pytest.fixture
def asked(shipledger: Run, tmp_path: Path) -> Run:
    """A folder with two releases: v1.0.0, and v1.0.1 with #3 picked as #4; #2 is in doubt."""
    repo = Sandbox(tmp_path / "widget")
    repo.commit("Add a (#1)", a="1")
    repo.commit("Add the second thing (#2)", docs="1")
    repo.git("checkout", "-q", "-b", "release-1.0")
    repo.commit("Bump", version="1")
    repo.git("tag", "v1.0.0")
    repo.git("checkout", "-q", "main")
    repo.commit("Add c (#3)", c="1")
    repo.commit("Revert #2 but keep its notes", docs=None)
    repo.git("checkout", "-q", "release-1.0")
    repo.commit("cp: `Add c (3)` into `release-1.0` (#4)", c="1")
    repo.git("tag", "-a", "-m", "1.0.1", "v1.0.1")
    repo.git("checkout", "-q", "main")
    done = shipledger("import", "git", "widget", "--repo", WIDGET)
    assert done.exit_code == 0, done.output
    return shipledger


def told(run: Run, *arguments: str) -> Any:
    done = run(*arguments, "--json")
    assert done.exit_code == 0, (done.output, done.exception)
    return json.loads(done.stdout)


def test_included_is_a_list_with_one_element_a_release(asked: Run) -> None:
    answers = told(asked, "included", WIDGET, "3")
    assert {one["release"]: one["verdict"] for one in answers} == {
        "v1.0.0": "not_included",
        "v1.0.1": "included",
    }
    for one in answers:
        assert {"release", "verdict", "how", "carriers", "because", "evidence"} <= one.keys()
        assert all(piece["record"] for piece in one["evidence"])


def test_included_with_a_tag_is_a_list_of_one_and_its_text_begins_with_the_sentence(
    asked: Run,
) -> None:
    (answer,) = told(asked, "included", WIDGET, "3", "v1.0.1")
    assert (answer["how"], answer["by"]) == ("cherry-picked", [4])
    text = asked("included", WIDGET, "3", "v1.0.1").stdout
    assert text.startswith("#3 is in v1.0.1: cherry-picked as #4 to release-1.0 on ")
    assert asked("included", WIDGET, "1").stdout.startswith("#1 is in 2 of 2 releases")


def test_included_takes_a_branch_and_says_that_it_moves(asked: Run) -> None:
    (answer,) = told(asked, "included", WIDGET, "3", "main")
    assert answer["verdict"] == "included"
    assert "branches move" in answer["notes"][0]


def test_releases_lists_tags_with_their_counts(asked: Run) -> None:
    found = told(asked, "releases", WIDGET)["releases"]
    assert [(one["tag"], one["annotated"], one["new"]) for one in found] == [
        ("v1.0.0", False, 2),
        ("v1.0.1", True, 1),
    ]
    lines = asked("releases", WIDGET, "--format", "md").stdout.splitlines()
    assert lines[6].startswith("| v1.0.1 |")


@pytest.mark.parametrize("words", [("release", "show"), ("release",)])
def test_release_shows_with_and_without_the_word(asked: Run, words: tuple[str, ...]) -> None:
    page = told(asked, *words, WIDGET, "v1.0.1")
    assert [row["number"] for row in page["new"]] == [3]
    against = told(asked, *words, WIDGET, "v1.0.0", "--against", "v1.0.1")
    assert against["against"] == "v1.0.1"


def test_release_is_filtered_by_path(asked: Run) -> None:
    page = told(asked, "release", WIDGET, "v1.0.0", "--path", "a")
    assert [row["number"] for row in page["new"]] == [1]
    assert page["unattributed"] == []


def test_an_alias_is_added_listed_used_and_removed(asked: Run) -> None:
    assert asked("release", "alias", "add", "spring", "v1.0.0", *SOURCE).exit_code == 0
    (alias,) = told(asked, "release", "alias", "list")["aliases"]
    assert (alias["alias"], alias["tag"], alias["author"]) == ("spring", "v1.0.0", "dev-a")
    assert alias["record"]
    assert "spring (v1.0.0)" in asked("included", WIDGET, "1", "spring").stdout
    assert "newer patch" in asked("release", WIDGET, "spring").stdout
    known_at = told(asked, "releases", WIDGET)["known_at"]
    assert asked("release", "alias", "remove", "spring", "--repo", WIDGET).exit_code == 0
    assert told(asked, "release", "alias", "list")["aliases"] == []
    assert isinstance(asked("included", WIDGET, "1", "spring").exception, NotFound)
    then = ("--known-at", known_at)
    assert told(asked, "included", WIDGET, "1", "spring", *then)[0]["release"] == "v1.0.0"


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (("add", "spring", "v9", *SOURCE), "no tag v9"),
        (("add", "v1.0.0", "v1.0.1", *SOURCE), "itself a tag"),
        (("remove", "spring"), "no alias"),
    ],
)
def test_an_alias_that_cannot_be_is_refused(
    asked: Run, arguments: tuple[str, ...], says: str
) -> None:
    done = asked("release", "alias", *arguments)
    assert isinstance(done.exception, InvalidQuestion)
    assert says in str(done.exception)


def test_aliases_and_families_of_the_configuration_hold(asked: Run, tmp_path: Path) -> None:
    (tmp_path / "shipledger.toml").write_text(
        f'[[repositories]]\nname = "{WIDGET}"\n[repositories.releases]\nfamilies = ["v1.*"]\n'
        '[repositories.releases.aliases]\nspring = "v1.0.1"\n'
    )
    (answer,) = told(asked, "included", WIDGET, "3", "spring")
    assert answer["release"] == "v1.0.1"
    assert told(asked, "releases", WIDGET)["releases"][0]["family"] == "v1.*"


def test_releases_are_listed_by_family_with_the_scheme_of_the_configuration(
    asked: Run, tmp_path: Path
) -> None:
    (tmp_path / "shipledger.toml").write_text(
        f'[[repositories]]\nname = "{WIDGET}"\n[repositories.releases]\n'
        'schemes = { "v*" = "pep440" }\n'
    )
    (family,) = told(asked, "releases", WIDGET, "--family", "v*")["families"]
    assert (family["scheme"], family["configured"], family["tags"]) == ("pep440", True, 2)
    assert isinstance(asked("releases", WIDGET, "--family", "x").exception, NotFound)


def test_a_person_decides_what_is_in_doubt_and_can_think_again(asked: Run) -> None:
    (waiting,) = told(asked, "review", WIDGET)["waiting"]
    assert waiting["numbers"] == [2]
    assert told(asked, "included", WIDGET, "2", "main")[0]["verdict"] == "undetermined"
    because = ("--author", "dev-a", "--reason", "the title says so")
    assert asked("review", WIDGET, "confirm", waiting["id"], *because).exit_code == 0
    assert told(asked, "included", WIDGET, "2", "main")[0]["verdict"] == "reverted"
    after = told(asked, "review", WIDGET)
    assert after["waiting"] == []
    assert [(one["id"], one["holds"]) for one in after["decided"]] == [(waiting["id"], True)]
    assert asked("review", WIDGET, "reject", waiting["id"], *because).exit_code == 0
    assert told(asked, "included", WIDGET, "2", "main")[0]["verdict"] == "included"


def test_a_review_of_an_unknown_id_is_answered_with_where_the_list_is(asked: Run) -> None:
    done = asked("review", WIDGET, "confirm", "0" * 12)
    assert isinstance(done.exception, NotFound)
    assert "shipledger review" in str(done.exception)


def test_the_report_tells_what_was_released_and_where_requests_are(asked: Run) -> None:
    july = ("--from", "2026-07-01", "--to", "2026-08-01")
    report = told(asked, "report", WIDGET, *july)
    assert [(one["release"], one["new"], one["removed"]) for one in report["released"]] == [
        ("v1.0.0", 2, 0),
        ("v1.0.1", 1, 0),
    ]
    rows = {row["number"]: row for row in report["ledger"]["merged"]}
    assert rows[3]["branches"] == ["main", "release-1.0"]
    assert rows[3]["releases"] == ["v1.0.1"]
    assert rows[2]["places_certain"] is False
    text = asked("report", WIDGET, *july).stdout
    assert "## Released in this period (2)" in text
    assert "; on main, release-1.0; in v1.0.1" in text
