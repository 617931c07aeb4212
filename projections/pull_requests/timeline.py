"""The life of one pull request as a pure function of what was observed of it.

`timeline(seen, censuses)` gives the same intervals for every order and repetition of its input.
States change by *marks*: moments at which a source proves an opening, a close, a merge, or that
the request was open or not. All intervals are half-open; a span of no length is an event that
happened and the state at no instant.
"""

from collections.abc import Iterable, Sequence
from itertools import groupby

import msgspec

from events.facts.base import Trust
from events.instant import INF, Instant
from projections.pull_requests.bases import BaseSpan, base_spans
from projections.pull_requests.landed import with_landings
from projections.pull_requests.marks import (
    CLOSED,
    MERGED,
    NOT_OPEN,
    OPEN,
    OPENED,
    REOPENED,
    UNKNOWN,
    Mark,
    marks,
)
from projections.pull_requests.merges import Merge, find_merge
from projections.pull_requests.observation import (
    CensusSighting,
    IssueSighting,
    Observation,
    Sighting,
    without_copies,
)
from projections.pull_requests.spans import Enter, State, StateSpan


class Timeline(msgspec.Struct, frozen=True, kw_only=True):
    """Everything that is derived for one number; `refused` says why a git merge was not taken."""

    states: tuple[StateSpan, ...] = ()
    bases: tuple[BaseSpan, ...] = ()
    refused: tuple[str, ...] = ()


def timeline(sightings: Iterable[Sighting], censuses: Sequence[CensusSighting] = ()) -> Timeline:
    """Return the states and bases of one number."""
    known = without_copies(sightings)
    observations = [sighting for sighting in known if isinstance(sighting, Observation)]
    if not observations:
        return Timeline()
    is_issue = any(isinstance(sighting, IssueSighting) for sighting in known)
    merge, refused = find_merge(observations, censuses, is_issue=is_issue)
    states = with_landings(_walk(marks(observations, censuses), merge), observations)
    _end_of_undated(states, observations, merge)
    states += _opening_of_undated(observations)
    start = min((span.vf for span in states), default=INF)
    bases = base_spans(observations, merge, start)
    return Timeline(states=tuple(states), bases=bases, refused=refused)


def _walk(marks_left: Sequence[Mark], merge: Merge | None) -> list[StateSpan]:
    """Step through the marks up to the merge; build spans."""
    end = merge.at if merge is not None and merge.at is not None else INF
    lost = [mark for mark in marks_left if mark.kind == CLOSED and mark.at > end]
    marks_left = [
        mark for mark in marks_left if mark.at < end or (mark.at == end and mark.kind <= REOPENED)
    ]
    marks_left = _without_settled(marks_left, end if merge is not None else None)
    walk = _Walk()
    instants = [list(group) for _, group in groupby(marks_left, key=lambda mark: mark.at)]
    nexts = [group[0].kind for group in instants[1:]] + [MERGED if end < INF else None]
    for group, following in zip(instants, nexts, strict=False):
        for mark in _sequence(group, walk.state, following):
            walk.step(mark)
    if merge is not None and merge.at is not None:
        flags = merge.flags + (("contradiction",) if lost else ())
        walk.enter("merged", merge.at, merge.evidence, merge.record_id, flags)
    return walk.spans


class _Walk:
    """The state machine: which marks change the state, and what they prove."""

    def __init__(self) -> None:
        self.spans: list[StateSpan] = []

    @property
    def state(self) -> State | None:
        return self.spans[-1].state if self.spans else None

    def enter(
        self, enter: Enter, at: Instant, evidence: str, record_id: str, flags: tuple[str, ...] = ()
    ) -> None:
        if self.spans:
            self.spans[-1] = msgspec.structs.replace(self.spans[-1], vt=at)
        self.spans.append(
            StateSpan(
                vf=at, vt=INF, enter=enter, evidence=evidence, record_id=record_id, flags=flags
            )
        )

    def step(self, mark: Mark) -> None:
        state, at, evidence, record = self.state, mark.at, mark.evidence, mark.record_id
        if mark.kind == OPENED:
            if state is None:
                self.enter("opened", at, evidence, record, mark.flags)
        elif mark.kind == OPEN:
            if state in ("closed", "closed_unknown"):
                self.enter("reopened", at, "inferred", record, mark.flags)
        elif mark.kind == REOPENED:
            if state == "open":
                # it was closed before, nobody saw from when
                before = self.spans[-1]
                flags = (*before.flags, "end_not_seen")
                self.spans[-1] = msgspec.structs.replace(before, flags=flags)
                self.enter("reopened", at, evidence, record, (*mark.flags, "close_not_seen"))
            elif state is not None:
                self.enter("reopened", at, evidence, record, mark.flags)
        elif mark.kind in (UNKNOWN, NOT_OPEN):
            if state == "open" or (state is None and mark.kind == UNKNOWN):
                self.enter("closed_unknown", at, evidence, record, mark.flags)
        elif mark.kind == CLOSED:
            if state == "closed":
                # the last close moved, so it was open in between, nobody saw from when
                self.enter("reopened", at, "inferred", record)
            self.enter("closed", at, evidence, record, mark.flags)


