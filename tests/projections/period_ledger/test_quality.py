"""What takes the proof from a count, and numbers that are missing."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from projections.period_ledger.quality import Missing, Proof, doubts, missing, named, qualities
from projections.pull_requests.numbers import Stretch

small = st.integers(min_value=1, max_value=40)


@given(explained=st.sets(small), start=small, end=small, also=st.sets(small))
def test_missing_numbers_are_those_that_nothing_explains(
    explained: set[int], start: int, end: int, also: set[int]
) -> None:
    end = max(start, end)
    beside = also - explained - {*range(start, end)}
    expected = ({*range(start, end)} - explained) | beside
    stretches = [
        Stretch(start=number, stop=number + 1, numbers=(number,))
        for number in sorted(explained & {*range(start, end)})
    ]
    assert missing(stretches, start, end, also=beside) == Missing(
        count=len(expected), numbers=tuple(sorted(expected))
    )


def test_a_number_of_any_size_costs_nothing() -> None:
    shown = [Stretch(start=n, stop=n + 1, numbers=(n,)) for n in (1, 2**63 - 1)]
    found = missing(shown, 1, 2**63)
    assert found.count == 2**63 - 3
    assert found.numbers[:2] == (2, 3)
    assert len(found.numbers) == 1_000


@pytest.mark.parametrize(
    ("numbers", "count", "text"),
    [
        ((3, 5), None, "#3, #5"),
        (tuple(range(1, 14)), None, "#1, #2, #3, #4, #5, #6, #7, #8, #9, #10 and 3 more"),
        ((3, 5), 9, "#3, #5 and 7 more"),
    ],
)
def test_numbers_are_named_up_to_ten(
    numbers: tuple[int, ...], count: int | None, text: str
) -> None:
    assert named(numbers, count) == text


@pytest.mark.parametrize(
    ("proof", "merged", "opened", "kinds"),
    [
        (Proof(shown=True, anchored=True), "exact", "exact", []),
        (Proof(shown=True, anchored=True, b=2, heard=1), "exact", "exact", ["unheard"]),
        (Proof(shown=True, anchored=True, b=2, heard=2), "exact", "exact", []),
        (Proof(shown=True, anchored=False), "at_least", "at_least", ["no_start"]),
        (Proof(shown=False, anchored=False), "at_least", "unknown", ["git_only"]),
        (
            Proof(shown=True, anchored=True, unexplained=Missing(count=1, numbers=(7,))),
            "at_least",
            "at_least",
            ["unexplained"],
        ),
        (Proof(shown=True, anchored=True, unresolved=(7,)), "at_least", "at_least", ["unresolved"]),
        (Proof(shown=True, anchored=True, undated=(7,)), "at_least", "at_least", ["undated"]),
    ],
)
def test_exact_needs_proof(proof: Proof, merged: str, opened: str, kinds: list[str]) -> None:
    quality = qualities(proof)
    assert (quality["merged"], quality["opened"]) == (merged, opened)
    assert [doubt.kind for doubt in doubts(proof)] == kinds
