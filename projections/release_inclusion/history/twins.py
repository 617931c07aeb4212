"""One change under two requests: where each of them is told."""

from projections.release_inclusion.history.carriers import CarrierRole
from projections.release_inclusion.history.graph import TipSet
from projections.release_inclusion.history.history import History


def twin_tips(history: History, number: int) -> TipSet:
    """Return the tips that have a request's change only as another request, which is told there."""
    twins, own = 0, 0
    for carrier in history.carriers.of(number):
        standing = history.standing.get(carrier.sha, 0)
        if carrier.role is CarrierRole.TWIN:
            twins |= standing
        else:
            own |= standing
    return twins & ~own


def twins_of(history: History, number: int) -> tuple[int, ...]:
    """Return the requests whose change a request brought under its own number."""
    brought = (
        other for own in history.carriers.of(number) for other in history.carriers.at(own.sha)
    )
    return tuple(
        sorted({c.number for c in brought if c.role is CarrierRole.TWIN and c.via == number})
    )
