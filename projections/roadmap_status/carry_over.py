"""From one roadmap to its successor: what was carried over, what was left, what is fresh."""

from collections.abc import Sequence
from dataclasses import dataclass

from projections.roadmap_status.items import Standing
from projections.roadmap_status.pairing import Known, Method, pair, sides_of


@dataclass(frozen=True, slots=True, kw_only=True)
class Carried:
    """An item of the earlier roadmap that stands in the later one, and why it is the same."""

    old: str
    new: str
    method: Method
    score: float
    """Of 100."""
    slipped: bool
    """The earlier roadmap did not say that it is done: it was promised again."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CarryOver:
    """Two roadmaps compared; every item of either is in one place."""

    carried: tuple[Carried, ...]
    left_done: tuple[str, ...]
    """Ids of items that end with the earlier roadmap and were said to be done."""
    left_open: tuple[str, ...]
    """Ids of items that the later roadmap no longer has, though they were not done."""
    fresh: tuple[str, ...]
    """Ids of items that only the later roadmap has."""


def carry_over(old: Sequence[Known], new: Sequence[Known]) -> CarryOver:
    """Compare a roadmap's last version with its successor's; ids of both stay their own."""
    pairs = pair(sides_of(old), sides_of(new)).made.values()
    carried = [
        Carried(
            old=old[one.old].id,
            new=new[one.new].id,
            method=one.method,
            score=round(one.score, 1),
            slipped=not _done(old[one.old]),
        )
        for one in pairs
    ]
    went, came = {one.old for one in pairs}, {one.new for one in pairs}
    left = [known for at, known in enumerate(old) if at not in went]
    return CarryOver(
        carried=tuple(sorted(carried, key=lambda one: (one.old, one.new))),
        left_done=tuple(known.id for known in left if _done(known)),
        left_open=tuple(known.id for known in left if not _done(known)),
        fresh=tuple(known.id for at, known in enumerate(new) if at not in came),
    )


def _done(known: Known) -> bool:
    return known.item.standing is Standing.DONE
