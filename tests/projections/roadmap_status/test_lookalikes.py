"""Boxes that GitHub shows as text: each is told with its line, none is taken for done or open."""

# ruff: noqa: RUF001 -- characters that look like others are what is tested

import time

import pytest

from projections.roadmap_status.reading import Box, Doubt
from tests.projections.roadmap_status.reading_roadmaps import roadmap

NB, WIDE = "\u00a0", "\u3000"
IN_A_LIST = [
    f"- [{NB}] thing",
    f"- [{WIDE}] thing",
    "- [&nbsp;] thing",
    "- [] thing",
    "- [  ] thing",
    "- [ x ] thing",
    "- [✓] thing",
    "- [✔️] thing",
    "- [√] thing",
    "- [х] thing",
    "- 【X】 thing",
    "- 【】thing",
    "- ［ｘ］ thing",
    "- ［　］ thing",
    "- 〔x〕 thing",
    "- (x) thing",
    "- ( ) thing",
    "- \\[ \\] thing",
    "- \\[x] thing",
    f"- [x]{NB}thing",
    f"- [x]{WIDE}thing",
    "- [x]thing",
    "- **[x]** thing",
    "- □ thing",
    "1. 【x】 thing",
]
IN_NO_LIST = [
    f"-{WIDE}[x] thing",
    f"-{NB}[ ] thing",
    f"*{WIDE}【X】 thing",
    "-[x] thing",
    "• [x] thing",
    "– [ ] thing",
    "－［ｘ］ thing",
    "1）[x] thing",
    "[x] thing",
    "【X】 thing",
    "☐ thing",
    "~~- [ ] thing~~",
]
SIGNS = ["- ☐ thing", "- ☑ thing", "- **☑** thing", "* ⬜ thing"]
PROSE = [
    "- [thing](https://example.test) more",
    "- [x](https://example.test) thing",
    "- [1] thing",
    "- 【新】 thing",
    "- (a) thing",
    "- () => thing",
    "A thing (x) and [x] in the middle",
    "[1] a note",
    "【注意】 thing",
    "- [ ] thing",
    "- thing ☑",
]


def cautions(text: str) -> list[tuple[int, Doubt]]:
    return [(caution.line, caution.about) for caution in roadmap(text).cautions]


@pytest.mark.parametrize("text", IN_A_LIST)
def test_a_box_in_a_list_that_is_none_is_told_and_counts_neither_way(text: str) -> None:
    read = roadmap(f"Before.\n\n- [ ] first\n{text}\n")
    last = list(read.walk())[-1]
    assert (last.claim.box, last.title) == (Box.MALFORMED, "thing")
    assert cautions(f"Before.\n\n- [ ] first\n{text}\n") == [(4, Doubt.MALFORMED_BOX)]
    assert read.boxes == (0, 1)


@pytest.mark.parametrize("text", IN_NO_LIST)
def test_a_line_with_a_box_that_is_in_no_list_is_told_with_its_line(text: str) -> None:
    assert cautions(f"Some words\n{text}\n") == [(2, Doubt.MALFORMED_BOX)]
    assert cautions(f"- [x] first\n  second\n{text}\n") == [(3, Doubt.MALFORMED_BOX)]


@pytest.mark.parametrize("text", SIGNS)
def test_a_sign_of_a_box_is_told_and_stays_a_mark(text: str) -> None:
    assert cautions(f"- [ ] first\n{text}\n") == [(2, Doubt.BOX_SIGN)]
    assert next(roadmap(text).walk()).claim.marks.value in ("not done", "delivered")
    assert cautions(f"Legend: ☑ shipped, ☐ open, ⬜ open\n\n{text}\n") == []


@pytest.mark.parametrize("text", PROSE)
def test_what_is_no_box_is_not_told(text: str) -> None:
    assert cautions(f"Some words.\n\n{text}\n") == []


def test_a_struck_box_is_told_and_its_item_is_dropped() -> None:
    (item,) = roadmap("- ~~[ ] Old thing #31~~\n").walk()
    assert (item.claim.box, item.claim.state.value) == (Box.MALFORMED, "dropped")
    assert item.title == "Old thing"


def test_cells_headings_and_quotes_are_told_too() -> None:
    table = "| item | status |\n|---|---|\n| a | 【X】 |\n| b | [x] |\n"
    assert cautions(table) == [(3, Doubt.MALFORMED_BOX)]
    assert cautions("# [x] thing\n") == [(1, Doubt.MALFORMED_BOX)]
    assert cautions("- thing\n  > 【X】 quoted\n") == [(2, Doubt.MALFORMED_BOX)]


@pytest.mark.parametrize("unit", ["【", "[ ", "\\[", "- ", "［　", "(x", "☐", "&nbsp;", "\u3000"])
def test_a_long_line_takes_no_long_time(unit: str) -> None:
    start = time.process_time()
    roadmap(unit * (60_000 // len(unit)))
    roadmap("- " + unit * (60_000 // len(unit)))
    assert time.process_time() - start < 3
