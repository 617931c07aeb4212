"""Laws of the folding of refs, on random lives of a branch that pushes and readings tell of."""

import random
from collections.abc import Sequence
from itertools import pairwise

import msgspec
from hypothesis import given
from hypothesis import strategies as st

from events.instant import INF, Instant
from projections.release_inclusion.refs import RefSighting, RefSpan, ref_spans
from tests.projections.release_inclusion.sights import sight, values

Life = list[tuple[Instant, str | None]]


@st.composite
def lives(draw: st.DrawFn) -> Life:
    """A branch: when it got which value (None: deleted), each other than the one before."""
    times = draw(st.lists(st.integers(10, 400), min_size=1, max_size=8, unique=True))
    life: Life = []
    value: str | None = None
    for when in sorted(times):
        others = [one for one in ("A", "B", "C", None) if one != value]
        value = draw(st.sampled_from(others))
        life.append((when, value))
    return life if life[0][1] is not None else life[1:]


def pushes(life: Life) -> list[RefSighting]:
    befores = [None, *(value for _, value in life)]
    return [
        sight("pushed", when, value, before=before)
        for (when, value), before in zip(life, befores, strict=False)
    ]


def readings(life: Life, times: Sequence[Instant], skew: Instant) -> list[RefSighting]:
    """What a mirror says that reads at these times, its clock being off by `skew`."""
    found: list[RefSighting] = []
    value, last = None, None
    for when in times:
        seen = next((v for at, v in reversed(life) if at <= when), None)
        if last is None and seen is not None:
            found.append(sight("assumed", max(0, when - 9), seen))
        elif last is not None and seen != value:
            found.append(sight("fetched", when + skew, seen, before=value, not_before=last + skew))
        value, last = seen, when
    return found


any_sights = st.lists(
    st.builds(
        sight,
        st.sampled_from(("pushed", "published", "tagger", "fetched", "assumed")),
        st.integers(1, 12),
        st.sampled_from(("A", "B", "C", None)),
        before=st.sampled_from(("A", "B", "C", None)),
        not_before=st.one_of(st.none(), st.integers(0, 6)),
        ref=st.sampled_from(("refs/heads/main", "refs/tags/v1")),
    ),
    max_size=9,
)


@given(any_sights, st.randoms(use_true_random=False))
def test_the_order_of_arrival_does_not_matter(
    sights: list[RefSighting], shuffle: random.Random
) -> None:
    expected = ref_spans(sights)
    shuffle.shuffle(sights)
    moved = [msgspec.structs.replace(seen, k=place) for place, seen in enumerate(sights)]
    assert ref_spans(moved) == expected


@given(any_sights)
def test_repeated_sights_change_nothing(sights: list[RefSighting]) -> None:
    assert ref_spans([*sights, *sights]) == ref_spans(sights)


@given(any_sights)
def test_spans_touch_each_other_and_differ(sights: list[RefSighting]) -> None:
    spans = ref_spans(sights)
    assert all(span.vf < span.vt for span in spans)
    for one, other in pairwise(spans):
        assert one.vt == other.vf
        assert one.sha != other.sha
    assert not spans or spans[-1].vt == INF
    assert bool(spans) == bool(sights)


@given(lives(), st.lists(st.integers(1, 420), max_size=5, unique=True), st.sampled_from((-3, 0, 3)))
def test_where_pushes_tell_everything_readings_change_nothing(
    life: Life, times: list[Instant], skew: Instant
) -> None:
    told = pushes(life)
    assert values(ref_spans(told)) == life
    found = values(ref_spans([*told, *readings(life, sorted(times), skew)]))
    # A reading whose clock is behind may say that the branch was gone before it was made.
    assert (found if found[0][1] is not None else found[1:]) == life


@given(lives(), st.lists(st.integers(1, 420), min_size=1, max_size=6, unique=True))
def test_readings_alone_give_each_value_that_they_saw(life: Life, times: list[Instant]) -> None:
    spans = ref_spans(readings(life, sorted(times), 0))
    for when in times:
        seen = next((value for at, value in reversed(life) if at <= when), None)
        assert _at(spans, when) == seen


def _at(spans: Sequence[RefSpan], when: Instant) -> str | None:
    return next((span.sha for span in spans if span.vf <= when < span.vt), None)
