"""What persons decide shows in editions, stays with its change, and is flagged when it moves."""

import re
from typing import Any

import pytest

from events.facts.editions import DecisionContext, TellingDecided
from events.record import Record
from projections.engine.read_model import ReadModel
from services.answers.editions.edition import Edition
from services.answers.editions.marker import issue_text
from services.answers.editions.words import LANGUAGES, WORDS
from tests.answers import edition_text
from tests.builders import at, merge, pull_request
from tests.lab import created
from tests.services.answers.editions.desk import edition_of, with_facts

AUGUST = ("2026-08-01", "2026-09-01")
HOSTILE = "<!-- hidden --> @dev-b fixes #9 [x](javascript:1)"


def arrivals() -> list[tuple[str, Record]]:
    """One change that is opened in July and merged in August, and one merged in July."""
    return [
        created(),
        ("07-02", pull_request("a", 1, "opened", "07-02", title="Add the router")),
        ("07-03", pull_request("b", 2, "opened", "07-03", title="Speed up the loader")),
        ("07-09", merge("c", 2, "07-09", title="Speed up the loader", created_at="07-03")),
        ("08-05", merge("d", 1, "08-05", title="Add the router", created_at="07-02")),
    ]


def decided(kind: str, value: str | None, **fields: Any) -> tuple[str, TellingDecided]:
    given: dict[str, Any] = {"kind": kind, "author": "lead", **fields}
    return "08-10", TellingDecided(decided_at=at("08-10"), value=value, **given)


def model_with(*facts: tuple[str, TellingDecided]) -> ReadModel:
    return with_facts(arrivals(), *facts).model


def themes(edition: Edition) -> dict[str, list[tuple[int, ...]]]:
    return {
        section: [theme.numbers for theme in edition.of(section)]
        for section in ("delivered", "in_progress")
    }


def test_without_decisions_titles_are_the_bullets_and_gaps_wait_for_a_person() -> None:
    edition = edition_of(model_with())
    assert themes(edition) == {"delivered": [(2,)], "in_progress": [(1,)]}
    assert edition.themes[0].changes[0].bullets["en"].text == "Speed up the loader"
    assert next(iter(edition.gaps("en"))) == "overview"
    assert len(list(edition.gaps("zh"))) == 3


def test_a_month_without_anything_to_tell_says_so_and_waits_for_nobody() -> None:
    empty = edition_of(model_with(), "2026-05-01", "2026-06-01")
    for language in LANGUAGES:
        assert empty.overview[language].text == WORDS[language].nothing_told
        assert list(empty.gaps(language)) == []
    assert "told here was delivered." in edition_text(empty, "md")
    assert "TO WRITE" not in edition_text(empty, "md")
    written = decided(
        *("overview", "A quiet month."),
        language="en",
        start=at("05-01"),
        end=at("06-01"),
    )
    still = edition_of(model_with(written), "2026-05-01", "2026-06-01")
    assert still.overview["en"].text == "A quiet month."


def test_a_bullet_stays_when_its_change_is_delivered_and_asks_for_another_look() -> None:
    saw = DecisionContext(section="in_progress", numbers=(1,))
    model = model_with(decided("bullet", "A router.", numbers=(1,), language="en", saw=saw))
    july, august = edition_of(model), edition_of(model, *AUGUST)
    assert july.looks == ()
    assert august.of("delivered")[0].changes[0].bullets["en"].text == "A router."
    assert [look.why for look in august.looks] == ["was in progress, is delivered"]


def test_a_new_twin_keeps_the_text_and_asks_for_another_look() -> None:
    saw = DecisionContext(section="delivered", numbers=(2,))
    model = model_with(
        decided("bullet", "Both.", numbers=(2,), language="en", saw=saw),
        decided("twins", "yes", numbers=(1, 2)),
    )
    edition = edition_of(model, *AUGUST)
    (theme,) = edition.themes
    assert theme.numbers == (1, 2)
    assert theme.changes[0].bullets["en"].text == "Both."
    assert [look.why for look in edition.looks] == ["new: #1"]


def test_themes_are_decided_renamed_and_merged() -> None:
    model = model_with(
        decided("theme", "Serving", numbers=(1,)),
        decided("theme", "Loading", numbers=(2,)),
        decided("rename", "Execution", theme="Serving"),
        decided("rename", "Execution", theme="Loading"),
        decided("rename", "执行", theme="Execution", language="zh"),
    )
    edition = edition_of(model, "2026-07-01", "2026-09-01")
    (theme,) = edition.themes
    assert (theme.key, theme.names["zh"], theme.numbers) == ("Execution", "执行", (1, 2))


def test_names_that_rename_each_other_in_a_circle_end_somewhere() -> None:
    model = model_with(
        decided("theme", "A", numbers=(2,)),
        decided("rename", "B", theme="A"),
        decided("rename", "A", theme="B"),
    )
    assert edition_of(model).of("delivered")[0].key in ("A", "B")


