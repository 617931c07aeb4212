"""The status of an item, from the states of its parts. Pure.

Requests decide where there are any; else the issues that it is linked to; else the items below it;
else its box. Words are never believed, with two exceptions that are the author's own to say: what
is dropped, and what is planned. Without any of these an item is unknown.
"""

from collections.abc import Iterable, Sequence
from enum import StrEnum
from typing import Final

import msgspec
from msgspec.structs import replace

from events.instant import Instant
from projections.roadmap_status.items.claims import Claim
from projections.roadmap_status.reading import Box
from projections.roadmap_status.status.facts import Landing, Outcome
from projections.roadmap_status.status.parts import Part, groups
from projections.roadmap_status.words.states import State


class StatusKind(StrEnum):
    """What holds of an item."""

    DELIVERED = "delivered"
    FOUNDATION = "foundation delivered"
    """What is linked is merged; the text says that more is to come."""
    PARTLY = "partly delivered"
    IN_PROGRESS = "in progress"
    CLOSED = "closed, unmerged"
    REVERTED = "reverted"
    PLANNED = "planned"
    UNKNOWN = "unknown"
    DONE = "done"
    """Of an item that is linked only to issues: closed as completed."""
    NOT_PLANNED = "closed, not planned"
    OPEN = "open"
    DROPPED = "dropped"
    """The text takes it back (struck through, out of scope), and no fact says otherwise."""

    @property
    def is_complete(self) -> bool:
        """Tell whether all that is linked is there."""
        return self in (StatusKind.DELIVERED, StatusKind.FOUNDATION, StatusKind.DONE)


class Basis(StrEnum):
    """What a status rests on."""

    REQUESTS = "requests"
    ISSUES = "issues"
    ITEMS = "items below"
    BOX = "box"
    TEXT = "text"
    """The text took it back."""
    NOTHING = "nothing linked"
    DECISION = "decision"


class Status(msgspec.Struct, frozen=True, kw_only=True):
    """The status of an item, and what made it so."""

    kind: StatusKind
    basis: Basis
    branches: tuple[str, ...] = ()
    """Those that have all of it; where no branch has, those that have it together."""
    scattered: bool = False
    """Everything is delivered, and no branch has all of it."""
    draft: bool = False
    """All that is open is draft."""
    since: Instant | None = None
    record_id: str = ""
    because: tuple[str, ...] = ()
    """The links that decided."""
    left: tuple[str, ...] = ()
    """The links that are not delivered, of an item that is partly."""
    at_least: bool = False
    """Of all that is left nothing is known: it may be delivered as a whole."""
    landings: tuple[Landing, ...] = ()
    """The first that brought it to each branch."""


PLANNED: Final = Status(kind=StatusKind.PLANNED, basis=Basis.NOTHING)
_SHUT: Final = (StatusKind.CLOSED, StatusKind.NOT_PLANNED, StatusKind.PLANNED, StatusKind.UNKNOWN)
DROPPED: Final = Status(kind=StatusKind.DROPPED, basis=Basis.TEXT)
_MORE: Final = (State.FOUNDATION_DELIVERED, State.PARTLY_DELIVERED, State.IN_PROGRESS)


def of_requests(parts: Iterable[Part]) -> Status | None:
    """Judge by requests; None where there are none. An attempt that was closed does not count
    beside one that was not, and one of another repository does not beside one that is known.
    """
    by_change = groups(parts)
    known = [group for group in by_change if not _foreign(group)] or by_change
    if not known:
        return None
    going = [group for group in known if not _all(group, Outcome.CLOSED)] or known
    delivered = [group for group in going if _any(group, Outcome.MERGED)]
    if len(delivered) == len(going):
        return _delivered(delivered)
    if delivered or any(_any(group, Outcome.PARTLY) for group in going):
        return _partly(going)
    return _undelivered([part for group in going for part in group])


def of_issues(parts: Sequence[Part]) -> Status | None:
    """Judge by issues: done when all that were not dropped are completed; None without any."""
    if not parts:
        return None
    opened = [part for part in parts if part.state.outcome is Outcome.ISSUE_OPEN]
    done = [part for part in parts if part.state.outcome is Outcome.ISSUE_DONE]
    if opened:
        kind, deciding = StatusKind.OPEN, opened
    elif done:
        kind, deciding = StatusKind.DONE, done
    else:
        kind, deciding = StatusKind.NOT_PLANNED, list(parts)
    return _status_of(kind, deciding, Basis.ISSUES)


def of_items(below: Sequence[Status]) -> Status | None:
    """Judge by the statuses of the items below; None without any, or where all are unknown.

    What was dropped is not waited for. Beside what is unknown nothing is delivered as a whole.
    """
    going = [status for status in below if status.kind is not StatusKind.DROPPED]
    if below and not going:
        return Status(kind=StatusKind.DROPPED, basis=Basis.ITEMS)
    known = [status for status in going if status.kind is not StatusKind.UNKNOWN]
    if not known:
        return None
    kinds = {status.kind for status in known}
    complete = [status for status in known if status.kind.is_complete]
    last = max(known, key=lambda status: status.since or 0)
    common = _common(complete)
    summed = replace(last, basis=Basis.ITEMS, branches=common, scattered=False, left=())
    if len(complete) == len(going):
        kind = StatusKind.DONE if kinds == {StatusKind.DONE} else StatusKind.DELIVERED
        return replace(summed, kind=kind, scattered=not common and kind is StatusKind.DELIVERED)
    if complete or StatusKind.PARTLY in kinds:
        some = dict.fromkeys(branch for status in known for branch in status.branches)
        at_least = len(complete) == len(known)
        return replace(summed, kind=StatusKind.PARTLY, branches=tuple(some), at_least=at_least)
    order = (
        StatusKind.REVERTED,
        StatusKind.IN_PROGRESS,
        StatusKind.OPEN,
        StatusKind.PLANNED,
        StatusKind.CLOSED,
        StatusKind.NOT_PLANNED,
    )
    return replace(summed, kind=next(kind for kind in order if kind in kinds))