def _sequence(group: list[Mark], state: State | None, following: int | None) -> list[Mark]:
    """Order the marks of one instant; a close and a reopening of one second need what follows."""
    kinds = {mark.kind for mark in group}
    if REOPENED in kinds:
        group = [mark for mark in group if mark.kind != OPEN]
    closing = kinds & {CLOSED, UNKNOWN}
    if REOPENED not in kinds or not closing or state in ("closed", "closed_unknown"):
        return group
    if following in (OPEN, CLOSED, UNKNOWN, MERGED):
        # it was open afterwards, so the reopening came second
        return sorted(group, key=lambda mark: (mark.kind == REOPENED, mark.kind))
    if following in (NOT_OPEN, REOPENED):
        return group
    return [msgspec.structs.replace(mark, flags=(*mark.flags, "ambiguous")) for mark in group]


def _without_settled(all_marks: Sequence[Mark], merged_at: Instant | None) -> list[Mark]:
    """Drop each unknown close whose outcome a better mark shows.

    The time of a delivery that contradicts itself is a lower bound of the close, so the next
    close or merge is the same one, unless the request was seen open in between.
    """
    return [
        mark
        for index, mark in enumerate(all_marks)
        if mark.kind != UNKNOWN
        or not (_shown_before(all_marks[:index]) or _shown_after(mark, all_marks, merged_at))
    ]


def _shown_before(before: Sequence[Mark]) -> bool:
    for mark in reversed(before):
        if mark.kind == CLOSED:
            return True
        if mark.kind in (REOPENED, OPEN, OPENED):
            return False
    return False


def _shown_after(unknown: Mark, all_marks: Sequence[Mark], merged_at: Instant | None) -> bool:
    for mark in all_marks:
        if mark.kind == CLOSED and mark.at >= unknown.at:
            return True
        if mark.kind in (REOPENED, OPEN) and mark.at > unknown.at:
            return False
    return merged_at is not None


def _opening_of_undated(observations: Sequence[Observation]) -> list[StateSpan]:
    """Return an opening without a date where the request was shown, and never when it was made."""
    full = [sighting for sighting in observations if sighting.fact.trust >= Trust.ARCHIVE_FULL]
    if not full or any(sighting.fact.created_at is not None for sighting in full):
        return []
    first = min(full, key=lambda sighting: sighting.order)
    opening = StateSpan(
        vf=INF,
        vt=INF,
        enter="opened",
        evidence="shown",
        record_id=first.record_id,
        flags=("undated",),
    )
    return [opening]


def _end_of_undated(
    states: list[StateSpan], observations: Sequence[Observation], merge: Merge | None
) -> None:
    """A merge or close without any date: the last state ends where it was seen to have ended."""
    undated = merge if merge is not None and merge.at is None else _undated_close(observations)
    if undated is None or (states and states[-1].state in ("closed", "merged")):
        return
    enter: Enter = "merged" if undated is merge else "closed"
    if states:
        end = max(states[-1].vf, undated.seen_at)
        states[-1] = msgspec.structs.replace(states[-1], vt=end)
    states.append(
        StateSpan(
            vf=INF,
            vt=INF,
            enter=enter,
            evidence=undated.evidence,
            record_id=undated.record_id,
            flags=(*undated.flags, "undated"),
        )
    )


def _undated_close(observations: Sequence[Observation]) -> Merge | None:
    """Return the newest sight of a close that names no time, unless something newer is open."""
    newest = max(observations, key=lambda sighting: (sighting.fact.trust, sighting.order))
    fact = newest.fact
    if fact.kind == "closed" or fact.state != "closed" or fact.closed_at is not None:
        return None
    return Merge(at=None, seen_at=fact.at, evidence="shown", record_id=newest.record_id)
