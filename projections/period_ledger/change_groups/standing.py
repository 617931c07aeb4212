"""How a change stands on each branch, and as what a period tells it. Pure.

A change is delivered where it is merged and in force. A group whose branches differ is never told
as plainly delivered, and a change that had landed elsewhere before the period is told as a port.
"""

from collections.abc import Iterable, Mapping, Set
from types import MappingProxyType
from typing import Final, Literal, TypeAlias

import msgspec

from events.instant import Instant
from projections.period_ledger.change_groups.grouping import ChangeGroup
from projections.period_ledger.change_groups.members import Kind, Member

Standing: TypeAlias = Literal[
    "delivered", "untraced", "in part", "partly delivered", "in progress", "reverted", "closed"
]
"""`untraced`: merged, as GitHub says, and on some branch no commit shows it; `in part`: some of its
commits; `partly delivered`: on some of its branches."""
Telling: TypeAlias = Literal[
    "delivered",
    "untraced",
    "in part",
    "partly delivered",
    "port",
    "resubmission",
    "in progress",
    "reverted",
    "closed",
]
BranchState: TypeAlias = Literal[
    "merged", "untraced", "partly", "reverted", "open", "closed", "closed_unknown"
]
InForce: TypeAlias = Literal["whole", "part", "none", "untraced"]
"""How much of a merged request is in force on its base, as the commits there tell; `untraced`: no
recorded commit shows the request anywhere."""


_AS_IT_STANDS: Final = ("untraced", "in part", "reverted", "closed")
"""What is told of a change before where it came from."""


class Part(msgspec.Struct, frozen=True, kw_only=True):
    """One branch: its requests of the group, ascending, and how the change stands there."""

    base: str | None
    numbers: tuple[int, ...]
    state: BranchState


class ToldGroup(msgspec.Struct, frozen=True, kw_only=True):
    """How a period tells a group: once, as `telling`, under `lead`, with every number's mark.

    `landed` are the numbers merged in the period, `earlier` those merged before it.
    """

    group: ChangeGroup
    telling: Telling
    standing: Standing
    parts: tuple[Part, ...]
    marks: tuple[str, ...]
    landed: tuple[int, ...]
    earlier: tuple[int, ...]

    @property
    def lead(self) -> int:
        """The number under which it is told."""
        return self.group.lead

    @property
    def plain(self) -> bool:
        """Whether it may stand among the delivered ones without a word about its state."""
        return self.telling == "delivered"


def parts_of(
    group: ChangeGroup,
    members: Mapping[int, Member],
    reverts: Iterable[tuple[int, int]] = (),
    in_force: Mapping[int, InForce] = MappingProxyType({}),
) -> tuple[Part, ...]:
    """Return the group's branches by name; `reverts` are (revert, target) of the repository.

    What is `in_force` by the commits of a branch comes before what requests say of each other.
    """
    by_base: dict[str | None, list[Member]] = {}
    for number in group.numbers:
        by_base.setdefault(members[number].base, []).append(members[number])
    undoing = _undoing(group, members, reverts)
    return tuple(
        Part(
            base=base,
            numbers=tuple(sorted(member.number for member in requests)),
            state=_state(requests, undoing.get(base, ()), in_force),
        )
        for base, requests in sorted(by_base.items(), key=lambda on_base: on_base[0] or "")
    )


def standing_of(parts: Iterable[Part]) -> Standing:
    """Sum up the branches."""
    states = {part.state for part in parts}
    if states == {"merged"}:
        return "delivered"
    if "untraced" in states and states <= {"merged", "untraced"}:
        return "untraced"
    if states == {"partly"}:
        return "in part"
    if states & {"merged", "untraced", "partly"}:
        return "partly delivered"
    if "open" in states:
        return "in progress"
    return "reverted" if "reverted" in states else "closed"


def tell(
    group: ChangeGroup,
    members: Mapping[int, Member],
    start: Instant,
    end: Instant,
    reverts: Iterable[tuple[int, int]] = (),
    in_force: Mapping[int, InForce] = MappingProxyType({}),
) -> ToldGroup:
    """Tell a group for the period [start, end)."""
    parts = parts_of(group, members, reverts, in_force)
    standing = standing_of(parts)
    merged = [members[n] for n in group.numbers if members[n].state == "merged"]
    landed = tuple(member.number for member in merged if start <= _ended(member) < end)
    earlier = tuple(member.number for member in merged if _ended(member) < start)
    return ToldGroup(
        group=group,
        telling=_telling(group, standing, frozenset(landed), frozenset(earlier)),
        standing=standing,
        parts=parts,
        marks=tuple(members[number].mark for number in group.numbers),
        landed=landed,
        earlier=earlier,
    )


def _telling(
    group: ChangeGroup, standing: Standing, landed: Set[int], earlier: Set[int]
) -> Telling:
    if not landed or not earlier or standing in _AS_IT_STANDS:
        return standing
    back = {pair.number for pair in group.pairs if pair.kind is Kind.RESUBMISSION}
    return "resubmission" if landed <= back else "port"


def _undoing(
    group: ChangeGroup, members: Mapping[int, Member], reverts: Iterable[tuple[int, int]]
) -> dict[str | None, list[Member]]:
    """Return, by branch, the merged requests that take the change away there."""
    by_base: dict[str | None, list[Member]] = {}
    for number, target in reverts:
        revert = members.get(number)
        if target in group.numbers and revert is not None and revert.state == "merged":
            by_base.setdefault(revert.base, []).append(revert)
    return by_base


def _state(
    requests: Iterable[Member], undoing: Iterable[Member], in_force: Mapping[int, InForce]
) -> BranchState:
    """What was merged last on the branch holds, where its commits tell nothing; a change nobody
    merged there is as good as its best request.
    """
    requests = tuple(requests)
    merged = [member for member in requests if member.state == "merged"]
    if merged:
        known = {in_force[member.number] for member in merged if member.number in in_force}
        known -= {"untraced"}
        away = max((_ended(revert) for revert in undoing), default=-1)
        if "whole" in known or (not known and max(map(_ended, merged)) >= away):
            doubted = not known and all(member.number in in_force for member in merged)
            return "untraced" if doubted else "merged"
        if "part" in known:
            return "partly"
        return "open" if any(member.state == "open" for member in requests) else "reverted"
    for state in ("open", "closed_unknown"):
        if any(member.state == state for member in requests):
            return state
    return "closed"


def _ended(member: Member) -> Instant:
    return 0 if member.ended_at is None else member.ended_at
