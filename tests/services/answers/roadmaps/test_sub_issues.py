"""Sub-issues of roadmaps and of the issues in them: all listed, each once."""

import json

from tests.builders import webhook
from tests.projections.release_inclusion.bench import Arrival
from tests.projections.roadmap_status.bench import (
    RoadmapBench,
    closed_issue,
    issue,
    roadmap,
    sub_issue,
)

ISSUES = [issue(number, "01-02") for number in (60, 61, 62, 63)]


def foreign(parent: int, child: int, when: str) -> Arrival:
    """Return a `sub_issues` delivery of a child in another repository."""
    _, record = sub_issue(parent, child, when)
    body = json.loads(record.body)
    body["parent_issue_repo"] = body["repository"]
    body["sub_issue_repo"] = {**body["repository"], "id": 2002, "full_name": "Acme/Gadget"}
    return when, webhook(f"foreign-{when}", "sub_issues", body)


def test_the_parts_of_a_roadmap_issue_are_listed_and_those_of_items_are_not_repeated() -> None:
    bench = RoadmapBench(
        *ISSUES,
        roadmap("- [ ] Thing #60\n"),
        *(sub_issue(50, child, "02-02") for child in (60, 61, 62)),
        sub_issue(50, 62, "02-03"),
        sub_issue(50, 50, "02-03"),
        sub_issue(61, 63, "02-03"),
        sub_issue(63, 50, "02-03"),
        sub_issue(63, 61, "02-04"),
        foreign(50, 7, "02-05"),
        closed_issue(62, "02-06"),
    )
    board = bench.board()
    assert [(str(p.reference), p.parent, p.state.outcome.value) for p in board.sub_issues] == [
        ("#61", 50, "issue open"),
        ("#63", 61, "issue open"),
        ("#62", 50, "issue completed"),
        ("acme/gadget#7", 50, "unknown"),
    ]


def test_the_parts_of_an_item_are_listed_once_without_the_item_itself() -> None:
    bench = RoadmapBench(
        *ISSUES,
        roadmap("- [ ] Thing #60 #61\n- [ ] Other #62\n"),
        sub_issue(60, 61, "02-02"),
        sub_issue(60, 62, "02-02"),
        sub_issue(61, 62, "02-02"),
        sub_issue(62, 60, "02-02"),
        sub_issue(62, 62, "02-02"),
        closed_issue(62, "02-06"),
    )
    thing = bench.item("Thing")
    assert [str(part.reference) for part in thing.sub_issues] == ["#62"]
    assert thing.judged.status.left == ("#60", "#61")
    other = bench.item("Other")
    assert [str(part.reference) for part in other.sub_issues] == ["#60", "#61"]


def test_a_part_that_was_taken_out_again_is_not_listed() -> None:
    bench = RoadmapBench(
        *ISSUES,
        roadmap("Only parts.\n"),
        sub_issue(50, 60, "02-02"),
        sub_issue(50, 60, "02-03", linked=False),
    )
    assert bench.board().sub_issues == ()
    assert [str(p.reference) for p in bench.board(as_of="02-02 12:00:00").sub_issues] == ["#60"]
