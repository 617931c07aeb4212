"""What a text takes back: how it is struck through, and what a dropped item is everywhere."""

import pytest

from projections.roadmap_status.items.item import Standing
from projections.roadmap_status.lineage import carry_over
from projections.roadmap_status.progress import series
from projections.roadmap_status.release_matrix import matrix
from services.answers.roadmaps.propose import propose
from tests.builders import at
from tests.projections.release_inclusion.bench import opened
from tests.projections.roadmap_status.bench import RoadmapBench, closed_issue, issue, roadmap
from tests.projections.roadmap_status.reading_roadmaps import only
from tests.projections.roadmap_status.reading_roadmaps import roadmap as read
from tests.projections.roadmap_status.test_statuses import merges

STRUCK = [
    "~Old sampler #31~",
    "~~Old sampler #31~~",
    "~~Old sampler~~ #31",
    "~Old~ ~~sampler #31~~",
    "~~**Old** sampler #31~~",
    "**~Old sampler~** #31",
    "<del>Old sampler #31</del>",
    "<s>Old sampler</s> #31",
    "<strike>Old sampler</strike> (#31)",
    "~~Old sampler (~30 ms) #31~~",
    "~~Old sampler #31~~ superseded by #32",
    "~~Old sampler #31~~ moved to Q4",
    "~~Old sampler #31~~ out of scope",
    "~~#31~~ out of scope",
    "~~#31~~ (out of scope)",
    "~~Old sampler #31~~ — not planned",
    "~~Old\n  sampler #31~~",
]
KEPT = [
    "lower latency from ~30 ms to ~20 ms #31",
    "takes 1~2 weeks, then 3~4 days #31",
    "~~~Old sampler #31~~~",
    "~~Old~~ New sampler #31",
    "~~Old sampler~ #31",
    "\\~Old sampler\\~ #31",
    "`~~Old sampler~~` #31",
    "~ Old sampler ~ #31",
]


@pytest.mark.parametrize("box", ["", "[ ] ", "[x] "])
@pytest.mark.parametrize("text", STRUCK)
def test_what_is_struck_through_is_dropped_under_any_box(text: str, box: str) -> None:
    assert only(f"- {box}{text}\n").standing is Standing.DROPPED
    board = RoadmapBench(roadmap(f"- {box}{text}\n")).board()
    assert [item.judged.status.kind.value for item in board.items] == ["dropped"]


@pytest.mark.parametrize("text", KEPT)
def test_signs_for_about_ranges_and_parts_drop_nothing(text: str) -> None:
    assert only(f"- [ ] {text}\n").standing is Standing.NOT_DONE


def test_raw_html_strikes_all_that_stands_between_its_tags() -> None:
    inside = "- [ ] Inside #31\n  - [ ] Nested #32\n"
    text = f"- [ ] Before\n\n<del>\n\n{inside}\n</del>\n\n- [ ] After\n"
    standings = {item.title: item.standing for item in read(text).walk()}
    assert standings == {
        "Before": Standing.NOT_DONE,
        "Inside": Standing.DROPPED,
        "Nested": Standing.DROPPED,
        "After": Standing.NOT_DONE,
    }
    unended = read("<del>\n\n- [ ] Inside\n")
    assert [item.standing for item in unended.walk()] == [Standing.NOT_DONE]


def test_a_dropped_item_is_not_waited_for_and_brings_nothing() -> None:
    text = "* **All**\n  * **Done**\n    * #1\n  * ~~Gone #4~~\n* **None**\n  * ~~Gone~~\n"
    bench = RoadmapBench(*merges(), roadmap(text))
    assert bench.told("All") == "delivered on main"
    assert bench.told("None") == "dropped"


def test_what_is_below_a_dropped_item_stands_for_itself() -> None:
    bench = RoadmapBench(*merges(), roadmap("* ~~Parent~~\n  * **Child**\n    * #1\n"))
    assert (bench.told("Parent"), bench.told("Child")) == ("dropped", "delivered on main")


def test_facts_contradict_what_is_dropped() -> None:
    text = (
        "- [ ] ~~There #1~~\n- [ ] ~~Open #4~~\n- [ ] ~~Shut #6~~\n- ~~Beside~~ #2\n"
        "- **Said** — out of scope\n  - #6\n"
    )
    bench = RoadmapBench(*merges(), roadmap(text))
    assert bench.told("There") == bench.told("Open") == bench.told("Shut") == "dropped"
    assert bench.drifts("There") == ["delivered, claimed dropped"]
    assert bench.drifts("Open") == ["stale"]
    assert bench.drifts("Shut") == []
    assert (bench.told("Said"), bench.drifts("Said")) == ("dropped", [])
    assert bench.told("Beside") == "delivered on main"
    assert bench.drifts("Beside") == ["delivered, claimed dropped"]
    (drift,) = bench.item("Beside").drift
    assert drift.text == "the text says dropped (struck through), and it is delivered on main"


def test_a_struck_issue_agrees_once_it_is_not_planned() -> None:
    bench = RoadmapBench(
        issue(60, "01-02"),
        issue(61, "01-02"),
        closed_issue(60, "01-10", "not_planned"),
        roadmap("- [ ] ~~First #60~~\n- [x] ~~Second #61~~\n"),
    )
    assert (bench.told("First"), bench.drifts("First")) == ("dropped", [])
    assert (bench.told("Second"), bench.drifts("Second")) == ("dropped", ["stale"])
    assert "CONTRADICTS_ITSELF" not in bench.hints("First")


def test_dropped_is_counted_over_time_and_shown_in_the_matrix() -> None:
    bench = RoadmapBench(opened(4, "01-08"), roadmap("- [ ] ~~Old #4~~\n"))
    with bench.desk() as desk:
        (point,) = series(desk, 50, [at("02-02")])
        assert {kind.value: n for kind, n in point.statuses.items()} == {"dropped": 1}
        (row,) = matrix(desk, desk.view_of(50))
        assert (row.landings, row.first, row.after) == ((), None, None)


def test_what_was_dropped_does_not_slip_and_is_not_left_open() -> None:
    texts = "- [ ] ~~Gone thing #31~~\n- [ ] Open thing #32\n- [ ] ~~Kept thing #33~~\n"
    old, new = RoadmapBench(roadmap(texts)), RoadmapBench(roadmap("- [ ] Kept thing #33\n"))
    sides = [[item.judged.match.known for item in bench.board().items] for bench in (old, new)]
    over = carry_over(*sides)
    gone, left, _ = (known.id for known in sides[0])
    assert (over.left_dropped, over.left_open, over.left_done) == ((gone,), (left,), ())
    assert [carried.slipped for carried in over.carried] == [False]


def test_no_patch_takes_a_strike_away() -> None:
    text = "- [ ] ~~Beside~~ #1\n"
    bench = RoadmapBench(*merges(), roadmap(text))
    with bench.desk() as desk:
        made = propose(desk.view_of(50), text, desk.drift_context)
    assert (made.patch, made.left) == ("", ("Beside",))
