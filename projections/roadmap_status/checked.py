"""How much of a roadmap can be held against facts at all. Pure.

An item can be checked where something is known of what it links to, of the items below it, or where
a person decided. A box, or words, without any fact say only what the text says.
"""

from collections.abc import Sequence

import msgspec

from projections.roadmap_status.context import ViewedItem
from projections.roadmap_status.status.status import Basis, StatusKind


class Checked(msgspec.Struct, frozen=True, kw_only=True):
    """Numbers of items, and of drifts in them."""

    items: int
    checkable: int
    drifts: int
    acknowledged: int
    """Of the drifts: those that a person lets be."""

    @property
    def uncheckable(self) -> int:
        """Return how many items say nothing, or nothing of which facts are known."""
        return self.items - self.checkable


def checked(items: Sequence[ViewedItem]) -> Checked:
    """Count what of a roadmap was checked."""
    drifts = [drift for item in items for drift in item.drift]
    return Checked(
        items=len(items),
        checkable=sum(map(can_be_checked, items)),
        drifts=len(drifts),
        acknowledged=sum(drift.acknowledged is not None for drift in drifts),
    )


def can_be_checked(item: ViewedItem) -> bool:
    """Tell whether there is a fact that an item could differ from."""
    status = item.judged.status
    if item.drift or status.basis is Basis.DECISION:
        return True
    if status.kind is StatusKind.DROPPED:
        return any(part.state.outcome.is_known for part in item.judged.parts)
    return status.kind is not StatusKind.UNKNOWN and status.basis in (
        Basis.REQUESTS,
        Basis.ISSUES,
        Basis.ITEMS,
    )
