"""What took a linked request back, and which role a link has by the facts."""

import pytest

from tests.projections.release_inclusion.bench import Arrival, merged, opened
from tests.projections.roadmap_status.bench import RoadmapBench, issue, roadmap

MERGED_AND_REVERTED = [
    merged(105, None, "01-05", title="Fused attention"),
    merged(302, None, "01-08", title="Take attention out for now"),
]
SAID = [
    "merged in #105, reverted by #302",
    "[x] Attention (merged in #105, reverted by #302)",
    "Attention: merged in #105 but reverted in #302",
    "Attention #105 (reverted by #302)",
    "Attention #105 — reverted (#302)",
    "Attention. It was merged in #105. Reverted again by #302.",
    "Attention #105 rolled back via #302",
    "Attention #105, later backed out in PR #302",
    "Attention #105 (#302 reverts it)",
    "Attention. #302 reverted #105.",
    "Attention\n  - #105\n  - Reverted by #302",
    "Attention\n  - #105 (reverted by #302)",
    "Attention #105 https://github.com/acme/widget/pull/302 reverted it",
    "融合 #105，已被 #302 回滚",
]


def told(text: str, *arrivals: Arrival) -> str:
    bench = RoadmapBench(*arrivals, roadmap(f"- {text}\n"))
    return bench.board().items[0].judged.status.kind.value


@pytest.mark.parametrize("text", SAID)
def test_what_was_reverted_by_a_merged_request_is_not_delivered(text: str) -> None:
    assert told(text, *MERGED_AND_REVERTED) == "reverted"


@pytest.mark.parametrize(
    ("by", "expected"),
    [
        ([], "unknown"),
        ([opened(302, "01-08")], "delivered"),
        ([merged(302, None, "01-03", title="Earlier")], "delivered"),
        ([merged(302, None, "01-08", title="T", base={"ref": "dev"})], "delivered"),
    ],
    ids=["unknown", "still open", "before it", "on another branch"],
)
def test_words_alone_revert_nothing(by: list[Arrival], expected: str) -> None:
    assert told(SAID[3], MERGED_AND_REVERTED[0], *by) == expected


@pytest.mark.parametrize(
    "text",
    [
        "Attention #105, reverted by #302, restored by #310",
        "Attention #105 (reverted in #302, re-landed as #310)",
        "Attention #105, reverted by #302; #310 reapplies it",
    ],
)
def test_what_was_restored_is_there_once_that_is_merged(text: str) -> None:
    back = merged(310, None, "01-20", title="Attention again")
    assert told(text, *MERGED_AND_REVERTED, back) == "delivered"
    assert told(text, *MERGED_AND_REVERTED, opened(310, "01-20")) == "reverted"


@pytest.mark.parametrize(
    ("title", "expected"),
    [
        ('Revert "Fused attention"', "reverted"),
        ('Revert "Fused attention (#105)"', "reverted"),
        ('Revert "Another thing"', "delivered"),
    ],
)
def test_a_title_tells_what_it_reverts(title: str, expected: str) -> None:
    revert = merged(302, None, "01-08", title=title)
    assert told("Attention\n  - #105\n  - #302", MERGED_AND_REVERTED[0], revert) == expected


def test_a_revert_of_a_revert_leaves_the_change_in_force() -> None:
    undo = merged(302, None, "01-08", title='Revert "Fused attention"')
    redo = merged(303, None, "01-09", title='Revert "Revert "Fused attention""')
    text = "Attention\n  - #105\n  - #302\n  - #303"
    assert told(text, MERGED_AND_REVERTED[0], undo, redo) == "delivered"


@pytest.mark.parametrize(
    "text",
    [
        "Attention https://github.com/acme/widget/issues/105",
        "Attention ([this](https://github.com/acme/widget/issues/105))",
        "Attention\n  - https://github.com/acme/widget/issues/105",
        "Attention\n  - #105\n  - https://github.com/acme/widget/issues/105",
    ],
)
def test_the_address_of_an_issue_is_the_request_that_has_its_number(text: str) -> None:
    assert told(text, MERGED_AND_REVERTED[0]) == "delivered"
    (part,) = (
        RoadmapBench(MERGED_AND_REVERTED[0], roadmap(f"- {text}\n")).board().items[0].judged.parts
    )
    assert (part.link.kind.value, part.role.value) == ("pull request", "implementing")


def test_an_issue_behind_the_address_of_a_request_tracks() -> None:
    text = "Attention https://github.com/acme/widget/pull/60"
    assert told(text, issue(60, "01-02")) == "open"


@pytest.mark.parametrize(
    ("title", "labels"),
    [
        ("[QUESTION] Any plan for attention?", []),
        ("[Question]: any plan?", []),
        ("Question: any plan?", []),
        ("【提问】何时支持", []),
        ("Any plan for attention?", [{"name": "question"}]),
    ],
)
def test_an_issue_that_asks_is_a_mention(title: str, labels: list[dict[str, str]]) -> None:
    asking = issue(60, "01-02", title=title, labels=labels)
    bench = RoadmapBench(MERGED_AND_REVERTED[0], asking, roadmap("- A thing\n  - #105\n  - #60\n"))
    assert bench.told("A thing") == "delivered on main"
    assert [part.role.value for part in bench.item("A thing").judged.parts][1] == "mention"


def test_a_title_in_the_text_tells_that_an_issue_asks() -> None:
    text = "Attention\n  - #105\n  - [QUESTION] Do we have any plan? #60"
    assert told(text, MERGED_AND_REVERTED[0]) == "delivered"
