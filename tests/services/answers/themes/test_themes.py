"""Themes: rules, clusters, names, the prior, and what is left over."""

import random
import tomllib

import msgspec
import pytest

from events.facts.editions import ThemesAssigned
from events.record import Record
from events.sources.authored import author, translate
from projections.period_ledger.themes import (
    Bounds,
    Theme,
    ThemeRequest,
    ThemeRule,
    arrange,
    place_by_rules,
)
from services.answers.themes.making import Prior, assigned, inputs_digest, make_themes, recorded
from services.answers.themes.suggest import suggest
from services.config.repository import ThemeSettings

AREAS = {
    "router": ("Balance the MoE router", "Fuse MoE router scores", "MoE router dtype"),
    "checkpoint": ("Async checkpoint save", "Checkpoint shards on CPU", "Sharded checkpoint load"),
    "rollout": ("RL rollout bank", "RL rollout recovery", "Durable RL rollout log"),
}


def month(first: int = 1) -> list[ThemeRequest]:
    titles = [(area, title) for area, given in AREAS.items() for title in given]
    return [
        ThemeRequest(
            number=first + nth,
            title=title,
            paths=(f"src/{area}/part_{nth}.py", f"tests/{area}/test_{nth}.py"),
            author=f"dev-{nth}",
        )
        for nth, (area, title) in enumerate(titles)
    ]


RULES = [
    (ThemeRule(name="x", labels=("MoE",)), {"labels": ("moe",)}, "label MoE"),
    (ThemeRule(name="x", titles=(r"\bRL\b",)), {"title": "rl: go"}, r"title \bRL\b"),
    (ThemeRule(name="x", titles=(r"\bRL\b",)), {"title": "url"}, None),
    (ThemeRule(name="x", paths=("src/a/",)), {"paths": ("src/a/1", "src/a/2", "b")}, "paths"),
    (ThemeRule(name="x", paths=("src/a/",)), {"paths": ("src/a/1", "b")}, None),
    (ThemeRule(name="x", paths=("src/a/",)), {"paths": ()}, None),
]


@pytest.mark.parametrize(("rule", "fields", "reason"), RULES)
def test_a_rule_takes(rule: ThemeRule, fields: dict[str, object], reason: str | None) -> None:
    one = msgspec.convert({"number": 1, "title": "t", **fields}, ThemeRequest)
    assert rule.takes(one) == reason


def test_the_first_rule_that_fits_decides() -> None:
    rules = [ThemeRule(name="a", titles=("go",)), ThemeRule(name="b", titles=("go",))]
    assert place_by_rules([ThemeRequest(number=1, title="go")], rules)[0] == {1: "a"}


def test_themes_are_the_areas_whatever_the_order() -> None:
    given = month()
    made = make_themes(given, [], ThemeSettings(cap=3, smallest=3))
    assert {one.numbers for one in made.themes} == {(1, 2, 3), (4, 5, 6), (7, 8, 9)}
    assert made.left_over == ()
    random.Random(1).shuffle(given)
    assert make_themes(given, [], ThemeSettings(cap=3, smallest=3)) == made


def test_a_name_is_made_of_the_words_that_set_a_theme_apart() -> None:
    made = make_themes(month(), [], ThemeSettings(cap=3, smallest=3))
    names = {one.numbers[0]: one.name for one in made.themes}
    assert "MoE" in names[1]
    assert "heckpoint" in names[4]
    assert "RL" in names[7]


def test_last_months_names_and_order_are_the_prior() -> None:
    settings = ThemeSettings(cap=3, smallest=3)
    before = month(100)
    old = assigned(make_themes(before, [], settings), start=0, end=1, digest="d").themes
    named = tuple(
        msgspec.structs.replace(one, name=f"Old {nth}") for nth, one in enumerate(reversed(old))
    )
    prior = Prior(themes=named, requests={one.number: one for one in before})
    made = make_themes(month(), before, settings, prior)
    assert [(one.name, one.how) for one in made.themes] == [
        ("Old 0", "prior"),
        ("Old 1", "prior"),
        ("Old 2", "prior"),
    ]


def test_bounds_leave_requests_over_and_rules_are_not_bound() -> None:
    made = arrange(
        [
            Theme(name="small", numbers=(1,), how="cluster"),
            Theme(name="big", numbers=(2, 3, 4), how="cluster"),
            Theme(name="other", numbers=(5, 6), how="cluster"),
            Theme(name="rule", numbers=(7,), how="rule"),
        ],
        ["rule"],
        Bounds(cap=1, smallest=2),
    )
    assert [one.name for one in made.themes] == ["rule", "big"]
    assert made.left_over == (1, 5, 6)


@pytest.mark.parametrize("count", [0, 1, 2])
def test_few_requests_are_no_trouble(count: int) -> None:
    made = make_themes(month()[:count], [], ThemeSettings())
    assert sorted([*made.left_over, *(n for one in made.themes for n in one.numbers)]) == list(
        range(1, count + 1)
    )


def test_titles_without_words_are_no_trouble() -> None:
    given = [ThemeRequest(number=number, title="…") for number in range(1, 8)]
    made = make_themes(given, [], ThemeSettings(cap=2, smallest=2))
    assert sum(len(one.numbers) for one in made.themes) + len(made.left_over) == 7


def test_an_assignment_is_a_record_that_comes_back() -> None:
    made = make_themes(month(), [], ThemeSettings(cap=3, smallest=3))
    digest = inputs_digest(month(), [], ThemeSettings(), Prior())
    record: Record = author("github.com/1", assigned(made, start=1, end=2, digest=digest), time=3)
    outcome = translate(record)
    assert isinstance(outcome, tuple)
    (fact,) = outcome
    assert isinstance(fact, ThemesAssigned)
    assert recorded(fact) == made
    assert inputs_digest(month()[1:], [], ThemeSettings(), Prior()) != digest


def test_suggested_rules_can_be_pasted_and_take_what_they_were_made_from() -> None:
    made = make_themes(month(), [], ThemeSettings(cap=3, smallest=3))
    shown = tomllib.loads(suggest(made, month()))["repositories"]["themes"]["rules"]
    rules = msgspec.convert(shown, list[ThemeRule])
    ThemeSettings(rules=tuple(rules)).check()
    again = make_themes(month(), [], ThemeSettings(rules=tuple(rules)))
    assert {(one.name, one.numbers) for one in again.themes} == {
        (one.name, one.numbers) for one in made.themes
    }


WRONG = [
    (ThemeSettings(cap=0), "cap"),
    (ThemeSettings(rules=(ThemeRule(name="a"),)), r"rules\[0\]"),
    (ThemeSettings(rules=(ThemeRule(name="a", titles=("(",)),)), r"rules\[0\]"),
    (ThemeSettings(rules=(ThemeRule(name="a", paths=("/a",)),)), r"rules\[0\]"),
    (ThemeSettings(rules=(ThemeRule(name="a", labels=("b",)),) * 2), "twice"),
]


@pytest.mark.parametrize(("settings", "says"), WRONG)
def test_wrong_settings_name_the_field(settings: ThemeSettings, says: str) -> None:
    with pytest.raises(ValueError, match=says):
        settings.check()


def test_titles_that_are_all_alike_make_themes_without_a_warning() -> None:
    alike = [
        ThemeRequest(number=nth, title="Bump the version", paths=(), author="dev-a")
        for nth in range(1, 200)
    ]
    made = make_themes(alike, [], ThemeSettings(), Prior())
    assert sum(len(theme.numbers) for theme in made.themes) + len(made.left_over) == len(alike)
