"""Editions, comments and what follows what, on both clocks."""

import random

import pytest
from sqlalchemy import func, select

from projections.roadmap_status.choosing import Choice, KnownRoadmap
from projections.roadmap_status.context import Convention
from projections.roadmap_status.issues import IssueState, standing_at
from projections.roadmap_status.lineage import steps, threads
from projections.roadmap_status.progress import change_log
from projections.roadmap_status.queries import comments_of
from projections.roadmap_status.tables import RoadmapTables
from tests.builders import REPO, at
from tests.projections.release_inclusion.bench import ROLES
from tests.projections.roadmap_status.bench import (
    ROADMAP,
    RoadmapBench,
    closed_issue,
    comment,
    edit,
    issue,
    roadmap,
)

ONE, TWO = "* One\n", "* One\n* Two\n"


def test_a_text_is_kept_once_however_often_it_is_shown() -> None:
    shown = [roadmap(text, f"02-0{day}") for day, text in enumerate((ONE, TWO, ONE), 1)]
    bench = RoadmapBench(*shown, comment(ROADMAP, "02-09", "Fine."))
    with bench.model.snapshot() as snapshot:
        texts = snapshot.tables(RoadmapTables).texts
        count = snapshot.connection.scalar(select(func.count()).select_from(texts))
    # the two texts, the comment, and the empty text that the comment's builder shows
    assert count == 4


def test_editions_are_those_that_were_known() -> None:
    bench = RoadmapBench(roadmap(ONE, "02-01"), ("02-20", roadmap(TWO, "02-10")[1]))
    with bench.desk(as_of="02-15", known_at="02-15") as desk:
        assert len(desk.walk(ROADMAP)) == 1
    with bench.desk(as_of="02-15", known_at="02-25") as desk:
        assert len(desk.walk(ROADMAP)) == 2
        log = change_log(desk, ROADMAP, at("02-05"), at("02-12"))
    assert [(one.kind.value, one.title) for one in log.changes] == [("added", "Two")]


def test_the_order_of_arrival_changes_nothing() -> None:
    arrivals = [roadmap(f"* Item {day}\n", f"02-{day:02}") for day in range(1, 9)]
    expected = RoadmapBench(*arrivals)
    records = [record for _, record in arrivals]
    random.Random(7).shuffle(records)
    shuffled = RoadmapBench(*(("03-01", record) for record in records))
    with expected.desk() as desk, shuffled.desk() as other:
        assert desk.walk(ROADMAP).versions == other.walk(ROADMAP).versions


def editions(bench: RoadmapBench, **moment: str) -> list[tuple[int, str, bool]]:
    with bench.desk(**moment) as desk:
        walk = desk.walk(ROADMAP)
        return [
            (one.version.at, desk.text(one), one.version.reconstructed)
            for one in map(walk.edition, range(len(walk)))
        ]


def test_the_text_that_the_first_seen_edit_replaced_held_since_the_creation() -> None:
    bench = RoadmapBench(edit(ONE, TWO, "02-05"))
    assert editions(bench) == [(at("01-01"), ONE, True), (at("02-05"), TWO, False)]
    with bench.desk() as desk:
        record = desk.walk(ROADMAP).edition(0).version.record_id
        assert record == desk.walk(ROADMAP).edition(1).version.record_id == "edit-02-05"
        assert [
            one.judged.match.item.title for one in desk.view_of(ROADMAP, at("01-20")).items
        ] == ["One"]
    assert [one.number for one in _roadmaps(bench, as_of="01-20")] == [ROADMAP]
    assert editions(bench, as_of="01-20") == [(at("01-01"), ONE, True)]


def _roadmaps(bench: RoadmapBench, **moment: str) -> tuple[KnownRoadmap, ...]:
    with bench.desk(**moment) as desk:
        return desk.roadmaps


def test_an_edit_of_the_title_alone_tells_the_title_before() -> None:
    bench = RoadmapBench(edit(None, ONE, "02-05", title_from="[ROADMAP] Q1", title="Q1 (done)"))
    with bench.desk(as_of="01-20") as desk:
        walk = desk.walk(ROADMAP)
        assert [(one.title, one.reconstructed) for one in walk.versions] == [("[ROADMAP] Q1", True)]
        assert desk.text(walk.edition(0)) == ONE


