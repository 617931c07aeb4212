"""Cases about the life of requests (CASES.md, L), from raw deliveries to the report."""

import json
import os
import time
from collections.abc import Iterator
from typing import Any

import pytest

from events.facts.repository import GapObserved
from events.record import Record
from events.sources.authored import author
from tests.builders import (
    at,
    close,
    merge,
    pull_request,
    repository,
    webhook,
    with_body,
    with_parts,
)
from tests.lab import Lab, created


@pytest.fixture(params=["UTC", "America/Los_Angeles", "Asia/Kolkata"])
def process_zone(request: pytest.FixtureRequest) -> Iterator[str]:
    """The zone of the process, which must not matter to anything."""
    before = os.environ.get("TZ")
    os.environ["TZ"] = request.param
    time.tzset()
    yield request.param
    if before is None:
        del os.environ["TZ"]
    else:
        os.environ["TZ"] = before
    time.tzset()


# L01


@pytest.fixture(scope="module")
def closed_twice() -> Lab:
    opened = {"created_at": "03-03"}
    return Lab(
        [
            created(),
            ("03-03", pull_request("a", 20, "opened", "03-03")),
            (
                "03-05",
                pull_request(
                    "b", 20, "closed", "03-05", state="closed", closed_at="03-05", **opened
                ),
            ),
            ("03-09", pull_request("c", 20, "reopened", "03-09", **opened)),
            (
                "04-02",
                pull_request(
                    "d", 20, "closed", "04-02", state="closed", closed_at="04-02", **opened
                ),
            ),
            ("04-03", pull_request("e", 20, "reopened", "04-03", **opened)),
            ("04-04", merge("f", 20, "04-04", **opened)),
        ]
    )


def test_l01_a_request_closed_twice_and_merged_counts_once_each(closed_twice: Lab) -> None:
    march = closed_twice.report("2026-03-01", "2026-04-01")
    april = closed_twice.report("2026-04-01", "2026-05-01")
    assert (march.counts["opened"], march.counts["merged"]) == (1, 0)
    assert (april.counts["opened"], april.counts["merged"]) == (0, 1)
    assert march.counts["closed_without_merge"] == april.counts["closed_without_merge"] == 0
    assert march.ledger.events == {"close_events": 1, "reopen_events": 1}
    assert april.ledger.events == {"close_events": 1, "reopen_events": 1}


def test_l01_the_state_at_any_time_is_the_one_that_held(closed_twice: Lab) -> None:
    assert closed_twice.life(20, as_of="03-06").state == "closed"
    assert closed_twice.life(20, as_of="03-31").state == "open"
    assert closed_twice.life(20, as_of="03-02").state == "not yet opened"
    as_of_march_6 = closed_twice.counts("2026-03-01", "2026-04-01", as_of="03-06")
    assert as_of_march_6 == {"opened": 1, "closed_without_merge": 1}


# L02


def test_l02_closed_is_not_merged_and_either_sign_of_a_merge_counts() -> None:
    search_shape = {
        "action": "created",
        "issue": {
            "number": 23,
            "state": "closed",
            "title": "in search shape",
            "created_at": "2026-02-01T00:00:00Z",
            "updated_at": "2026-02-04T00:00:00Z",
            "closed_at": "2026-02-03T10:00:00Z",
            "user": {"login": "dev-a", "type": "User"},
            "labels": [],
            "pull_request": {"merged_at": "2026-02-03T10:00:00Z"},
        },
        "comment": {
            "id": 1,
            "body": "done",
            "created_at": "2026-02-04T00:00:00Z",
            "updated_at": "2026-02-04T00:00:00Z",
        },
        "repository": repository(),
    }
    when = "02-03 10:00:00"
    opened = {"created_at": "02-01"}
    lab = Lab(
        [
            ("02-05", close("a", 21, when, **opened)),
            ("02-05", close("b", 22, when, merged_at=when, **opened)),
            ("02-05", webhook("c", "issue_comment", search_shape)),
        ]
    )
    report = lab.report("2026-02-01", "2026-03-01")
    assert [entry.number for entry in report.entries["merged"]] == [22, 23]
    assert [entry.number for entry in report.entries["closed_without_merge"]] == [21]
    assert "contradiction" in report.entries["merged"][0].flags


# L03, L04: see also tests/services/intake/archive


def test_l03_a_trimmed_close_has_an_unknown_outcome_until_a_full_record_settles_it() -> None:
    stub = {
        "id": "1",
        "type": "PullRequestEvent",
        "repo": {"id": 1001, "name": "acme/widget"},
        "created_at": "2026-11-12T08:00:00Z",
        "payload": {"action": "closed", "number": 8, "pull_request": {"id": 1, "number": 8}},
    }
    row = Record(
        id="event-1",
        repository="github.com/1001",
        source="archive",
        type="com.github.archive.PullRequestEvent",
        body=json.dumps(stub).encode(),
    )
    trimmed = [created(), ("11-12", row)]
    assert Lab(trimmed).counts("2026-11-01", "2026-12-01") == {"closed_unknown": 1}
    settled = merge("full", 8, "11-12 07:59:58", created_at="10-10")
    lab = Lab([*trimmed, ("11-13", settled)])
    found = lab.counts("2026-11-01", "2026-12-01")
    assert (found["merged"], found.get("closed_unknown", 0)) == (1, 0)


