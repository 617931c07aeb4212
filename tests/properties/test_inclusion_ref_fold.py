"""Folding refs one sight after the other gives what folding all of them gives."""

from hypothesis import given
from hypothesis import strategies as st

from projections.release_inclusion.refs import RefFold, RefSighting, RefSpan, ref_spans
from tests.projections.release_inclusion.sights import sight
from tests.properties.test_inclusion_refs import Life, any_sights, lives, pushes, readings


def folded(sights: list[RefSighting], *, cut: int = 0) -> None:
    """Compare after each sight, with a fold that begins with the first `cut` of them."""
    known: set[RefSpan] = set(ref_spans(sights[:cut]))
    fold = RefFold(sights[:cut], known)
    for upto in range(cut, len(sights)):
        ending, beginning = fold.add([sights[upto]])
        assert ending <= known
        assert not beginning & known
        known = (known - ending) | beginning
        assert known == set(ref_spans(sights[: upto + 1]))


@given(any_sights, st.integers(0, 9))
def test_any_sights_in_any_order(sights: list[RefSighting], cut: int) -> None:
    folded(sights, cut=min(cut, len(sights)))


@given(lives(), st.lists(st.integers(1, 420), max_size=5, unique=True), st.integers(0, 3))
def test_pushes_and_readings_as_they_happen(life: Life, times: list[int], cut: int) -> None:
    sights = [*pushes(life), *readings(life, sorted(times), 0)]
    sights.sort(key=lambda seen: seen.fact.at)
    folded(sights, cut=min(cut, len(sights)))


def test_a_newer_push_touches_only_the_last_value() -> None:
    sights = [sight("pushed", when, f"{when}", before=f"{when - 1}") for when in range(1, 50)]
    fold = RefFold(sights[:-1], ref_spans(sights[:-1]))
    ending, beginning = fold.add([sights[-1]])
    assert ({span.sha for span in ending}, {span.sha for span in beginning}) == (
        {"48"},
        {"48", "49"},
    )
