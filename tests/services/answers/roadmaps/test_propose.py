"""Proposals: a roadmap's own text, with only the status words changed."""

import pytest

from events.errors import InvalidQuestion
from services.answers.roadmaps.propose import Proposal, propose
from tests.projections.roadmap_status.bench import RoadmapBench, issue, roadmap
from tests.projections.roadmap_status.test_statuses import merges

SMILE = "é 😀"


def proposed(text: str) -> Proposal:
    bench = RoadmapBench(*merges(), issue(60, "01-02"), roadmap(text))
    with bench.desk() as desk:
        board = desk.view_of(50)
        return propose(board, desk.text(board.edition), desk.drift_context)


CASES = [
    ("* **A** — planned\n  * #1\n", "* **A** — delivered on main\n  * #1\n"),
    ("* **A** — planned\r\n  * #1\r\n", "* **A** — delivered on main\r\n  * #1\r\n"),
    ("* **A** — delivered\n  * #3\n", "* **A** — delivered on dev\n  * #3\n"),
    ("* **A** — delivered\n  * #5", "* **A** — in progress (draft)\n  * #5"),
    (
        "* **A** — delivered\n  * #1 \n  * #4\n",
        "* **A** — partly delivered on main\n  * #1 \n  * #4\n",
    ),
    (f"* {SMILE} **A** — planned #1\n", f"* {SMILE} **A** — delivered on main #1\n"),
    ("- [x] A #60\n", "- [ ] A #60\n"),
    ("- [ ] A #1\n", "- [x] A #1\n"),
    ("* **A** — in progress\n  * #4\n", "* **A** — in progress\n  * #4\n"),
    ("* **A** — planned\n  * #99\n", "* **A** — planned\n  * #99\n"),
    ("* **A** - The port (#1) remains open.\n", "* **A** - The port (#1) remains open.\n"),
]


@pytest.mark.parametrize(("text", "expected"), CASES)
def test_only_proved_status_words_change(text: str, expected: str) -> None:
    assert proposed(text).after == expected


def test_what_cannot_be_changed_by_itself_is_named() -> None:
    found = proposed("* **A** #1\n\n  Status: planned\n")
    assert found.patch == ""
    assert found.left == ("A",)


def test_a_patch_is_refused_by_a_text_that_has_changed() -> None:
    found = proposed("* **A** — planned\n  * #1\n")
    assert found.patch.startswith(f"# for the text {found.digest}\n--- a/roadmap-50.md\n")
    assert found.apply(found.before) == found.after
    with pytest.raises(InvalidQuestion, match="has changed since"):
        found.apply(found.before + "\n")


def test_nothing_to_change_is_no_patch() -> None:
    assert proposed("* **A** — planned\n").patch == ""
