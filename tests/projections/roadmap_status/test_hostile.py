"""Any text is read: none raises, none takes long, and what was left out is told."""

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from projections.roadmap_status.editions.identity import match
from projections.roadmap_status.reading import LONGEST_TEXT, Doubt
from tests.laws import tried
from tests.projections.roadmap_status.reading_roadmaps import roadmap

MEGABYTE = 1_000_000
LONGEST = 8.0
"""Seconds of processor time for any megabyte on a busy machine; a quiet one needs about one."""

UNITS = {
    "brackets": "[", "images": "![](", "links": "[a](", "emphasis": "*a _b ", "quotes": "> ",
    "dashes": "- ", "ticks": "`a``", "tags": "<a ", "comments": "<!--", "tildes": "~~a ",
    "escapes": "\\", "entities": "&#12345;", "cells": "|a", "entries": "- a\n",
    "nested": "- a\n  - b #1\n", "numbers": "#12 ", "open groups": "(#12 ", "merged": "#1 merged ",
    "negations": "not yet been ", "parts": " - ", "bold": "**a** ", "dates": "October 9 ",
    "versions": "in 0.1 ", "headings": "# a #1 done\n", "details": "<details>\n\n- a\n\n",
    "chinese": "未完成 #1，", "marks": "✅", "owners": "@a", "definitions": "[a]: b\n",
    "single tildes": "~a ", "struck html": "<del>\n\n</del>\n\n",
    "wide boxes": "【x】\n",
    "direction": "\u202e\u200f#1 ", "quoted words": '"a" or ', "spaces": " ", "lines": "\n",
}  # fmt: skip


def test_a_megabyte_of_brackets_takes_no_long_time() -> None:
    """The other units, and each as a text of its own, are below."""
    test_a_megabyte_of_one_thing_takes_no_long_time(UNITS["brackets"], "- ")


@pytest.mark.slow
@pytest.mark.parametrize("unit", UNITS.values(), ids=UNITS.keys())
@pytest.mark.parametrize("first", ["", "- "], ids=["text", "entry"])
def test_a_megabyte_of_one_thing_takes_no_long_time(unit: str, first: str) -> None:
    text = first + unit * (MEGABYTE // len(unit))
    start = time.process_time()
    read = roadmap(text)
    assert time.process_time() - start < LONGEST
    assert Doubt.TOO_LONG in {one.about for one in read.cautions}


def test_wide_tables_and_deep_lists_take_no_long_time() -> None:
    start = time.process_time()
    roadmap("|" + "a|" * 200 + "\n|" + "-|" * 200 + "\n" + "|\n" * LONGEST_TEXT)
    read = roadmap("\n".join("  " * depth + f"- [ ] #{depth + 1}" for depth in range(300)))
    assert time.process_time() - start < LONGEST
    assert Doubt.TOO_DEEP in {one.about for one in read.cautions}


def test_a_long_text_is_cut_at_the_end_of_a_line_and_says_so() -> None:
    line = "- [ ] something to do #12\n"
    read = roadmap(line * 4000)
    assert {item.title for item in read.walk()} == {"something to do"}
    assert len(list(read.walk())) == LONGEST_TEXT // len(line)
    assert [one.about for one in read.cautions] == [Doubt.TOO_LONG]


PIECES = st.sampled_from(
    [
        *[
            "- ",
            "* ",
            "1. ",
            "[ ] ",
            "[x]",
            "  ",
            "\n",
            "\n\n",
            "#1",
            "#22",
            "(",
            ")",
            "[",
            "]",
            "](",
            "`",
            "~~",
            "**",
            "_",
            "<!--",
            "-->",
            "> ",
            "# ",
        ],
        *[
            "<details>",
            "</details>",
            "done",
            "merged",
            "—",
            "已",
            "完成",
            "✅",
            "@a",
            "1/4",
            "：",
            "~",
            "\\",
            "&#35;",
        ],
        *("|", "\t", "\r\n", " - ", "not ", "in progress", "\ufe0f", "\u200f", "\ud800", "\x00"),
        *("Legend: ", "restored in ", "reverts ", "October 9", "in 0.19", "|Status|\n|-|\n"),
        "https://github.com/acme/widget/pull/1",
    ]
)


@tried(150)
@given(st.one_of(st.text(max_size=400), st.lists(PIECES, max_size=60).map("".join)))
def test_any_text_is_read_and_its_items_get_ids(text: str) -> None:
    read = roadmap(text)
    items = list(read.walk())
    matches = match("r", (), read.items)
    assert [one.item for one in matches] == items
    assert len({one.id for one in matches}) == len(items)
    ticked, boxes = read.boxes
    assert 0 <= ticked <= boxes <= len(items)
    assert all(item.line >= 1 for item in items)
    assert roadmap(text) == read
