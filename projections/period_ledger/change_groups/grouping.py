"""From pairs to groups: a union of all certain pairs that does not depend on their order. Pure.

A request that carries several changes (one cherry-pick of #1 and #2) is none of them: it joins
only where all that it carries are in one group already (a backport of a backport).
"""

from collections import defaultdict
from collections.abc import Iterable, Mapping

import msgspec

from projections.period_ledger.change_groups.members import Decision, Kind, Member, Pair, pair_id


class ChangeGroup(msgspec.Struct, frozen=True, kw_only=True):
    """Requests of one change, ascending. `lead` is the one under which it is told.

    A request that stands alone is a group of one.
    """

    numbers: tuple[int, ...]
    lead: int
    pairs: tuple[Pair, ...] = ()

    @property
    def twins(self) -> tuple[int, ...]:
        """The numbers besides the lead."""
        return tuple(number for number in self.numbers if number != self.lead)


class Grouping(msgspec.Struct, frozen=True, kw_only=True):
    """All groups, by their lead, and the pairs that wait for a person."""

    groups: tuple[ChangeGroup, ...]
    review: tuple[Pair, ...]

    def group_of(self, number: int) -> ChangeGroup:
        """Return the group that has a number; raise KeyError where none has."""
        for group in self.groups:
            if number in group.numbers:
                return group
        raise KeyError(number)


def group(
    members: Mapping[int, Member], pairs: Iterable[Pair], decisions: Iterable[Decision] = ()
) -> Grouping:
    """Group requests. What a person decided holds over what was found; the last decision counts."""
    decided = {pair_id(decision.number, decision.origin): decision for decision in decisions}
    weighed = _with_decisions(members, pairs, decided)
    certain = [pair for pair in weighed if pair.certain]
    parents = _united(members, certain)
    joined = {pair for pair in certain if _same(parents, pair)}
    apart = [_bundled(pair) for pair in certain if pair not in joined]
    numbers: dict[int, list[int]] = {}
    for number in sorted(members):
        numbers.setdefault(_root(parents, number), []).append(number)
    inside: dict[int, list[Pair]] = {}
    for pair in sorted(joined):
        inside.setdefault(_root(parents, pair.number), []).append(pair)
    groups = [_group(members, united, inside.get(root, ())) for root, united in numbers.items()]
    waiting = [pair for pair in (*weighed, *apart) if not pair.certain and not _same(parents, pair)]
    return Grouping(
        groups=tuple(sorted(groups, key=lambda group: group.lead)),
        review=tuple(sorted(waiting, key=lambda pair: (-pair.confidence, pair))),
    )


def _with_decisions(
    members: Mapping[int, Member], pairs: Iterable[Pair], decided: Mapping[str, Decision]
) -> list[Pair]:
    by_id = {pair.id: pair for pair in pairs}
    for name, decision in decided.items():
        if not decision.holds:
            by_id.pop(name, None)
        elif decision.number in members and decision.origin in members:
            pair = by_id.get(name) or _decided_pair(decision)
            by_id[name] = msgspec.structs.replace(pair, certain=True, confidence=1.0, doubt="")
    return sorted(by_id.values())


def _decided_pair(decision: Decision) -> Pair:
    return Pair(
        number=decision.number,
        origin=decision.origin,
        kind=Kind.PORT,
        method="decided by a person",
        confidence=1.0,
        certain=True,
    )


def _united(members: Mapping[int, Member], certain: Iterable[Pair]) -> dict[int, int]:
    """Unite what belongs together; the least number is the root of its group."""
    parents = {number: number for number in members}
    carried: dict[int, set[int]] = defaultdict(set)
    for pair in certain:
        if pair.carries:
            carried[pair.number].add(pair.origin)
        else:
            _unite(parents, pair.number, pair.origin)
    while ready := [
        number
        for number, origins in carried.items()
        if len({_root(parents, origin) for origin in origins}) == 1
    ]:
        for number in ready:
            _unite(parents, number, carried.pop(number).pop())
    return parents


def _root(parents: dict[int, int], number: int) -> int:
    while parents[number] != number:
        parents[number] = parents[parents[number]]
        number = parents[number]
    return number


def _unite(parents: dict[int, int], first: int, second: int) -> None:
    low, high = sorted((_root(parents, first), _root(parents, second)))
    parents[high] = low


def _same(parents: dict[int, int], pair: Pair) -> bool:
    return _root(parents, pair.number) == _root(parents, pair.origin)


def _bundled(pair: Pair) -> Pair:
    return msgspec.structs.replace(
        pair,
        certain=False,
        confidence=round(pair.confidence / 2, 3),
        doubt=f"#{pair.number} carries several changes",
    )


def _group(
    members: Mapping[int, Member], numbers: Iterable[int], pairs: Iterable[Pair]
) -> ChangeGroup:
    """Make a group; it is told under the oldest request that came of no other one in it."""
    kept, ties = tuple(numbers), tuple(pairs)
    derived = {pair.number for pair in ties}
    first = [number for number in kept if number not in derived] or list(kept)
    lead = min(first, key=lambda number: (members[number].opened_at, number))
    return ChangeGroup(numbers=kept, lead=lead, pairs=ties)
