"""Titles without their links and owners, and without what only led to these."""

import time

import pytest

from projections.roadmap_status.items.titles import clean_heading
from projections.roadmap_status.words.phrases import Phrases
from tests.projections.roadmap_status.reading_roadmaps import READER, only
from tests.projections.roadmap_status.reading_roadmaps import roadmap as read

PULL = "https://github.com/acme/widget/pull"
KERNELS = [
    "Kernels (#1, #2, and more)",
    "Kernels: #1 and #2",
    "Kernels - #1",
    "Kernels — see #1 -",
    "Kernels (PR #1 / #2)",
    "Kernels [#1]",
    "Kernels ((#1))",
    "Kernels (#1) (#2)",
    "Kernels ( #1 , )",
    'Kernels "#1"',
    "Kernels <#1>",
    "Kernels + #1",
    "Kernels by @dev-a in #1",
    "Kernels by @dev-a and @dev-b",
    "Kernels, see #1 and #2",
    "Kernels (see #1)",
    "Kernels via #1",
    "Kernels, tracked in #1",
    "Kernels: implemented by #1",
    "Kernels (closes #1)",
    "Kernels (part of #1)",
    "Kernels (#1, thanks @dev-a!)",
    "Kernels, thanks to @dev-a",
    "Kernels (owner: @dev-a; reviewer: @dev-b)",
    f"Kernels {PULL}/1, contact: @dev-a",
    f"Kernels ([PR]({PULL}/1))",
    "Kernels (cc @dev-a)",
    "Kernels #1 #2, #3 and #4 by @dev-a, @dev-b",
    "#1: Kernels",
    "- Kernels #1",
    "Kernels (见 #1、#2)",
]
OTHERS = [
    ("Decoding (#1, [merging plan](https://docs.example.test/1), contact: @a)",
     "Decoding (merging plan)"),
    ("Support for #1 in the scheduler", "Support in the scheduler"),
    (f"Support [fused kernels]({PULL}/1) on Hopper", "Support fused kernels on Hopper"),
    (f"[Add fused kernels]({PULL}/1)", "Add fused kernels"),
    ("Kernels #1, docs #2", "Kernels, docs"),
    ("Kernels (blocked by #1) and docs", "Kernels and docs"),
    ("Move #1 to dev", "Move to dev"),
    ("Closes #1", "Closes #1"),
    ("#1", "#1"),
    ("Drop support for Python 3.8", "Drop support for Python 3.8"),
    ("What to work on", "What to work on"),
    ("Log in (new), see below", "Log in (new), see below"),
    ("Make fully_shard() public", "Make fully_shard() public"),
    ("C++ and `{}` literals #1", "C++ and {} literals"),
    ("支持 X（见 #1、#2）", "支持 X"),
]  # fmt: skip


@pytest.mark.parametrize("text", KERNELS)
def test_nothing_of_removed_links_stays_in_a_title(text: str) -> None:
    assert only(f"- [ ] {text}\n").title == "Kernels"


@pytest.mark.parametrize(("text", "expected"), OTHERS)
def test_what_says_something_stays(text: str, expected: str) -> None:
    assert only(f"- [ ] {text}\n").title == expected


def test_headings_and_listed_links_are_tidy_too() -> None:
    read_text = read("## Kernels (see #1)\n\n- A thing\n  - Add it by @dev-a in #2\n  - See #3\n")
    item = list(read_text.walk())[-1]
    assert item.section == ("Kernels",)
    assert [link.title for link in item.links] == ["Add it", ""]


def test_a_heading_of_plain_words_stays_as_it_is() -> None:
    from projections.roadmap_status.reading.prose import plain_prose

    assert clean_heading(plain_prose("Log in and out", READER), Phrases()) == "Log in and out"


@pytest.mark.parametrize(
    "unit", ["#1 ", "(#1 ", "#1, ", "in ", "(", "( ", "@a ", "PR #1 ", "a: #1, ", "[#1](x) ", "& "]
)
def test_a_long_title_takes_no_long_time(unit: str) -> None:
    start = time.process_time()
    read("- [ ] " + unit * (60_000 // len(unit)))
    assert time.process_time() - start < 4
