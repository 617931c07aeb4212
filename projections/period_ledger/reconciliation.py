"""Where each merged request of a period went. Pure.

A report keeps or excludes: merged = kept + excluded. An edition tells by theme: merged = told +
twins + excluded + not told. Each request is always in exactly one of the parts.
"""

from collections.abc import Collection, Iterable, Mapping

import msgspec

from projections.period_ledger.exclusions import EXCLUDED, Class


class Kept(msgspec.Struct, frozen=True, kw_only=True):
    """The numbers that a report keeps, and those that it excludes by class; ascending."""

    merged: tuple[int, ...]
    kept: tuple[int, ...]
    excluded: Mapping[Class, tuple[int, ...]]

    @property
    def line(self) -> str:
        """The sum as it is printed."""
        excluded = sum(map(len, self.excluded.values()))
        return f"merged {len(self.merged):,} = kept {len(self.kept):,} + excluded {excluded:,}"


class Reconciliation(msgspec.Struct, frozen=True, kw_only=True):
    """The numbers in each part, ascending; `excluded` by class."""

    merged: tuple[int, ...]
    told: tuple[int, ...]
    twins: tuple[int, ...]
    excluded: Mapping[Class, tuple[int, ...]]
    not_told: tuple[int, ...]


def keep(merged: Iterable[int], classes: Mapping[int, Class]) -> Kept:
    """Divide the merged requests of a period into those that are kept, and the excluded ones."""
    every = sorted(set(merged))
    return Kept(
        merged=tuple(every),
        kept=tuple(number for number in every if classes.get(number, "kept") == "kept"),
        excluded={kind: tuple(n for n in every if classes.get(n) == kind) for kind in EXCLUDED},
    )


def reconcile(
    merged: Iterable[int],
    classes: Mapping[int, Class],
    told: Collection[int],
    twins: Collection[int] = (),
) -> Reconciliation:
    """Divide the merged requests of a period.

    `told` are those that a theme prints with their number; `twins` those that are told under
    another number. A request that is told is not excluded, whatever its class: a person may have
    wanted it.
    """
    every = sorted(set(merged))
    left = set(every)
    first = left & set(told)
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
