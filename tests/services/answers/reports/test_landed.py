"""Requests that a merge bot pushes and closes: landed by a commit, and delivered everywhere."""

from typing import Any

import pytest

from events.facts.git import Commit
from events.instant import INF
from events.record import Record
from projections.pull_requests.queries import states_of
from projections.release_inclusion.view import HistoryCache
from services.answers.questions.period import period
from services.answers.questions.question import ReportQuestion
from services.answers.reports.answer import report_answer
from services.answers.reports.assemble import Report, assemble
from tests.answers import edition_text, report_text
from tests.builders import REPO, close, pull_request
from tests.clones import clone, commit, sha_of
from tests.lab import Lab, created
from tests.services.answers.editions.desk import edition_of

Arrival = tuple[str, Record]
OPENED: dict[str, Any] = {"created_at": "03-02", "head": {"ref": "fix", "sha": sha_of("head")}}


def squash(when: str, subject: str = "Fix (#1)") -> list[Commit]:
    return [commit("root", "Start", "03-01"), commit("squash", subject, when, "root")]


def merged_by_bot(when: str, subject: str) -> list[Commit]:
    return [
        commit("root", "Start", "03-01"),
        commit("head", "Fix it", "03-02", "root", branch=None),
        commit("merge", subject, when, "root", "head"),
    ]


def world(
    commits: list[Commit], closed: str = "03-05 10:00:00", *more: Arrival, read: str = "03-06"
) -> list[Arrival]:
    tip = "squash" if commits[-1].sha == sha_of("squash") else "merge"
    return [
        created(),
        ("03-02", pull_request("o", 1, "opened", "03-02", **OPENED)),
        ("03-05 12:00:00", close("c", 1, closed, **OPENED)),
        *more,
        *clone(read, commits, branches={"main": tip}, tags={"v1.0.0": tip}),
    ]


def march(arrivals: list[Arrival]) -> Report:
    question = ReportQuestion(
        full_name="acme/widget", period=period("2026-03-01", "2026-04-01", "UTC")
    )
    with Lab(arrivals).model.snapshot() as snapshot:
        return assemble(snapshot, question, HistoryCache())


def numbers(report: Report) -> dict[str, list[int]]:
    names = ("merged", "landed", "closed_without_merge", "closed_unknown")
    return {
        name: [entry.number for entry in report.entries[name]]
        for name in names
        if report.entries[name]
    }


@pytest.mark.parametrize("when", ["03-05 09:59:59", "03-05 10:00:00", "03-05 10:00:01"])
@pytest.mark.parametrize(
    "subject",
    ["Merge #1", "[ci skip] Merge #1", "Auto merge of #1 - dev-a:fix, r=dev-b", "Fix (#1)"],
)
def test_who_was_first_by_a_second_decides_nothing(when: str, subject: str) -> None:
    commits = squash(when) if subject == "Fix (#1)" else merged_by_bot(when, subject)
    report = march(world(commits))
    assert numbers(report) == {"landed": [1]}
    assert report.ledger.balance == 0
    (row,) = report_answer(report).ledger["landed"]
    assert row.commit == commits[-1].sha
    assert (row.evidence, row.releases) == ("git", ("v1.0.0",))


LATER = [
    ("03-05 10:00:30", {"state": "open", "created_at": "03-02"}),
    ("03-09", {"state": "closed", "closed_at": "03-05 10:00:00", "created_at": "03-02"}),
]


@pytest.mark.parametrize("read", ["03-05 11:00:00", "03-06", "03-20"])
@pytest.mark.parametrize("seen", [LATER[:1], LATER[1:], LATER])
def test_later_comments_and_the_moment_of_reading_decide_nothing(
    seen: list[tuple[str, dict[str, Any]]], read: str
) -> None:
    closed = "03-05 10:01:00"
    for _, shown in LATER[1:]:
        shown["closed_at"] = closed
    later = [(when, pull_request(when, 1, "labeled", when, **shown)) for when, shown in seen]
    report = march(world(squash("03-05 10:00:10"), closed, *later, read=read))
    assert numbers(report) == {"landed": [1]}


def test_it_has_its_own_line_and_is_told_as_delivered() -> None:
    report = march(world(squash("03-05 09:59:59")))
    assert report.reconciliation.kept == (1,)
    text = report_text(report, "md")
    assert "- Closed, landed by commit: 1." in text
    assert "## Closed, landed by commit (1)" in text
    assert f"landed by {sha_of('squash')[:12]}" in text
    assert "merged + landed + closed" in text
    assert "Closed without merge (" not in text


