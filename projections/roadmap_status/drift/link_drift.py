"""Where what a sentence or a note says of a link differs from what the facts say of it. Pure."""

from collections.abc import Iterator
from datetime import date
from typing import Final

from events.instant import to_datetime
from projections.roadmap_status.drift.drift import Drift, DriftContext, DriftKind, parts_by_key
from projections.roadmap_status.issues import Version
from projections.roadmap_status.items.sentences import LinkClaim
from projections.roadmap_status.status.facts import Outcome
from projections.roadmap_status.status.judging import JudgedItem
from projections.roadmap_status.status.parts import Part, counting
from projections.roadmap_status.status.status import StatusKind
from projections.roadmap_status.words.dates import StatedDate
from projections.roadmap_status.words.states import State

_OPEN: Final = (Outcome.OPEN, Outcome.DRAFT, Outcome.ISSUE_OPEN)
_DONE: Final = (Outcome.MERGED, Outcome.UNTRACED, Outcome.ISSUE_DONE)
_SHUT: Final = (Outcome.CLOSED, Outcome.ISSUE_DROPPED)
_LONGEST: Final = 1
"""Days that a said date may be beside the true one: zones differ."""

#: Outcomes that each assertion agrees with, beside an unknown one.
_AGREES: Final[dict[State, tuple[Outcome, ...]]] = {
    State.IN_PROGRESS: (*_OPEN, Outcome.PARTLY, Outcome.REVERTED),
    State.OPEN: _OPEN,
    State.DRAFT: (Outcome.DRAFT,),
    State.BLOCKED: (*_OPEN, Outcome.PARTLY, Outcome.REVERTED),
    State.PLANNED: (*_OPEN, Outcome.ABSENT),
    State.NOT_DONE: (*_OPEN, *_SHUT, Outcome.PARTLY, Outcome.REVERTED, Outcome.ABSENT),
    State.DROPPED: (*_SHUT, Outcome.REVERTED, Outcome.ABSENT),
    State.CLOSED_UNMERGED: _SHUT,
    State.CLOSED: (*_SHUT, *_DONE),
}


def link_drift(judged: JudgedItem, context: DriftContext, version: Version) -> Iterator[Drift]:
    """Yield how the assertions about single links differ from what is true of them."""
    by_key = parts_by_key(judged.parts)
    for claim in judged.match.item.link_claims:
        part = by_key.get(claim.link.key) if claim.link is not None else None
        if part is None or not part.state.outcome.is_known:
            continue
        kind, text = _compared(claim, part, judged, context)
        if kind is not None:
            yield _drift(kind, f'{part.name}, "{claim.text}": {text}', part)
        elif claim.date is not None and claim.state.done:
            yield from _dated(claim.date, part, version)


def date_drift(judged: JudgedItem, version: Version) -> Iterator[Drift]:
    """Yield how the date that an item claims of itself differs from its last landing."""
    claim, status = judged.match.item.claim, judged.status
    if claim.date is None or not claim.state.done or status.kind is not StatusKind.DELIVERED:
        return
    for part in judged.counted:
        if part.name in status.because and part.state.since == status.since:
            yield from _dated(claim.date, part, version)
            return


def _compared(
    claim: LinkClaim, part: Part, judged: JudgedItem, context: DriftContext
) -> tuple[DriftKind | None, str]:
    outcome = part.state.outcome
    if claim.state.done:
        return _done(claim, part, judged, context)
    agrees = _AGREES.get(claim.state)
    if agrees is None or outcome in agrees:
        return None, ""
    if outcome in _DONE:
        dropped = claim.state is State.DROPPED
        kind = DriftKind.CLAIMED_DROPPED if dropped else DriftKind.CLAIMED_OPEN
        return kind, f"it is {outcome}{_where(part)}"
    return DriftKind.STALE, f"it is {outcome}"


def _done(
    claim: LinkClaim, part: Part, judged: JudgedItem, context: DriftContext
) -> tuple[DriftKind | None, str]:
    outcome = part.state.outcome
    if outcome is Outcome.REVERTED:
        others = counting(judged.match.item, judged.parts)
        back = part.counts and part not in others
        return (None, "") if back or _by_other(claim, judged) else (DriftKind.REVERTED, "reverted")
    if outcome not in _DONE:
        return DriftKind.ABSENT, f"it is {outcome}"
    for branch in claim.branches:
        if part.state.branches and not context.is_on(branch, part.state.branches):
            return DriftKind.ELSEWHERE, f"not on {branch}, only{_where(part)}"
    return None, ""


def _by_other(claim: LinkClaim, judged: JudgedItem) -> bool:
    """Tell whether the text names what brought it back, and that is there."""
    if claim.state is not State.RESTORED or claim.by is None:
        return False
    other = parts_by_key(judged.parts).get(claim.by.key)
    return other is not None and other.state.outcome is Outcome.MERGED


def _dated(stated: StatedDate, part: Part, version: Version) -> Iterator[Drift]:
    days = [to_datetime(landing.at).date() for landing in part.state.landings]
    if not days and part.state.since is not None:
        days = [to_datetime(part.state.since).date()]
    claimed = stated.near(to_datetime(version.at).date())
    if days and all(abs((claimed - day).days) > _LONGEST for day in days):
        yield _drift(
            DriftKind.WRONG_DATE,
            f"{part.name}: the text says {claimed}, it was {_nearest(claimed, days)}",
            part,
        )


def _nearest(claimed: date, days: list[date]) -> date:
    return min(days, key=lambda day: (abs((claimed - day).days), day))


def _where(part: Part) -> str:
    return f" on {', '.join(part.state.branches)}" if part.state.branches else ""


def _drift(kind: DriftKind, text: str, part: Part) -> Drift:
    return Drift(
        kind=kind,
        text=text,
        links=(part.name,),
        of_link=True,
        since=part.state.since,
        record_id=part.state.record_id,
    )
