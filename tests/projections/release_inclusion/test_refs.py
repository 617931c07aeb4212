"""What a ref pointed at, and since when, from all sights of it."""

import pytest

from projections.release_inclusion.refs import ref_spans
from tests.projections.release_inclusion.sights import Sight, sight, values

MAIN = "refs/heads/main"
TAG = "refs/tags/v1"


def _of(*sights: Sight) -> list[tuple[int, str | None, str]]:
    """Return (since, value, evidence) of each span."""
    return [(span.vf, span.sha, span.evidence) for span in ref_spans(sights)]


def test_a_value_that_comes_back_is_a_new_value() -> None:
    moves = [("A", None, 1), ("B", "A", 2), ("A", "B", 3), ("B", "A", 4)]
    sights = [sight("pushed", at, sha, before=before) for sha, before, at in moves]
    assert values(ref_spans(sights)) == [(1, "A"), (2, "B"), (3, "A"), (4, "B")]


def test_spans_are_half_open_and_the_last_one_has_no_end() -> None:
    first, second = ref_spans([sight("pushed", 1, "A"), sight("pushed", 5, "B", before="A")])
    assert (first.vf, first.vt, second.vf) == (1, 5, 5)
    assert second.vt > 10**17


def test_moves_of_one_second_follow_each_other_by_their_links() -> None:
    sights = [
        sight("pushed", 1, "A"),
        sight("pushed", 2, "C", before="B"),
        sight("pushed", 2, "B", before="A"),
    ]
    assert values(ref_spans(sights)) == [(1, "A"), (2, "B"), (3, "C")]


@pytest.mark.parametrize(
    ("worse", "better"),
    [
        (sight("assumed", 1, "A"), sight("pushed", 4, "A")),
        (sight("tagger", 3, "A"), sight("pushed", 4, "A")),
        (sight("fetched", 9, "A"), sight("pushed", 4, "A")),
        (sight("published", 6, "A", ref=TAG), sight("pushed", 4, "A", ref=TAG)),
        (sight("fetched", 9, "A", ref=TAG), sight("published", 4, "A", ref=TAG)),
        (sight("fetched", 9, "A", ref=TAG), sight("tagger", 4, "A", ref=TAG)),
        (sight("assumed", 1, "A"), sight("fetched", 4, "A")),
    ],
    ids=lambda one: one.fact.evidence,
)
def test_a_value_is_dated_by_its_best_proof(worse: Sight, better: Sight) -> None:
    for sights in ((worse, better), (better, worse)):
        (span,) = ref_spans(sights)
        assert (span.vf, span.record_id) == (4, better.record_id)


def test_of_two_sure_proofs_the_earlier_one_counts() -> None:
    push, release = sight("pushed", 6, "A", ref=TAG), sight("published", 4, "A", ref=TAG)
    assert _of(push, release) == [(4, "A", "published")]


def test_a_first_sight_is_assumed_and_says_so() -> None:
    assert _of(sight("assumed", 3, "A")) == [(3, "A", "assumed")]


def test_a_push_that_was_recorded_late_takes_the_place_of_the_assumption() -> None:
    """A commit is older than its push: the branch stood elsewhere in between."""
    sights = [
        sight("assumed", 3, "C"),
        sight("pushed", 2, "A"),
        sight("pushed", 4, "B", before="A"),
        sight("pushed", 6, "C", before="B"),
    ]
    assert values(ref_spans(sights)) == [(2, "A"), (4, "B"), (6, "C")]


def test_a_fetch_that_pushes_overtook_says_nothing() -> None:
    """Its clock is ahead: the push that left B was later by GitHub's clock, and earlier by ours."""
    sights = [
        sight("pushed", 1, "A"),
        sight("pushed", 5, "B", before="A"),
        sight("pushed", 7, "C", before="B"),
        sight("fetched", 9, "B", before="A", not_before=4),
    ]
    assert values(ref_spans(sights)) == [(1, "A"), (5, "B"), (7, "C")]


def test_a_fetch_whose_clock_is_behind_says_nothing_against_linked_pushes() -> None:
    sights = [
        sight("pushed", 3, "A"),
        sight("pushed", 5, "B", before="A"),
        sight("pushed", 7, "C", before="B"),
        sight("fetched", 4, "B", before=None, not_before=1),
        sight("fetched", 6, "C", before="B", not_before=4),
    ]
    assert values(ref_spans(sights)) == [(3, "A"), (5, "B"), (7, "C")]


def test_a_fetch_between_pushes_that_do_not_link_up_shows_a_move() -> None:
    """The pushes A -> B and B -> X were lost."""
    sights = [
        sight("pushed", 1, "A"),
        sight("fetched", 5, "B", before="A", not_before=0),
        sight("pushed", 7, "Y", before="X"),
    ]
    assert values(ref_spans(sights)) == [(1, "A"), (5, "B"), (7, "Y")]


def test_a_deleted_ref_has_no_value_until_it_is_made_again() -> None:
    sights = [
        sight("pushed", 1, "A", ref=TAG),
        sight("pushed", 3, None, ref=TAG),
        sight("pushed", 6, "A", ref=TAG),
    ]
    assert values(ref_spans(sights)) == [(1, "A"), (3, None), (6, "A")]


def test_a_moved_tag_keeps_its_old_commit_for_its_time() -> None:
    sights = [
        sight("pushed", 1, "A", ref=TAG, tag_object="a"),
        sight("fetched", 9, "B", ref=TAG, before="A", not_before=2, tag_object="b"),
    ]
    spans = ref_spans(sights)
    assert [(s.vf, s.sha, s.tag_object) for s in spans] == [(1, "A", "a"), (9, "B", "b")]


def test_a_release_does_not_date_the_commit_that_its_tag_was_moved_to_later() -> None:
    """A reading of git dates a new tag by its release, and cannot know that it moved since."""
    sights = [
        sight("pushed", 1, "A", ref=TAG),
        sight("pushed", 8, "B", ref=TAG),
        sight("published", 3, "B", ref=TAG),
    ]
    assert _of(*sights) == [(1, "A", "pushed"), (8, "B", "pushed")]


def test_a_release_whose_tag_is_pushed_a_second_later_still_dates_it() -> None:
    sights = [sight("published", 3, "A", ref=TAG), sight("pushed", 4, "A", ref=TAG)]
    assert _of(*sights) == [(3, "A", "published")]


def test_nothing_is_known_of_a_ref_that_nobody_saw() -> None:
    assert ref_spans([]) == ()
