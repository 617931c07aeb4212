"""Statuses at (T, K), case by case."""

import pytest

from events.facts.roadmap import RoadmapItemDecided
from events.sources.authored import author
from tests.builders import REPO, at
from tests.projections.release_inclusion.bench import Arrival, git, merged, opened
from tests.projections.release_inclusion.histories import Written
from tests.projections.roadmap_status.bench import (
    ROADMAP,
    RoadmapBench,
    closed_issue,
    issue,
    roadmap,
    sub_issue,
)
from tests.services.answers.releases.desk import closed


def merges() -> list[Arrival]:
    """#1 and #2 are on main, #3 on dev, #4 open, #5 a draft, #6 closed, #7 reverted by #8."""
    return [
        merged(1, None, "01-05", title="Add the first thing"),
        merged(2, None, "01-06", title="Add the second thing"),
        merged(3, None, "01-07", title="Add the third thing", base={"ref": "dev"}),
        opened(4, "01-08", title="Add the fourth thing"),
        opened(5, "01-08", title="Add the fifth thing", draft=True),
        opened(6, "01-08", title="Add the sixth thing"),
        closed(6, "01-09"),
    ]


CASES = [
    ("all merged", "#1 #2", "delivered on main"),
    ("on dev alone", "#3", "delivered on dev"),
    ("here and there", "#1 #3", "delivered on main and dev"),
    ("some open", "#1 #4", "partly delivered on main"),
    ("open", "#4", "in progress"),
    ("a draft", "#5", "in progress"),
    ("closed", "#6", "closed, unmerged"),
    ("a closed attempt does not count", "#1 #6", "delivered on main"),
    ("nothing is known", "#99", "unknown"),
    ("one unknown foreign link blocks nothing", "#1 other/repo#3", "delivered on main"),
    ("only a foreign link", "other/repo#3", "unknown"),
    ("nothing linked and nothing said", "", "unknown"),
    ("an unknown one beside a merged one", "#1 #99", "partly delivered on main"),
]


@pytest.mark.parametrize(("name", "links", "expected"), CASES, ids=[case[0] for case in CASES])
def test_a_status_follows_from_the_links(name: str, links: str, expected: str) -> None:
    lines = "".join(f"  * {link}\n" for link in links.split())
    bench = RoadmapBench(*merges(), roadmap(f"* **Thing**\n{lines}"))
    assert bench.told("Thing") == expected, name


def test_a_status_is_that_of_its_moment_on_both_clocks() -> None:
    bench = RoadmapBench(
        opened(4, "01-08"),
        roadmap("* **Thing**\n  * #4\n", "01-09"),
        merged(4, None, "01-20", created_at="01-08"),
    )
    assert bench.told("Thing", as_of="01-19") == "in progress"
    assert bench.told("Thing", as_of="01-20") == "delivered on main"
    assert bench.told("Thing", as_of="01-25", known_at="01-19 12:00:00") == "in progress"
    status = bench.item("Thing").judged.status
    assert (status.since, status.record_id) == (at("01-20"), "merged-4")


def test_in_progress_beside_merged_links_is_a_foundation() -> None:
    bench = RoadmapBench(*merges(), roadmap("* **Thing** — in progress\n  * #1\n"))
    assert bench.told("Thing") == "foundation delivered on main"
    assert bench.hints("Thing") == ["ALL_MERGED"]
    assert bench.drifts("Thing") == []


def test_a_child_with_its_own_status_is_judged_alone_and_others_roll_up() -> None:
    text = "* **Parent**\n  * #1\n  * **Said** — in progress\n    * #4\n  * **Unsaid**\n    * #3\n"
    bench = RoadmapBench(*merges(), roadmap(text))
    assert bench.told("Parent") == "delivered on main and dev"
    assert bench.told("Said") == "in progress"
    assert bench.told("Unsaid") == "delivered on dev"
    assert [part.name for part in bench.item("Parent").judged.counted] == ["#1", "#3"]


def test_a_parent_without_links_is_what_its_items_are() -> None:
    text = "* **Parent**\n  * **One** — done\n    * #1\n  * **Two** — open\n    * #4\n"
    bench = RoadmapBench(*merges(), roadmap(text))
    assert bench.told("Parent") == "partly delivered on main"


def restored() -> Written:
    """#7 lands, is reverted by #8, and comes back as #9, which no commit says."""
    history = Written()
    history.commit("a", subject="Start (#1)", at=at("01-01"))
    history.commit("f", "a", subject="Add fused attention (#7)", at=at("01-02"))
    history.commit("r", "f", subject='Revert "Add fused attention (#7)" (#8)', at=at("01-03"))
    history.commit("b", "r", subject="Bring fused attention to life (#9)", at=at("01-04"))
    history.branches = {"main": "b"}
    return history


