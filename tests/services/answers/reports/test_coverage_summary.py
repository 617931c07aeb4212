"""\"Complete" is said only where it is proven: to the end, without any doubt."""

import msgspec
import pytest

from events.facts.repository import CensusObserved, GapFilled, GapObserved
from events.record import Record
from events.sources.authored import author
from services.answers.reports.coverage_summary import coverage_summary, proven
from tests.answers import report_text
from tests.builders import REPO, at, close, pull_request, webhook, with_parts
from tests.lab import Lab, created, heard
from tests.projections.period_ledger.test_files import commit, git

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
    report = Lab([*arrivals, heard()]).report(*JULY)
    assert coverage_summary(report) == line
    assert proven(report) == (line == COMPLETE) == (set(report.quality.values()) == {"exact"})
    text = report_text(report, "md")
    assert ("Complete: nothing is known to be missing" in text) == (line == COMPLETE)
    assert ("not proven complete" in text) == (line != COMPLETE)


def test_a_period_that_was_cut_is_not_complete_whatever_is_known_of_its_part() -> None:
    lab = Lab([created("06-01"), OPENED, heard()])
    cut = lab.report(*JULY, as_of="2026-07-20T00:00:00Z", tz="Asia/Shanghai")
    assert set(cut.quality.values()) == {"exact"}
    assert coverage_summary(cut) == "Coverage: not proven complete (cut at 2026-07-20 08:00)."
    assert "Complete:" not in report_text(cut, "md")


def test_the_line_comes_in_chinese() -> None:
    lab = Lab([created("06-01"), OPENED, gap("g1", "07-03", "07-04"), heard()])
    assert coverage_summary(lab.report(*JULY), "zh") == (
        "覆盖：未证实完整（1 处缺口：2026-07-03 00:00 UTC 至 2026-07-04 00:00 UTC）。"
    )
    june = lab.report("2026-06-02", "2026-07-01")
    assert coverage_summary(june, "zh") == "覆盖：完整。"


def test_a_month_after_which_nothing_was_heard_is_not_complete_and_its_counts_stay_exact() -> None:
    silent = Lab([created("06-01"), OPENED]).report(*JULY)
    says = "nothing was heard of the repository after 2026-07-02 00:00"
    assert coverage_summary(silent) == f"Coverage: not proven complete ({says} UTC)."
    assert coverage_summary(silent, "zh") == (
        "覆盖：未证实完整（2026-07-02 00:00 UTC 之后未收到任何消息）。"
    )
    assert [doubt.kind for doubt in silent.coverage] == ["unheard"]
    later = Lab([created("06-01"), OPENED, heard()]).report(*JULY)
    assert (silent.quality, silent.counts) == (later.quality, later.counts)
    assert set(silent.quality.values()) == {"exact"}


def test_what_is_heard_later_does_not_change_what_was_known_before() -> None:
    lab = Lab([created("06-01"), OPENED, heard("08-09")])
    then = lab.report(*JULY, known_at="2026-08-08T00:00:00Z")
    assert "nothing was heard of the repository after 2026-07-02" in coverage_summary(then)
    assert coverage_summary(lab.report(*JULY, known_at="2026-08-09T00:00:00Z")) == COMPLETE


def test_a_late_delivery_of_an_old_event_proves_nothing_of_the_end() -> None:
    late = ("09-01", pull_request("b", 1, "edited", "07-03", created_at="07-02"))
    summary = coverage_summary(Lab([created("06-01"), OPENED, late]).report(*JULY))
    assert "nothing was heard of the repository after 2026-07-03" in summary


def test_a_listing_after_the_end_proves_it() -> None:
    fact = CensusObserved(
        at=at("08-02"), listed_from="api", highest_number=1, open_numbers=(1,), complete=True
    )
    listing = ("08-02", author(REPO, fact, time=at("08-02")))
    assert coverage_summary(Lab([created("06-01"), OPENED, listing]).report(*JULY)) == COMPLETE


def test_of_git_alone_the_line_names_the_newest_merge() -> None:
    first = commit("a", paths=None, when="07-03", subject="First (#1)")
    second = commit("b", "a", paths=None, when="07-20", subject="Second (#2)")
    landed = [msgspec.structs.replace(each, branch="main") for each in (first, second)]
    report = Lab(git(*landed, when="07-21", main="b")).report(*JULY)
    assert coverage_summary(report) == (
        "Coverage: not proven complete (only git history is recorded up to a merge of 2026-07-20 "
        "00:00 UTC; nothing was heard of the repository after 2026-07-21 00:00 UTC)."
    )
    assert "仅有 git 历史，最后一次合并为 2026-07-20 00:00 UTC" in coverage_summary(report, "zh")