@pytest.mark.parametrize("when", ["03-05 10:02:00", "03-05 11:00:00", "03-05 15:00:00"])
def test_a_merge_of_the_reopened_request_does_not_land_its_earlier_close(when: str) -> None:
    reopened = pull_request("r", 1, "reopened", "03-05 10:01:00", **OPENED)
    merge = {**OPENED, "merged_at": when, "merge_commit_sha": sha_of("squash")}
    merged = close("m", 1, when, **merge)
    later = [("03-05 10:01:00", reopened), (when, merged)]
    # the clock of the one who merged may be behind GitHub's
    for made in (when, "03-05 09:59:00"):
        report = march(world(squash(made), "03-05 10:00:00", *later))
        assert numbers(report) == {"merged": [1]}
        with Lab(world(squash(made), "03-05 10:00:00", *later)).model.snapshot() as snapshot:
            states = states_of(snapshot, REPO, 1, INF - 1)
        assert [span.enter for span in states] == ["opened", "closed", "reopened", "merged"]


def test_a_commit_made_after_the_reopening_does_not_land_the_earlier_close() -> None:
    later = [
        ("03-05 12:00:00", pull_request("r", 1, "reopened", "03-05 12:00:00", **OPENED)),
        ("03-05 20:00:00", close("again", 1, "03-05 20:00:00", **OPENED)),
    ]
    arrivals = world(squash("03-05 19:59:00"), "03-05 10:00:00", *later)
    assert numbers(march(arrivals)) == {"landed": [1]}
    with Lab(arrivals).model.snapshot() as snapshot:
        states = states_of(snapshot, REPO, 1, INF - 1)
    assert [span.enter for span in states] == ["opened", "closed", "reopened", "landed"]


@pytest.mark.parametrize(
    ("commits", "closed"),
    [
        pytest.param(squash("03-01"), "03-05", id="made before the request existed"),
        pytest.param(squash("03-25"), "03-05", id="made weeks after the close"),
        pytest.param(squash("03-05", "Merge #1"), "03-05", id="a bot's words without a merge"),
        pytest.param(squash("03-05", "Fix what #1 broke"), "03-05", id="a number in a sentence"),
    ],
)
def test_a_number_in_words_alone_lands_nothing(commits: list[Commit], closed: str) -> None:
    assert numbers(march(world(commits, closed))) == {"closed_without_merge": [1]}


def test_a_batch_lands_each_of_its_requests() -> None:
    second: list[Arrival] = [
        ("03-03", pull_request("o2", 2, "opened", "03-03")),
        ("03-05 12:00:00", close("c2", 2, "03-05 10:00:00", created_at="03-03")),
    ]
    commits = merged_by_bot("03-05 09:00:00", "Merge #1 #2")
    assert numbers(march(world(commits, "03-05 10:00:00", *second))) == {"landed": [1, 2]}


def test_a_merge_that_github_shows_stays_a_merge() -> None:
    shown: dict[str, Any] = {"merged": True, "merged_at": "03-05 10:00:00", "state": "closed"}
    later = pull_request("m", 1, "labeled", "03-09", closed_at="03-05 10:00:00", **OPENED, **shown)
    report = march(world(squash("03-05 09:59:59"), "03-05 10:00:00", ("03-09", later)))
    assert numbers(report) == {"merged": [1]}


def test_a_request_that_is_opened_again_is_open() -> None:
    again = pull_request("r", 1, "reopened", "03-07", **OPENED)
    report = march(world(squash("03-05 09:59:59"), "03-05 10:00:00", ("03-07", again)))
    assert numbers(report) == {}
    assert report.counts["open_at_end"] == 1


def test_editions_and_the_life_of_the_request_say_the_same() -> None:
    lab = Lab(world(merged_by_bot("03-05 09:59:59", "Merge #1")))
    edition = edition_of(lab.model, "2026-03-01", "2026-04-01")
    assert edition.reconciliation.merged == (1,)
    assert "Closed, landed by commit: 1." in edition_text(edition, "md")
    life = lab.life(1)
    assert life.state == "closed, landed by a commit"
    assert [span.enter for span in life.states] == ["opened", "landed"]
    assert life.refused == ("GitHub shows it closed without merge",)