def test_a_text_that_was_seen_is_never_replaced_by_one_that_an_edit_tells() -> None:
    seen, edited = roadmap(ONE, "02-02", state="open"), edit("* Zero\n", TWO, "02-05")
    for arrivals in ((seen, edited), (edited, ("02-20", seen[1]))):
        assert editions(RoadmapBench(*arrivals)) == [
            (at("02-02"), ONE, False),
            (at("02-05"), TWO, False),
        ]
    late = RoadmapBench(edited, ("02-20", seen[1]))
    assert editions(late, known_at="02-10")[0] == (at("01-01"), "* Zero\n", True)


def test_an_edit_that_tells_nothing_of_before_leaves_the_time_before_unknown() -> None:
    assert editions(RoadmapBench(edit(None, ONE, "02-05"))) == [(at("02-05"), ONE, False)]
    emptied = RoadmapBench(edit("", ONE, "02-05"))
    assert editions(emptied)[0] == (at("01-01"), "", True)


def test_comments_are_edited_and_deleted() -> None:
    bench = RoadmapBench(
        issue(7, "02-01"),
        comment(7, "02-02", "First", own=1),
        comment(7, "02-03", "Second", own=2),
        comment(7, "02-04", "First, mended", "edited", own=1),
        comment(7, "02-05", "Second", "deleted", own=2),
    )

    def texts(moment: str) -> list[str]:
        with bench.model.snapshot() as snapshot:
            return [one.text for one in comments_of(snapshot, REPO, 7, at(moment), at("03-01"))]

    assert sorted(texts("02-03")) == ["First", "Second"]
    assert texts("02-06") == ["First, mended"]


def test_a_later_sight_proves_an_earlier_close() -> None:
    closing = closed_issue(7, "02-10")[1]
    bench = RoadmapBench(issue(7, "02-01"), ("02-20", closing))
    with bench.desk() as desk:
        desk._gather([7])
        seen = desk._facts[7].issue
    for moment, state in (("02-05", IssueState.OPEN), ("02-11", IssueState.COMPLETED)):
        found = standing_at(seen, at(moment))
        assert found is not None
        assert found.state is state


def test_a_successor_is_named_in_the_closing_comment_and_what_slipped_is_counted() -> None:
    texts = {
        50: "* **Big goal** — planned\n* **Small one** — done\n",
        51: "* **Big goal** — planned\n",
    }
    bench = RoadmapBench(
        roadmap(texts[50], "02-01", 50),
        roadmap(texts[51], "03-01", 51),
        comment(50, "03-02", "Continued in #51.", own=1),
        roadmap(texts[50], "03-03", 50),
        roadmap(texts[51], "04-01", 52),
        comment(51, "04-02", "This is continued in #52.", own=2),
        roadmap(texts[51], "04-03", 51),
    )
    with bench.desk() as desk:
        for number in (50, 51, 52):
            chain = steps(desk, number)
            assert [(one.old, one.new) for one in chain] == [(50, 51), (51, 52)]
        (thread,) = threads(desk, chain)
    assert (thread.title, thread.slipped) == ("Big goal", 2)
    assert [number for number, _ in thread.places] == [50, 51, 52]
    with bench.desk(as_of="03-10", known_at="03-10") as desk:
        assert [(one.old, one.new) for one in steps(desk, 50)] == [(50, 51)]


@pytest.mark.parametrize(
    ("choice", "expected"),
    [
        (None, [50, 51]),
        (Choice(issues=(53,)), [53]),
        (Choice(label="plan"), [52]),
        (Choice(title="plan *"), [54]),
        (Choice(title="[roadmap]"), [50, 51]),
    ],
)
def test_roadmaps_are_named_or_found(choice: Choice | None, expected: list[int]) -> None:
    bench = RoadmapBench(
        roadmap(ONE, number=50),
        issue(51, "02-01", title="[Roadmap] next"),
        issue(52, "02-01", labels=[{"name": "Plan"}]),
        issue(53, "02-01"),
        issue(54, "02-01", title="Plan 2026"),
        convention=Convention(roles=ROLES, choices=(choice,) if choice else ()),
    )
    with bench.desk() as desk:
        assert [one.number for one in desk.roadmaps] == expected
