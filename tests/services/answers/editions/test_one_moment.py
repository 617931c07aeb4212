"""All parts of a report and an edition are of one moment: a T behind the period's end changes
nothing (MODEL.md 1).
"""

import pytest

from projections.release_inclusion.view import HistoryCache
from services.answers.questions.period import period
from services.answers.questions.question import ReportQuestion
from services.answers.reports.assemble import Report, assemble
from tests.builders import at, pull_request
from tests.lab import Lab, created, heard
from tests.projections.release_inclusion.bench import git, merged, opened
from tests.projections.release_inclusion.histories import Written
from tests.services.answers.editions.desk import edition_of

JULY = period("2026-07-01", "2026-08-01", "UTC")
LATER = ["2026-08-01T00:00:00Z", "2026-08-05T00:00:00Z", "2026-08-20T00:00:00Z"]


def history() -> Written:
    """#2 landed in July, was picked and released in August, and reverted after that."""
    written = Written(branches={"main": "undo", "release-1.0": "pick"}, tags={"v1.0.0": "pick"})
    written.commit("root", subject="Start", at=at("06-20"))
    written.commit("two", "root", subject="Speed up (#2)", at=at("07-09"))
    written.commit(
        "pick", "root", subject="Speed up (#2)", at=at("08-03"), message="", author="Ada"
    )
    written.commit("undo", "two", subject='Revert "Speed up (#2)"', at=at("08-04"))
    return written


@pytest.fixture
def lab() -> Lab:
    """What happened to #2 after July: renamed, labelled, picked, released, reverted."""
    return Lab(
        [
            created(),
            opened(2, "07-03", title="Speed up"),
            opened(3, "07-04", title="Go on"),
            merged(2, "two", "07-09", title="Speed up", created_at="07-03"),
            (
                "08-02",
                pull_request(
                    "e2",
                    2,
                    "edited",
                    "08-02",
                    title="Another name",
                    labels=[{"name": "late"}],
                    state="closed",
                    merged=True,
                    merged_at="07-09",
                    closed_at="07-09",
                    created_at="07-03",
                ),
            ),
            ("08-02", pull_request("e3", 3, "edited", "08-02", title="Stop", created_at="07-04")),
            *git(history(), "08-06"),
            heard("08-25"),
        ]
    )


def report_of(lab: Lab, as_of: str | None) -> Report:
    question = ReportQuestion(
        full_name="acme/widget", period=JULY, as_of=None if as_of is None else at(as_of)
    )
    with lab.model.snapshot() as snapshot:
        return assemble(snapshot, question, HistoryCache())


@pytest.mark.parametrize("as_of", LATER)
def test_a_later_moment_changes_nothing_in_a_report(lab: Lab, as_of: str) -> None:
    usual = report_of(lab, None)
    assert usual.requests[2].title == "Speed up"
    assert usual.places
    assert usual.places.requests[2].branches == ("main",)
    assert report_of(lab, as_of) == usual


@pytest.mark.parametrize("as_of", LATER)
def test_a_later_moment_changes_nothing_in_an_edition(lab: Lab, as_of: str) -> None:
    assert edition_of(lab.model, as_of=at(as_of)) == edition_of(lab.model)


def test_the_very_end_belongs_to_the_next_period_in_every_part() -> None:
    lab = Lab(
        [
            created(),
            opened(3, "07-04", title="Go on"),
            ("08-01", pull_request("e3", 3, "edited", "08-01", title="Stop", created_at="07-04")),
            heard("08-25"),
        ]
    )
    assert report_of(lab, None).requests[3].title == "Go on"


def test_an_earlier_moment_is_that_of_every_part(lab: Lab) -> None:
    report = report_of(lab, "2026-07-08T00:00:00Z")
    assert report.as_of == at("2026-07-08T00:00:00Z")
    assert report.end == report.as_of + 1
    assert report.places
    assert report.places.requests[2].branches == ()
    assert not report.entries["merged"]
