"""Where what an item claims and what the facts say differ, the gravest first. Pure.

What cannot be proved is no drift: an unknown request, an unknown release. Hints are kept apart.
"""

from collections.abc import Iterable, Iterator
from typing import Final

from msgspec.structs import replace

from projections.roadmap_status.drift.drift import Drift, DriftContext, DriftKind
from projections.roadmap_status.items.claims import Claim
from projections.roadmap_status.status.judging import JudgedItem
from projections.roadmap_status.status.status import Basis, Status, StatusKind
from projections.roadmap_status.words.states import State

#: Statuses that each claim agrees with; "in progress" agrees with a foundation.
_UNDER_WAY: Final = (StatusKind.IN_PROGRESS, StatusKind.PARTLY, StatusKind.FOUNDATION)
_AGREES: Final[dict[State, tuple[StatusKind, ...]]] = {
    State.IN_PROGRESS: (*_UNDER_WAY, StatusKind.OPEN),
    State.OPEN: (*_UNDER_WAY, StatusKind.OPEN),
    State.DRAFT: (StatusKind.IN_PROGRESS, StatusKind.OPEN, StatusKind.PARTLY),
    State.BLOCKED: (*_UNDER_WAY, StatusKind.OPEN, StatusKind.PLANNED, StatusKind.REVERTED),
    State.PLANNED: (StatusKind.PLANNED, StatusKind.OPEN),
    State.NOT_DONE: (
        *_UNDER_WAY,
        StatusKind.OPEN,
        StatusKind.PLANNED,
        StatusKind.CLOSED,
        StatusKind.REVERTED,
        StatusKind.NOT_PLANNED,
    ),
    State.DROPPED: (StatusKind.DROPPED, StatusKind.REVERTED),
    State.CLOSED_UNMERGED: (StatusKind.CLOSED, StatusKind.NOT_PLANNED),
    State.CLOSED: (StatusKind.CLOSED, StatusKind.NOT_PLANNED, StatusKind.DONE),
    State.REVERTED: (StatusKind.REVERTED,),
}
_DONE_ENOUGH: Final = (State.FOUNDATION_DELIVERED, State.PARTLY_DELIVERED)


def claim_drift(judged: JudgedItem, context: DriftContext) -> Iterator[Drift]:
    """Yield how the claim of an item itself differs from its status."""
    claim, status = judged.match.item.claim, judged.status
    if claim.state is State.NONE or status.basis in (Basis.NOTHING, Basis.BOX, Basis.TEXT):
        return
    if claim.state.done:
        yield from _claimed_done(judged, context)
    elif claim.state in _DONE_ENOUGH:
        yield from _claimed_begun(judged, context)
    elif status.kind in (StatusKind.DELIVERED, StatusKind.DONE):
        if status.kind not in _AGREES.get(claim.state, ()):
            where = f" on {_listed(status.branches)}" if status.branches else ""
            dropped = claim.state is State.DROPPED
            yield Drift(
                kind=DriftKind.CLAIMED_DROPPED if dropped else DriftKind.CLAIMED_OPEN,
                text=f"the text says {_claimed(claim)}, and it is {status.kind}{where}",
                links=status.because,
            )
    elif status.kind is not StatusKind.UNKNOWN and status.kind not in _AGREES[claim.state]:
        draft = ", as a draft" if status.draft else ""
        yield Drift(
            kind=DriftKind.STALE,
            text=f"the text says {_claimed(claim)}, and it is {status.kind}{draft}",
            links=status.because,
        )
    elif claim.state is State.DRAFT and status.kind is StatusKind.IN_PROGRESS and not status.draft:
        yield Drift(
            kind=DriftKind.STALE,
            text="the text says draft, and it is ready for review",
            links=status.because,
        )


def _claimed(claim: Claim) -> str:
    if claim.text:
        return f'"{claim.text}"'
    if claim.state is State.DROPPED:
        return "dropped (struck through)"
    return "an open box" if claim.state is State.NOT_DONE else f'"{claim.state}"'