def test_a_hidden_change_is_counted_and_not_told() -> None:
    model = model_with(decided("hide", "yes", numbers=(2,), reason="embargoed"))
    edition = edition_of(model)
    assert edition.report.counts["merged"] == 1
    assert edition.of("delivered") == ()
    assert edition.not_told == {2: "hidden: embargoed"}
    assert edition.reconciliation.not_told == (2,)


def test_a_class_given_by_a_person_moves_the_lists_and_the_counts() -> None:
    edition = edition_of(model_with(decided("exclusion", "ci-only", numbers=(2,))))
    assert edition.reconciliation.excluded["ci-only"] == (2,)
    assert edition.report.exclusions.filtered["merged"] == 0
    assert "CI-only 1" in edition_text(edition, "txt")


def test_summaries_and_overviews_stand_in_their_place() -> None:
    july = {"start": at("07-01"), "end": at("08-01")}
    model = model_with(
        decided("theme", "Loading", numbers=(2,)),
        decided("overview", "All in all.", language="en", **july),
        decided(
            "summary", "It loads.", theme="Loading", section="delivered", language="en", **july
        ),
    )
    edition = edition_of(model)
    assert edition.overview["en"].text == "All in all."
    assert edition.of("delivered")[0].summary["en"].text == "It loads."
    assert edition_of(model, *AUGUST).overview["en"].origin == "gap"
    assert [(look.about, look.why) for look in edition.stale] == [
        ("overview (en)", "no Chinese text"),
        ("summary of Loading (delivered, en)", "no Chinese text"),
    ]


def test_a_translation_older_than_its_text_is_stale() -> None:
    old = TellingDecided(
        kind="bullet", decided_at=at("08-01"), author="x", value="旧", numbers=(2,), language="zh"
    )
    model = model_with(("08-09", old), decided("bullet", "New text.", numbers=(2,), language="en"))
    assert [look.why for look in edition_of(model).stale] == ["older than the English text"]


def test_what_is_decided_later_is_not_known_earlier() -> None:
    model = model_with(decided("hide", "yes", numbers=(2,)))
    assert edition_of(model, known_at=at("08-09")).of("delivered")[0].numbers == (2,)


def test_two_who_did_not_know_of_each_other_are_named() -> None:
    one = decided("theme", "A", numbers=(2,))
    other = decided("theme", "B", numbers=(2,), author="other")
    edition = edition_of(model_with(one, other))
    twice, alone = edition.looks
    assert (twice.about, alone.about) == ("theme of #2", "theme of #2")
    assert "without knowing of each other" in twice.why
    assert alone.records == twice.records[:1]  # the one that holds
    assert alone.why.startswith(f"{edition.of('delivered')[0].key} holds only what was moved there")


def test_a_change_that_was_taken_back_in_its_period_is_not_told_and_neither_is_the_revert() -> None:
    title = 'Revert "Speed up the loader" (#2)'
    more = [
        ("07-20", pull_request("e", 3, "opened", "07-20", title=title, body="Reverts #2")),
        ("07-21", merge("f", 3, "07-21", title=title, body="Reverts #2", created_at="07-20")),
    ]
    edition = edition_of(with_facts([*arrivals()[:4], *more]).model)
    assert themes(edition) == {"delivered": [], "in_progress": [(1,)]}
    assert edition.not_told == {2: "reverted", 3: "takes back #2 of the same period"}
    assert edition.reconciliation.not_told == (2, 3)


@pytest.mark.parametrize("form", ["md", "html"])
def test_a_hostile_title_stays_text(form: str) -> None:
    lab = with_facts(
        [
            created(),
            ("07-02", pull_request("a", 1, "opened", "07-02", title=HOSTILE)),
            ("07-03", merge("b", 1, "07-03", title=HOSTILE, created_at="07-02")),
        ]
    )
    text = edition_text(edition_of(lab.model), form, "en", "inline")
    if form == "md":
        assert r"\<!-- hidden --\>" in text
        assert r"[x\](javascript:1)" in text
        assert "@dev-b" not in text
    else:
        assert "&lt;!-- hidden --&gt;" in text
        assert 'href="javascript' not in text


def test_a_hostile_title_notifies_nobody_when_it_is_published() -> None:
    title = f"{HOSTILE} @acme/team GH-7 acme/other#8 https://host.example/a/b/pull/9"
    lab = with_facts(
        [
            created(),
            ("07-02", pull_request("a", 1, "opened", "07-02", title=title)),
            ("07-03", merge("b", 1, "07-03", title=title, created_at="07-02")),
        ]
    )
    body = issue_text("e" * 32, edition_text(edition_of(lab.model), "md", "en", "inline"))
    text = body.partition("\n")[2]
    assert re.findall(r"@\w|#\d|GH-\d|://|<!--|-->", text) == []
    assert "acme/team" in text
