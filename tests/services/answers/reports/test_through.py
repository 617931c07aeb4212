"""Titles and periods say through which day something is known, where that is not the whole."""

from datetime import date

import pytest

from events.record import Record
from services.answers.reports.answer import report_answer
from services.answers.reports.assemble import Report
from tests.answers import report_text
from tests.builders import merge, pull_request
from tests.clones import clone, commit
from tests.lab import Lab, created, heard

AUGUST = ("2026-08-01", "2026-09-01")
CLONE = clone(
    "12-01",
    [commit("a", "One (#1)", "08-03"), commit("b", "Two (#2)", "08-22 15:00:00", "a")],
    branches={"main": "b"},
)
LIVE = [
    created(),
    ("08-03", pull_request("o", 1, "opened", "08-03")),
    ("08-22 15:00:00", merge("m", 1, "08-22 15:00:00", created_at="08-03")),
]


def head(report: Report) -> tuple[str, str]:
    title, _, period, *_ = report_text(report, "md").splitlines()
    return title, period


@pytest.mark.parametrize("arrivals", [CLONE, LIVE], ids=["a clone read later", "webhooks"])
def test_data_that_end_inside_the_period_are_told_with_their_day(
    arrivals: list[tuple[str, Record]],
) -> None:
    report = Lab(arrivals).report(*AUGUST)
    title, period = head(report)
    assert title == "# widget Monthly Activity Report — August 2026 (through 2026-08-22)"
    assert period.startswith("Period: 2026-08-01 through 2026-08-22 (UTC)")
    assert "(settled)" not in report_text(report, "md")
    assert report_answer(report).period.through == "2026-08-22"


def test_the_day_is_one_of_the_zone() -> None:
    assert Lab(LIVE).report(*AUGUST, tz="Asia/Tokyo").through == date(2026, 8, 23)


def test_a_period_that_is_known_to_its_end_says_so_by_saying_nothing() -> None:
    report = Lab([*LIVE, heard("09-02")]).report(*AUGUST)
    assert report.through is None
    assert head(report)[0] == "# widget Monthly Activity Report — August 2026"
    assert Lab([*LIVE, heard("08-31")]).report(*AUGUST).through is None


def test_a_period_that_is_not_over_is_cut_and_says_through() -> None:
    report = Lab(LIVE, until="2026-08-25T12:00:00Z").report(*AUGUST, as_of="2026-08-10T00:00:00Z")
    assert report.is_cut
    assert report.through == date(2026, 8, 10)


def test_later_landings_prove_that_a_clone_reaches_beyond_the_period() -> None:
    assert Lab(CLONE).report("2026-08-01", "2026-08-20").through is None
