"""The tree of items: what is one, and what belongs to it."""

from projections.roadmap_status.items.links import LinkKind, LinkRole
from projections.roadmap_status.items.parse import read_roadmap
from projections.roadmap_status.items.successors import Relation, named_roadmaps
from projections.roadmap_status.items.titles import Series
from projections.roadmap_status.reading import Reader
from projections.roadmap_status.words.states import State
from tests.projections.roadmap_status.reading_roadmaps import READER, numbers, only, roadmap


def test_bullets_that_are_only_links_belong_to_the_item_above() -> None:
    item = only("- **A** - It uses #9.\n  - [dev] part one [2/5] #1 (a note)\n  - #2\n  - See #3")
    assert numbers(item, LinkRole.IMPLEMENTING) == ["#1", "#2"]
    assert numbers(item, LinkRole.TRACKING) == ["#3"]
    assert numbers(item, LinkRole.MENTION) == ["#9"]
    first = next(link for link in item.links if link.reference.number == 1)
    assert (first.note, first.series) == ("a note", Series(2, 5))


def test_a_nested_bullet_with_its_own_status_or_box_is_an_item() -> None:
    (item,) = roadmap("- A\n  - B #1 — delivered - x\n  - [ ] C #2\n  - D #3\n  - ✅ #4").items
    assert [child.title for child in item.children] == ["B", "C", "✅ #4"]
    assert numbers(item) == ["#3"]


def test_without_a_list_of_links_those_in_sentences_implement() -> None:
    item = only("- A - done with #1, blocked by #2, tracked in #3, see the roadmap #4")
    roles = [(str(link.reference), link.role) for link in item.links]
    assert roles == [
        ("#1", LinkRole.IMPLEMENTING),
        ("#2", LinkRole.MENTION),
        ("#3", LinkRole.TRACKING),
        ("#4", LinkRole.TRACKING),
    ]
    assert item.links[3].kind is LinkKind.ROADMAP


def test_known_roadmaps_are_nested_roadmaps() -> None:
    reader = Reader(READER.names, roadmaps=frozenset({("", 5)}))
    item = read_roadmap("- A #5", reader).items[0]
    assert item.links[0].kind is LinkKind.ROADMAP


def test_series_owners_and_flags_are_read_and_left_out_of_the_title() -> None:
    item = only(r"- \* **Import (2/5)** @dev-a @acme/core - mail me@example.test or `@code`")
    assert (item.title, item.series, item.flag) == ("Import", Series(2, 5), "*")
    assert item.owners == ("dev-a", "acme/core")
    assert only("- Import Part 1/N #7").series == Series(1, None)
    assert only("- Import (1/4 of #9)").series == Series(1, 4, 9)


def test_sections_are_headings_bold_lines_and_summaries_without_their_status() -> None:
    text = "# Plan\n\n## Q3 (26.08 shipped)\n\n**MoE**\n\n- A\n\n## Q4\n\n- B\n"
    assert [(item.title, item.section) for item in roadmap(text).walk()] == [
        ("A", ("Plan", "Q3", "MoE")),
        ("B", ("Plan", "Q4")),
    ]


def test_a_heading_alone_with_its_status_is_an_item() -> None:
    read = roadmap("## A ✅\n\nText.\n\n## B (done)\n\n- C\n\n## D\n")
    assert [(item.title, item.claim.state) for item in read.walk()] == [
        ("A", State.DELIVERED),
        ("C", State.NONE),
    ]


def test_sections_that_are_no_plan_give_only_boxes() -> None:
    read = roadmap("## How to provide feedback\n\n1. React.\n2. Comment on #5.\n- [ ] Do this\n")
    assert [item.title for item in read.walk()] == ["Do this"]
    assert [str(link.reference) for link in read.loose] == ["#5"]


def test_successors_and_predecessors_are_named_in_text() -> None:
    text = "Closing in favour of #9: what is left is continued in #10.\n\nPrevious roadmap: #3."
    found = {str(one.reference): one.relation for one in named_roadmaps(text, READER)}
    assert found == {
        "#9": Relation.SUCCESSOR,
        "#10": Relation.SUCCESSOR,
        "#3": Relation.PREDECESSOR,
    }
