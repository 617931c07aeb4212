"""Linked issues that were transferred or deleted."""

import json
from typing import Any

import pytest

from events.instant import format_instant
from tests.builders import at, repository, webhook
from tests.projections.release_inclusion.bench import Arrival
from tests.projections.roadmap_status.bench import RoadmapBench, closed_issue, issue, roadmap

THING = roadmap("- **Thing** #60\n", "02-01")


def transferred(number: int, when: str, to: tuple[str, int, int]) -> Arrival:
    """Return the delivery of a transfer to (name, id of the repository, number there)."""
    _, record = issue(number, when, "transferred")
    body = json.loads(record.body)
    body["changes"] = {
        "new_issue": {"id": 1, "number": to[2]},
        "new_repository": {"id": to[1], "full_name": to[0]},
    }
    return when, webhook(f"transferred-{number}-{when}", "issues", body)


def elsewhere(name: str, own: int, number: int, when: str, action: str, **fields: Any) -> Arrival:
    """Return a delivery about an issue of another repository."""
    _, record = issue(number, when, action, **fields)
    body = json.loads(record.body)
    place, bare = repository(), name.partition("/")[2]
    body["repository"] = {**place, "id": own, "name": bare, "full_name": name}
    return when, webhook(f"{name}-{number}-{when}", "issues", body)


def closed_there(name: str, own: int, number: int, when: str) -> Arrival:
    closed = {"state": "closed", "state_reason": "completed", "closed_at": format_instant(at(when))}
    return elsewhere(name, own, number, when, "closed", **closed)


GADGET = ("acme/gadget", 2002)
MOVED = [issue(60, "01-02"), transferred(60, "01-10", (*GADGET, 3))]


def test_a_transferred_issue_is_followed_to_where_it_went() -> None:
    bench = RoadmapBench(
        *MOVED,
        elsewhere(*GADGET, 3, "01-10", "opened"),
        closed_there(*GADGET, 3, "02-10"),
        THING,
    )
    assert bench.told("Thing", as_of="02-05") == "open"
    assert bench.told("Thing", as_of="02-11") == "done"
    (part,) = bench.item("Thing").judged.parts
    assert str(part.state.moved_to) == "acme/gadget#3"
    assert part.state.since == at("02-10")


def test_an_issue_that_went_to_where_nothing_is_recorded_is_unresolved() -> None:
    bench = RoadmapBench(*MOVED, THING)
    assert bench.told("Thing") == "unknown"
    assert bench.hints("Thing") == ["UNRESOLVED"]
    (part,) = bench.item("Thing").judged.parts
    assert (part.state.outcome.value, str(part.state.moved_to)) == ("unresolved", "acme/gadget#3")


def test_a_second_transfer_is_followed_and_one_in_a_circle_ends() -> None:
    second = elsewhere(*GADGET, 3, "01-20", "transferred")
    body = json.loads(second[1].body)
    body["changes"] = {
        "new_issue": {"number": 9},
        "new_repository": {"full_name": "acme/third"},
    }
    onward = ("01-20", webhook("onward", "issues", body))
    done = closed_there("acme/third", 2003, 9, "01-25")
    bench = RoadmapBench(*MOVED, elsewhere(*GADGET, 3, "01-10", "opened"), onward, done, THING)
    assert bench.told("Thing") == "done"
    body["changes"]["new_issue"]["number"] = 60
    body["changes"]["new_repository"]["full_name"] = "acme/widget"
    back = ("01-20", webhook("back", "issues", body))
    circle = RoadmapBench(*MOVED, elsewhere(*GADGET, 3, "01-10", "opened"), back, THING)
    assert circle.told("Thing") == "unknown"


@pytest.mark.parametrize("before", [(), (closed_issue(60, "01-05"),)], ids=["open", "closed"])
def test_a_deleted_issue_is_unresolved_from_then_on(before: tuple[Arrival, ...]) -> None:
    deleted = issue(60, "02-10", "deleted")
    bench = RoadmapBench(issue(60, "01-02"), *before, THING, deleted)
    assert bench.told("Thing", as_of="02-05") == ("done" if before else "open")
    assert bench.told("Thing", as_of="02-11") == "unknown"
    assert bench.hints("Thing") == ["UNRESOLVED"]