def test_a_restored_link_does_not_leave_the_item_reverted() -> None:
    said = "* **Thing** — delivered\n  * #9 (restores #7 after the earlier revert)\n  * #7\n"
    gone = "* **Gone** — delivered\n  * #7\n"
    bench = RoadmapBench(*git(restored(), "01-10"), roadmap(said + gone))
    assert bench.told("Thing") == "delivered on main"
    assert bench.told("Gone") == "reverted"
    assert bench.drifts("Gone") == ["claimed delivered, reverted"]
    assert bench.item("Gone").judged.status.since == at("01-03")


def test_a_title_tells_what_it_brings_back() -> None:
    history = restored()
    history.commit("c", "b", subject="Re-add fused attention (#10)", at=at("01-05"))
    history.branches = {"main": "c"}
    titled = [
        merged(7, "f", "01-02", title="Add fused attention"),
        merged(10, "c", "01-05", title="Re-add fused attention"),
    ]
    text = "* **Thing**\n  * #7\n  * #10\n"
    bench = RoadmapBench(*titled, *git(history, "01-10"), roadmap(text))
    assert bench.told("Thing") == "delivered on main"


def test_boxes_and_issues_are_both_kept_r08() -> None:
    text = "- [ ] #60\n- [x] #61\n- [x] #62\n- [x] write docs\n- [ ] more docs\n"
    bench = RoadmapBench(
        *(issue(number, "01-02") for number in (60, 61, 62)),
        closed_issue(60, "01-10"),
        closed_issue(61, "01-10"),
        issue(61, "01-20", "reopened"),
        closed_issue(62, "01-10"),
        roadmap(text),
    )
    assert (bench.told("#60"), bench.drifts("#60")) == ("done", ["delivered, claimed open"])
    assert (bench.told("#61"), bench.drifts("#61")) == ("open", ["claimed delivered, not there"])
    assert (bench.told("#62"), bench.drifts("#62")) == ("done", [])
    assert (bench.told("write docs"), bench.told("more docs")) == ("done", "open")
    assert bench.drifts("write docs") == []


def test_a_closed_issue_that_reopens_takes_the_roadmap_back_r11() -> None:
    denying = merged(93, None, "02-10 10:00:00", body="This does not fix #94")
    bench = RoadmapBench(
        issue(94, "01-02"),
        roadmap("* **Fix it** #94\n", "02-01"),
        denying,
        closed_issue(94, "02-10 10:00:02"),
        issue(94, "02-10 12:00:00", "reopened"),
    )
    assert bench.told("Fix it", as_of="02-10 11:00:00") == "done"
    assert bench.told("Fix it", as_of="02-10 13:00:00") == "open"
    board = bench.item("Fix it", as_of="02-10 13:00:00")
    assert board.judged.status.record_id == "issue-94-reopened-02-10 12:00:00"
    assert [part.name for part in board.judged.parts] == ["#94"]


@pytest.mark.parametrize(
    ("reason", "expected"), [("completed", "done"), ("not_planned", "closed, not planned")]
)
def test_an_issue_decides_where_it_is_all_that_is_linked(reason: str, expected: str) -> None:
    bench = RoadmapBench(
        issue(60, "01-02"), closed_issue(60, "01-10", reason), roadmap("* **Thing** #60\n")
    )
    assert bench.told("Thing") == expected


def test_sub_issues_are_looked_into_and_cycles_end() -> None:
    bench = RoadmapBench(
        *(issue(number, "01-02") for number in (60, 61, 62)),
        sub_issue(60, 61, "01-03"),
        sub_issue(61, 62, "01-03"),
        sub_issue(62, 60, "01-03"),
        closed_issue(62, "01-10"),
        roadmap("* **Thing** #60\n"),
    )
    assert bench.told("Thing") == "partly delivered"
    assert bench.item("Thing").judged.status.left == ("#60", "#61")


def test_nested_roadmaps_count_and_two_that_name_each_other_end() -> None:
    bench = RoadmapBench(
        *merges(),
        roadmap("* **Inner** see roadmap #51\n", "02-01", 50),
        roadmap("* **Done**\n  * #1\n* **Back** see roadmap #50\n", "02-01", 51),
    )
    assert bench.told("Inner") == "partly delivered on main"


def decided(when: str, item: str, **fields: object) -> Arrival:
    values = {"author": "dev-a", "reason": "looked at it", "decided_at": at(when), **fields}
    fact = RoadmapItemDecided(number=ROADMAP, item=item, **values)  # type: ignore[arg-type]
    return when, author(REPO, fact, time=at(when))


def test_a_person_decides_what_a_link_is_and_takes_it_back() -> None:
    before = [*merges(), roadmap("* **Thing**\n  * #1\n  * #4\n")]
    own = RoadmapBench(*before).item("Thing").judged.id
    mention = decided("02-05", own, link="#4", role="mention")
    taken_back = decided("02-06", own, link="#4")
    bench = RoadmapBench(*before, mention, taken_back)
    assert bench.told("Thing", known_at="02-05 12:00:00") == "delivered on main"
    assert bench.told("Thing") == "partly delivered on main"
    status = RoadmapBench(*before, decided("02-05", own, status="closed, not planned"))
    assert status.told("Thing") == "closed, not planned"
    assert status.item("Thing").judged.status.basis.value == "decision"
