"""Where each merged request of a period went: told, twin, excluded, or not told. Pure.

merged = told + twins + excluded + not told, always: each request is in exactly one of them.
"""

from collections.abc import Collection, Iterable, Mapping

import msgspec

from projections.period_ledger.exclusions import EXCLUDED, Class


class Reconciliation(msgspec.Struct, frozen=True, kw_only=True):
    """The numbers in each part, ascending; `excluded` by class."""

    merged: tuple[int, ...]
    told: tuple[int, ...]
    twins: tuple[int, ...]
    excluded: Mapping[Class, tuple[int, ...]]
    not_told: tuple[int, ...]

    @property
    def line(self) -> str:
        """The sum as it is printed."""
        excluded = sum(map(len, self.excluded.values()))
        return (
            f"merged {len(self.merged):,} = told {len(self.told):,} + twins {len(self.twins):,} "
            f"+ excluded {excluded:,} + not told {len(self.not_told):,}"
        )


def reconcile(
    merged: Iterable[int],
    classes: Mapping[int, Class],
    told: Collection[int] | None = None,
    twins: Collection[int] = (),
) -> Reconciliation:
    """Divide the merged requests of a period.

    `told` are those that a theme prints with their number (None: there are no themes, and all that
    is kept counts as told); `twins` those that are told under another number. A request that is
    told is not excluded, whatever its class: a person may have wanted it.
    """
    every = sorted(set(merged))
    left = set(every)
    kept = {number for number in every if classes.get(number, "kept") == "kept"}
    first = left & (kept if told is None else set(told))
    left -= first
    second = left & set(twins)
    left -= second
    excluded = {
        kind: tuple(n for n in every if n in left and classes.get(n) == kind) for kind in EXCLUDED
    }
    left.difference_update(*excluded.values())
    return Reconciliation(
        merged=tuple(every),
        told=tuple(sorted(first)),
        twins=tuple(sorted(second)),
        excluded=excluded,
        not_told=tuple(sorted(left)),
    )
