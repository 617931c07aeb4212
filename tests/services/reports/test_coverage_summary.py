"""\"Complete" is said only where it is proven: to the end, without any doubt."""

import pytest

from events.facts.repository import GapFilled, GapObserved
from events.record import Record
from events.sources.authored import author
from services.reports.coverage_summary import coverage_summary, proven
from services.reports.render import render
from tests.builders import REPO, at, close, pull_request, webhook, with_parts
from tests.lab import Lab, created

JULY = ("2026-07-01", "2026-08-01")
COMPLETE = "Coverage: complete."
OPENED = ("07-02", pull_request("a", 1, "opened", "07-02"))


def gap(record_id: str, start: str, end: str, *, harmless: bool = False) -> tuple[str, Record]:
    fact = GapObserved(start=at(start), end=at(end), reason="out of order", harmless=harmless)
    return "07-20", author(REPO, fact, time=at("07-20"), record_id=record_id)


def filled(record_id: str) -> tuple[str, Record]:
    return "07-21", author(REPO, GapFilled(gap=record_id), time=at("07-21"))


UNKNOWN_OUTCOME = with_parts(
    close("u", 1, "07-05", created_at="07-02", closed_at=None), action="closed"
)

CASES = {
    "all of it is recorded": ([created("06-01"), OPENED], COMPLETE),
    "nothing happened, and that is proven": ([created("06-01")], COMPLETE),
    "neither the creation nor a listing is recorded": (
        [OPENED],
        "Coverage: not proven complete (no full listing at the start).",
    ),
    "a number of which nothing is recorded": (
        [created("06-01"), ("07-02", pull_request("b", 3, "opened", "07-02"))],
        "Coverage: not proven complete (numbers without a record: #1, #2).",
    ),
    "gaps": (
        [created("06-01"), OPENED, gap("g1", "07-03", "07-04"), gap("g2", "07-05", "07-06")],
        "Coverage: not proven complete (2 gaps: 2026-07-03 00:00 UTC to 2026-07-04 00:00 UTC, "
        "2026-07-05 00:00 UTC to 2026-07-06 00:00 UTC).",
    ),
    "a gap that was filled": (
        [created("06-01"), OPENED, gap("g1", "07-03", "07-04"), filled("g1")],
        COMPLETE,
    ),
    "a notice takes nothing away": (
        [created("06-01"), OPENED, gap("g1", "07-03", "07-04", harmless=True)],
        COMPLETE,
    ),
    "an outcome that has to be looked up": (
        [created("06-01"), OPENED, ("07-05", UNKNOWN_OUTCOME)],
        "Coverage: not proven complete (outcomes to be looked up: #1).",
    ),
    "a record that was set aside": (
        [created("06-01"), OPENED, ("07-06", webhook("x", "pull_request", b"{}"))],
        "Coverage: not proven complete (1 record set aside).",
    ),
}


@pytest.mark.parametrize(("arrivals", "line"), CASES.values(), ids=CASES)
def test_the_line_says_complete_only_where_every_figure_is_proven(
    arrivals: list[tuple[str, Record]], line: str
) -> None:
    report = Lab(arrivals).report(*JULY)
    assert coverage_summary(report) == line
    assert proven(report) == (line == COMPLETE) == (set(report.quality.values()) == {"exact"})
    text = render(report, "md")
    assert ("Complete: nothing is known to be missing" in text) == (line == COMPLETE)
    assert ("not proven complete" in text) == (line != COMPLETE)


def test_a_period_that_was_cut_is_not_complete_whatever_is_known_of_its_part() -> None:
    lab = Lab([created("06-01"), OPENED])
    cut = lab.report(*JULY, as_of="2026-07-20T00:00:00Z", tz="Asia/Shanghai")
    assert set(cut.quality.values()) == {"exact"}
    assert coverage_summary(cut) == "Coverage: not proven complete (cut at 2026-07-20 08:00)."
    assert "Complete:" not in render(cut, "md")


def test_the_line_comes_in_chinese() -> None:
    lab = Lab([created("06-01"), OPENED, gap("g1", "07-03", "07-04")])
    assert coverage_summary(lab.report(*JULY), "zh") == (
        "覆盖：未证实完整（1 处缺口：2026-07-03 00:00 UTC 至 2026-07-04 00:00 UTC）。"
    )
    june = lab.report("2026-06-02", "2026-07-01")
    assert coverage_summary(june, "zh") == "覆盖：完整。"
