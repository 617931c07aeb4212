"""Every edition says at its foot how complete it is, as the report of the same month does."""

import json

import pytest

from events.facts.repository import GapObserved
from events.record import Record
from events.sources.authored import author
from services.answers.editions.assemble import unproven
from services.answers.editions.reading import read_edition
from services.answers.editions.words import LANGUAGES
from services.answers.questions.question import SHAPES
from services.answers.reports.coverage_summary import coverage_summary, proven
from tests.answers import edition_text
from tests.builders import REPO, at, pull_request, webhook
from tests.lab import Lab, created, heard
from tests.services.answers.editions.desk import edition_of

KNOWN = [created("06-01"), ("07-02", pull_request("a", 1, "opened", "07-02"))]


def gap() -> tuple[str, Record]:
    fact = GapObserved(start=at("07-03"), end=at("07-04"), reason="the receiver was away")
    return "07-20", author(REPO, fact, time=at("07-20"))


CASES: dict[str, tuple[list[tuple[str, Record]], str, str]] = {
    "all of it is recorded": ([], "Coverage: complete.", "覆盖：完整。"),
    "a gap": (
        [gap()],
        "Coverage: not proven complete (1 gap: 2026-07-03 00:00 UTC to 2026-07-04 00:00 UTC).",
        "覆盖：未证实完整（1 处缺口：2026-07-03 00:00 UTC 至 2026-07-04 00:00 UTC）。",
    ),
    "a record that was set aside": (
        [("07-06", webhook("x", "pull_request", b"{}"))],
        "Coverage: not proven complete (1 record set aside).",
        "覆盖：未证实完整（1 条记录被搁置）。",
    ),
    "a second body under one delivery id": (
        [("07-06", pull_request("a", 1, "edited", "07-06"))],
        "Coverage: not proven complete (1 conflict: #1).",
        "覆盖：未证实完整（1 处冲突：#1）。",
    ),
}


@pytest.mark.parametrize(("more", "english", "chinese"), CASES.values(), ids=CASES)
def test_the_foot_of_an_edition_states_its_coverage_in_its_language(
    more: list[tuple[str, Record]], english: str, chinese: str
) -> None:
    edition = edition_of(Lab([*KNOWN, *more, heard()]).model)
    for language, line in zip(LANGUAGES, (english, chinese), strict=True):
        assert edition_text(edition, "txt", language).split("\n")[-2] == line
        assert line in edition_text(edition, "md", language)
        assert line.partition("#")[0] in edition_text(edition, "html", language)
    document = json.loads(edition_text(edition, "json"))
    assert document["coverage_summary"] == {"en": english, "zh": chinese}


@pytest.mark.parametrize(("more", "english", "_"), CASES.values(), ids=CASES)
def test_an_edition_may_be_final_where_its_coverage_is_complete_and_nowhere_else(
    more: list[tuple[str, Record]], english: str, _: str
) -> None:
    report = edition_of(Lab([*KNOWN, *more, heard()]).model).report
    assert coverage_summary(report) == english
    assert proven(report) == (not unproven(report)) == (english == "Coverage: complete.")


def test_the_line_stands_after_all_that_is_told_and_is_not_read_as_a_theme() -> None:
    edition = edition_of(Lab([*KNOWN, gap()]).model)
    for shape in SHAPES:
        text = edition_text(edition, "md", "en", shape)
        assert text.index("## Scope and Method") < text.index("Coverage: not proven complete")
        assert [theme.numbers for theme in read_edition(text).themes] == [(1,)]


def test_a_period_that_was_cut_says_until_when_it_is_counted() -> None:
    edition = edition_of(Lab([*KNOWN, heard()]).model, as_of=at("07-20") - 1)
    assert "Coverage: not proven complete (cut at 2026-07-20 00:00 UTC)." in edition_text(
        edition, "md"
    )