def _claimed_done(judged: JudgedItem, context: DriftContext) -> Iterator[Drift]:
    status = judged.status
    if status.kind is StatusKind.DELIVERED:
        yield from _lacking(judged, context)
    elif status.kind is StatusKind.REVERTED:
        yield _drift(DriftKind.REVERTED, "it was reverted", status)
    elif status.kind is StatusKind.PARTLY:
        left = [part for part in judged.counted if part.name in status.left]
        proved = [part.name for part in left if part.state.outcome.is_proven]
        proved = proved or ([] if left else list(status.left))
        if proved:
            text = f"{_listed(proved)} {'is' if len(proved) == 1 else 'are'} not merged"
            yield replace(_drift(DriftKind.ABSENT, text, status), links=tuple(proved))
    elif status.kind not in (StatusKind.UNKNOWN, StatusKind.DONE, StatusKind.FOUNDATION):
        yield _drift(DriftKind.ABSENT, f"it is {status.kind}", status)


def _lacking(judged: JudgedItem, context: DriftContext) -> Iterator[Drift]:
    claim, status = judged.match.item.claim, judged.status
    if not status.branches or _together(judged, context):
        return
    for branch in claim.branches or (context.default,):
        if context.is_on(branch, status.branches) and not status.scattered:
            continue
        missing = [
            part
            for part in judged.counted
            if part.name in status.because and not context.is_on(branch, part.state.branches)
        ]
        if missing:
            tested = "" if claim.branches else " (no branch is said, so that one was tested)"
            names = tuple(part.name for part in missing)
            where = dict.fromkeys(b for part in missing for b in part.state.branches)
            text = f"{_listed(names)} not on {branch}{tested}, only on {_listed(where)}"
            yield replace(_drift(DriftKind.ELSEWHERE, text, status), links=names)


def _together(judged: JudgedItem, context: DriftContext) -> bool:
    """Tell whether the branches that are named have it together, each some of it: "delivered on
    main and dev" is said of such items too.
    """
    claimed, status = judged.match.item.claim.branches, judged.status
    if len(claimed) < 2 or not all(context.is_on(branch, status.branches) for branch in claimed):
        return False
    parts = [part for part in judged.counted if part.name in status.because]
    return all(any(context.is_on(branch, p.state.branches) for branch in claimed) for p in parts)


def _claimed_begun(judged: JudgedItem, context: DriftContext) -> Iterator[Drift]:
    """A foundation, or a part, is claimed: something has to be there, on each branch named."""
    claim, status = judged.match.item.claim, judged.status
    if status.kind is StatusKind.UNKNOWN:
        return
    if not status.kind.is_complete and status.kind is not StatusKind.PARTLY:
        kind = DriftKind.REVERTED if status.kind is StatusKind.REVERTED else DriftKind.ABSENT
        yield _drift(kind, f"nothing of it is there: it is {status.kind}", status)
        return
    branches = [branch for part in judged.counted for branch in part.state.branches]
    branches += status.branches
    for branch in claim.branches:
        if branches and not context.is_on(branch, branches):
            text = f"nothing of it is on {branch}, only on {_listed(dict.fromkeys(branches))}"
            yield _drift(DriftKind.ELSEWHERE, text, status)


def release_drift(judged: JudgedItem, context: DriftContext) -> Iterator[Drift]:
    """Yield how the releases that an item names differ from what they hold."""
    for stated in judged.match.item.claim.releases:
        if judged.status.kind is StatusKind.DROPPED:
            return
        release = context.releases.find(stated.name)
        if release is None or release.at > context.moment or not judged.counted:
            continue
        holding = context.releases.holding(release, judged.counted)
        if not holding.lacking:
            continue
        kind = DriftKind.TARGET_PASSED if stated.target else DriftKind.NOT_IN_RELEASE
        named = stated.name if stated.name == release.tag else f"{stated.name} ({release.tag})"
        yield Drift(
            kind=kind,
            text=f"{named} is out and does not hold {_listed(holding.lacking)}",
            links=holding.lacking,
            since=release.at,
            record_id=release.record_id,
        )


def _drift(kind: DriftKind, text: str, status: Status) -> Drift:
    return Drift(kind=kind, text=text, links=status.because)


def _listed(words: Iterable[str]) -> str:
    *others, last = [*words] or [""]
    return f"{', '.join(others)} and {last}" if others else last
