"""Which roadmap goes before which, where one of them was never recorded."""

import pytest

from projections.roadmap_status.lineage import steps, threads, unread
from services.answers.roadmaps.lineage_document import lineage_document
from services.documents.text import render
from tests.projections.release_inclusion.bench import Arrival
from tests.projections.roadmap_status.bench import RoadmapBench, comment, roadmap

ITEM = "\n\n- [ ] A thing\n"
BEFORE = [
    "For the previous quarterly roadmap, see Q2 2026 Roadmap #40.",
    "Previous roadmap: [Q2](https://github.com/acme/widget/issues/40)",
    "Continues #40.",
    "This roadmap continues the Q2 roadmap #40",
    "Continued from #40",
    "Follow-up to #40",
    "Successor of #40.",
    "Supersedes #40",
    "- Predecessor: #40",
    "上一季度路线图 #40",
]


def told(*arrivals: Arrival) -> str:
    with RoadmapBench(*arrivals).desk() as desk:
        chain = steps(desk, 50)
        document = lineage_document(50, chain, threads(desk, chain), unread(desk, 50, chain))
    return " ".join(render(document).split())


@pytest.mark.parametrize("words", BEFORE)
def test_a_roadmap_that_is_named_and_not_recorded_is_told(words: str) -> None:
    assert "#50 continues #40, of which no text is recorded" in told(roadmap(words + ITEM))


@pytest.mark.parametrize("words", BEFORE)
def test_a_roadmap_that_is_recorded_is_compared(words: str) -> None:
    both = roadmap(words + ITEM), roadmap("- [ ] A thing\n", "01-20", 40)
    assert "#40 is continued in #50: 1 items carried over" in told(*both)


@pytest.mark.parametrize(
    "words",
    [
        "Work continues in the Q4 roadmap #60.",
        "Continued in roadmap other/place#60.",
        "Next: the Q4 roadmap #60",
    ],
)
def test_what_comes_after_is_told_too(words: str) -> None:
    assert "#50 is continued in" in told(roadmap(words + ITEM))


@pytest.mark.parametrize(
    "words", ["See also the MoE roadmap #60.", "Replaced by #60", "Fixes #60."]
)
def test_what_is_only_beside_it_continues_nothing(words: str) -> None:
    assert "continues none" in told(roadmap(words + ITEM))


def test_a_comment_names_it_as_well() -> None:
    assert "continues #40" in told(roadmap(ITEM), comment(50, "02-02", "Continuation of #40."))