def of_text(claim: Claim) -> Status:
    """Judge an item that is linked to nothing: a box decides, words only ask for proof."""
    if claim.box is Box.TICKED:
        return Status(kind=StatusKind.DONE, basis=Basis.BOX)
    if claim.box is Box.OPEN:
        return Status(kind=StatusKind.OPEN, basis=Basis.BOX)
    planned = claim.state in (State.PLANNED, State.NOT_DONE)
    return Status(kind=StatusKind.PLANNED if planned else StatusKind.UNKNOWN, basis=Basis.NOTHING)


def beside_claim(status: Status, claim: Claim) -> Status:
    """Return the status with what the text asserts beyond what is linked."""
    if status.kind is StatusKind.DELIVERED and claim.state in _MORE:
        return replace(status, kind=StatusKind.FOUNDATION)
    if status.kind in _SHUT and claim.state is State.DROPPED:
        return replace(status, kind=StatusKind.DROPPED)
    return status


def _delivered(by_change: Sequence[Sequence[Part]]) -> Status:
    merged = [[p for p in group if p.state.outcome is Outcome.MERGED] for group in by_change]
    branches = list(dict.fromkeys(b for group in merged for p in group for b in p.state.branches))
    whole = [b for b in branches if all(any(b in p.state.branches for p in g) for g in merged)]
    status = _status_of(
        StatusKind.DELIVERED, [_earliest(group) for group in merged], Basis.REQUESTS
    )
    return replace(
        status,
        branches=tuple(whole or branches),
        scattered=not whole and len(branches) > 1,
        because=tuple(part.name for group in merged for part in group),
        landings=tuple(_arrivals(whole or branches, merged)),
    )


def _arrivals(branches: Iterable[str], by_change: Sequence[Sequence[Part]]) -> Iterable[Landing]:
    """Yield when each branch had got all that it has of the item."""
    for branch in branches:
        last: Landing | None = None
        for group in by_change:
            here = [
                landing for p in group for landing in p.state.landings if landing.branch == branch
            ]
            first = min(here, key=lambda landing: landing.at, default=None)
            if first is not None and (last is None or first.at > last.at):
                last = first
        if last is not None:
            yield last


def _partly(by_change: Sequence[Sequence[Part]]) -> Status:
    landed = [g for g in by_change if _any(g, Outcome.MERGED) or _any(g, Outcome.PARTLY)]
    left = [group for group in by_change if not _any(group, Outcome.MERGED)]
    deciding = [part for group in landed for part in group if _landed(part)]
    status = _status_of(StatusKind.PARTLY, deciding, Basis.REQUESTS)
    branches = dict.fromkeys(b for part in deciding for b in part.state.branches)
    return replace(
        status,
        branches=tuple(branches),
        left=tuple(part.name for group in left for part in group),
        at_least=bool(left) and not any(_proven(group) for group in left),
        landings=tuple(_arrivals(branches, [[part] for part in deciding])),
    )


def _undelivered(parts: Sequence[Part]) -> Status:
    for outcomes, kind in (
        ((Outcome.REVERTED,), StatusKind.REVERTED),
        ((Outcome.OPEN, Outcome.DRAFT), StatusKind.IN_PROGRESS),
        ((Outcome.UNKNOWN, Outcome.UNTRACED), StatusKind.UNKNOWN),
        ((Outcome.CLOSED,), StatusKind.CLOSED),
    ):
        deciding = [part for part in parts if part.state.outcome in outcomes]
        if deciding:
            draft = all(part.state.outcome is Outcome.DRAFT for part in deciding)
            return replace(_status_of(kind, deciding, Basis.REQUESTS), draft=draft)
    return PLANNED


def _status_of(kind: StatusKind, deciding: Sequence[Part], basis: Basis) -> Status:
    """Name what decided; what is under way began with the first, all else with the last."""
    dated = [part for part in deciding if part.state.since is not None]
    began = kind in (StatusKind.IN_PROGRESS, StatusKind.OPEN)
    pick = min if began else max
    dating = pick(dated, key=lambda part: part.state.since or 0, default=None)
    return Status(
        kind=kind,
        basis=basis,
        since=dating.state.since if dating is not None else None,
        record_id=dating.state.record_id if dating is not None else "",
        because=tuple(part.name for part in deciding),
    )


def _earliest(group: Sequence[Part]) -> Part:
    return min(group, key=lambda part: part.state.since or 0)


def _landed(part: Part) -> bool:
    return part.state.outcome in (Outcome.MERGED, Outcome.PARTLY)


def _any(group: Sequence[Part], outcome: Outcome) -> bool:
    return any(part.state.outcome is outcome for part in group)


def _all(group: Sequence[Part], outcome: Outcome) -> bool:
    return all(part.state.outcome is outcome for part in group)


def _proven(group: Sequence[Part]) -> bool:
    return any(part.state.outcome.is_proven for part in group)


def _foreign(group: Sequence[Part]) -> bool:
    unknown = _all(group, Outcome.UNKNOWN)
    return unknown and all(part.link.reference.repository is not None for part in group)


def _common(complete: Sequence[Status]) -> tuple[str, ...]:
    placed = [status for status in complete if status.branches]
    first = placed[0].branches if placed else ()
    return tuple(branch for branch in first if all(branch in status.branches for status in placed))