def test_l04_missing_archive_hours_are_a_named_gap() -> None:
    hole = GapObserved(start=at("08-21 09:00:00"), end=at("08-23 16:00:00"), reason="GH Archive: …")
    gap = author("github.com/1001", hole, time=at("09-01"))
    late = merge("m", 24, "08-25", created_at="08-22 10:00:00")
    lab = Lab([created(), ("09-01", gap), ("09-02", late)])
    report = lab.report("2026-08-01", "2026-09-01")
    assert "gap" in [doubt.kind for doubt in report.coverage]
    assert [entry.number for entry in report.entries["opened"]] == [24]
    assert report.quality["opened"] == "at_least"


# L06


def test_l06_months_end_where_their_zone_says_whatever_zone_the_process_has(
    process_zone: str,
) -> None:
    edges = ["01-31 23:59:59", "02-01 00:00:00", "02-01 07:00:00"]
    arrivals = [
        (when, merge(f"m{number}", number, when, created_at="01-10"))
        for number, when in enumerate(edges, start=1)
    ]
    leap = merge("m4", 4, "02-28 23:59:59", created_at="01-10")
    body = leap.body.replace(b"23:59:59Z", b"23:59:60Z")
    arrivals.append(("02-28 23:59:59", with_body(leap, body)))
    lab = Lab(arrivals)
    assert lab.counts("2026-01-01", "2026-02-01")["merged"] == 1
    assert lab.counts("2026-02-01", "2026-03-01")["merged"] == 3
    assert lab.counts("2026-01-01", "2026-02-01", tz="America/Los_Angeles")["merged"] == 3
    assert lab.counts("2026-02-01", "2026-03-01", tz="Asia/Kolkata")["merged"] == 3


# L08


def test_l08_the_time_of_a_merge_is_not_when_it_was_noticed_or_last_touched() -> None:
    opened: dict[str, Any] = {"created_at": "05-30"}
    when = "05-31 23:59:40"
    merged_then = {"merged": True, "merged_at": when, "closed_at": when, "state": "closed"}
    touched: dict[str, Any] = {**merged_then, **opened}
    without_date: dict[str, Any] = dict.fromkeys(("merged_at", "closed_at"))
    undated = {"merged": True, "state": "closed", **without_date}
    lab = Lab(
        [
            ("05-30", pull_request("a", 25, "opened", "05-30")),
            ("06-04", merge("b", 25, when, **opened)),
            ("06-05", pull_request("d", 26, "closed", "06-05", created_at="05-29", **undated)),
            ("08-02", pull_request("c", 25, "labeled", "08-02", **touched)),
        ]
    )
    for known_at in ("06-06", "08-03"):
        may = lab.report("2026-05-01", "2026-06-01", known_at=known_at)
        assert [entry.number for entry in may.entries["merged"]] == [25]
        assert [entry.number for entry in may.ledger.undated] == [26]
        assert may.ledger.balance is None
    for month in range(1, 12):
        report = lab.report(f"2026-{month:02}-01", f"2026-{month + 1:02}-01")
        assert 26 not in {entry.number for entry in report.entries["merged"]}


# L10


@pytest.fixture(params=["all deliveries", "the edit is lost"])
def stacked(request: pytest.FixtureRequest) -> Lab:
    def based(branch: str) -> dict[str, Any]:
        return {"base": {"ref": branch, "repo": {"id": 1001}}}

    def headed(branch: str) -> dict[str, Any]:
        return {"head": {"ref": branch, "sha": "a" * 40, "repo": {"id": 1001}}}

    opened = {"created_at": "03-01"}
    parent = {**opened, **headed("feat-a")}
    edit = pull_request("e", 42, "edited", "03-11", **opened, **based("main"), **headed("feat-c"))
    edit = with_parts(
        edit, changes={"base": {"ref": {"from": "feat-a"}, "sha": {"from": "b" * 40}}}
    )
    arrivals = [
        created(),
        ("03-01", pull_request("a", 40, "opened", "03-01", **parent)),
        ("03-01", pull_request("b", 41, "opened", "03-01", **based("feat-a"), **headed("feat-b"))),
        ("03-01", pull_request("c", 42, "opened", "03-01", **based("feat-a"), **headed("feat-c"))),
        ("03-10", merge("d", 41, "03-10", **opened, **based("feat-a"), **headed("feat-b"))),
        (
            "03-12",
            pull_request("f", 40, "closed", "03-12", state="closed", closed_at="03-12", **parent),
        ),
        ("03-13", merge("g", 42, "03-13", **opened, **based("main"), **headed("feat-c"))),
    ]
    if request.param == "all deliveries":
        arrivals.insert(5, ("03-11", edit))
    return Lab(arrivals)


def test_l10_merged_is_not_merged_to_main(stacked: Lab) -> None:
    report = stacked.report("2026-03-01", "2026-04-01")
    assert report.counts["merged"] == 2
    assert report.ledger.by_base["main"]["merged"] == 1
    assert report.ledger.by_base["stacked"]["merged"] == 1
    assert stacked.life(42, as_of="03-10").base == "feat-a"
    assert stacked.life(42, as_of="03-13").base == "main"
