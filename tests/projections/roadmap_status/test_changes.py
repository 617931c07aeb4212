"""What changed between two versions, and what a successor carried over."""

import pytest

from projections.roadmap_status.editions.changes import ChangeKind, changes
from projections.roadmap_status.editions.identity import match
from projections.roadmap_status.editions.pairing import IdentifiedItem, Method
from projections.roadmap_status.lineage import carry_over
from tests.projections.roadmap_status.reading_roadmaps import roadmap


def known(
    text: str, before: list[IdentifiedItem] | None = None, name: str = "r"
) -> list[IdentifiedItem]:
    return [one.known for one in match(name, before or [], roadmap(text).items)]


@pytest.mark.parametrize(
    ("before", "after", "expected"),
    [
        ("- A #1", "- A #1", []),
        ("- A #1", "- A #1\n- B #2", [(ChangeKind.ADDED, "", "B")]),
        ("- A #1\n- B #2", "- A #1", [(ChangeKind.REMOVED, "B", "")]),
        ("- Old name #1", "- New title #1", [(ChangeKind.REWORDED, "Old name", "New title")]),
        ("- **A** - b c #1", "- **A** - d e #1",
         [(ChangeKind.REWORDED, "A - b c #1", "A - d e #1")]),
        ("# X\n- A #1", "# Y\n- A #1", [(ChangeKind.MOVED, "X", "Y")]),
        ("- A — in progress - b #1", "- A — delivered on main - b #1",
         [(ChangeKind.CLAIM_CHANGED, "in progress", "delivered on main")]),
        ("- [ ] A #1", "- [x] A #1",
         [(ChangeKind.CLAIM_CHANGED, "not done", "delivered"), (ChangeKind.TICKED, "", "")]),
        ("- A\n  - #1", "- A\n  - #1\n  - #2", [(ChangeKind.LINK_ADDED, "", "#2")]),
        ("- A\n  - #1\n  - #2", "- A\n  - #2", [(ChangeKind.LINK_REMOVED, "#1", "")]),
        ("- **A** - The port (#1) remains open.", "- **A** - The port (#1) merged on main.",
         [(ChangeKind.LINK_CLAIM_CHANGED, "#1 open", "#1 delivered on main")]),
    ],
)  # fmt: skip
def test_each_kind_of_change_is_told_once(
    before: str, after: str, expected: list[tuple[ChangeKind, str, str]]
) -> None:
    old = known(before)
    found = changes(old, known(after, old))
    assert [(one.kind, one.before, one.after) for one in found] == expected


def test_a_successor_carries_items_over_with_the_evidence() -> None:
    old = known("- A #1 — in progress\n- B #2 — done\n- C thing #3 — planned\n- D #4", name="q3")
    new = known("- A again #1\n- B #2\n- E #5", name="q4")
    over = carry_over(old, new)
    by_id = {one.id: one.item.title for one in (*old, *new)}
    carried = {(by_id[c.old], by_id[c.new], c.method, c.slipped) for c in over.carried}
    assert carried == {("A", "A again", Method.LINKS, True), ("B", "B", Method.SAME, False)}
    assert [by_id[one] for one in over.left_open] == ["C thing", "D"]
    assert over.left_done == ()
    assert [by_id[one] for one in over.fresh] == ["E"]


def test_every_item_of_both_roadmaps_is_in_one_place() -> None:
    old = known("- A #1\n  - [ ] B #2\n    - [x] C #3\n- D", name="q3")
    new = known("- D\n  - [ ] B #2\n- F", name="q4")
    over = carry_over(old, new)
    gone = [c.old for c in over.carried] + [*over.left_done, *over.left_open]
    come = [c.new for c in over.carried] + [*over.fresh]
    assert sorted(gone) == sorted(one.id for one in old)
    assert sorted(come) == sorted(one.id for one in new)
