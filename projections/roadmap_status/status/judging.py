"""All items of one version judged together: what is below an item counts for it. Pure.

A child with a status word of its own is judged alone and brings nothing to the item above it, nor
does one that was dropped; any other child's links are the parent's too, each number once. Nested
roadmaps and sub-issues are looked into; what leads back to itself ends there.
"""

from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final

import msgspec
from msgspec.structs import replace

from events.facts.roadmap import RoadmapItemDecided
from events.instant import Instant
from projections.roadmap_status.editions.identity import Match
from projections.roadmap_status.items.links import LinkKind, LinkRole
from projections.roadmap_status.reading import Reference
from projections.roadmap_status.status.facts import NumberFacts, Outcome
from projections.roadmap_status.status.parts import Part, counting, parts_of, tracked
from projections.roadmap_status.status.status import (
    DROPPED,
    Basis,
    Status,
    StatusKind,
    beside_claim,
    of_issues,
    of_items,
    of_requests,
    of_text,
)
from projections.roadmap_status.status.undoing import without_undone
from projections.roadmap_status.words.states import State

Nested = Callable[[Reference], "Status | None"]
"""Tells the status of a whole roadmap that an item links to; None where it is none."""

_KINDS: Final[Mapping[str, StatusKind]] = {kind.value: kind for kind in StatusKind}


@dataclass(frozen=True, slots=True, kw_only=True)
class JudgingContext:
    """What items are judged by, at one moment."""

    moment: Instant
    facts: Mapping[int, NumberFacts]
    decisions: Mapping[str, tuple[tuple[str, RoadmapItemDecided], ...]] = field(
        default_factory=dict
    )
    """By item id: (record, decision), in their order."""
    subs: Mapping[int, tuple[int, ...]] = field(default_factory=dict)
    """The sub-issues of issues."""
    nested: Nested = lambda _: None


class JudgedItem(msgspec.Struct, frozen=True, kw_only=True):
    """An item with its parts and its status."""

    match: Match
    parts: tuple[Part, ...]
    counted: tuple[Part, ...]
    """The parts that the status rests on, those of items below included."""
    status: Status

    @property
    def id(self) -> str:
        """Return the item's id."""
        return self.match.id


@dataclass(slots=True)
class _Below:
    """What the items below one bring to it."""

    requests: list[Part] = field(default_factory=list)
    issues: list[Part] = field(default_factory=list)
    statuses: list[Status] = field(default_factory=list)


def judge(matches: Sequence[Match], context: JudgingContext) -> tuple[JudgedItem, ...]:
    """Judge the items of one version, given in their walk (parents before children)."""
    judged_items: list[JudgedItem] = []
    below: dict[str, _Below] = defaultdict(_Below)
    for match in reversed(matches):
        judged = _judge(match, below[match.id], context)
        judged_items.append(judged)
        if match.parent is not None:
            _bring(judged, below[match.id], below[match.parent])
    return tuple(reversed(judged_items))


def summed(judged: Iterable[JudgedItem]) -> Status | None:
    """Return the status of a roadmap as a whole: that of its items which are nested in none."""
    return of_items([item.status for item in judged if item.match.parent is None])


def _judge(match: Match, below: _Below, context: JudgingContext) -> JudgedItem:
    item, decided = match.item, context.decisions.get(match.id, ())
    decisions = [decision for _, decision in decided]
    parts = without_undone(item, parts_of(item, context.facts, context.moment, decisions))
    dropped = item.claim.state is State.DROPPED
    if dropped:  # what is below stands for itself
        below = _Below()
    counted = (*counting(item, parts), *below.requests)
    status = (
        of_requests(counted)
        or _of_issues([*tracked(parts), *below.issues], context)
        or (DROPPED if dropped else None)
        or of_items([*below.statuses, *_nested(parts, context)])
        or _untold(parts)
        or of_text(item.claim)
    )
    status = _decided(beside_claim(status, item.claim), decided)
    return JudgedItem(match=match, parts=parts, counted=counted, status=status)


def _untold(parts: Sequence[Part]) -> Status | None:
    """Return that it is unknown where what tracks it is; None where nothing does."""
    names = [
        part.name
        for part in parts
        if part.role is LinkRole.TRACKING and not part.state.outcome.is_known
    ]
    if not names:
        return None
    return Status(kind=StatusKind.UNKNOWN, basis=Basis.ISSUES, because=tuple(names))


def _bring(child: JudgedItem, below_child: _Below, above: _Below) -> None:
    above.statuses.insert(0, child.status)
    if child.status.kind is StatusKind.DROPPED:
        return
    if child.match.item.claim.words is State.NONE and child.status.basis is not Basis.DECISION:
        above.requests[:0] = child.counted
        above.issues[:0] = [*tracked(child.parts), *below_child.issues]


def _of_issues(parts: Sequence[Part], context: JudgingContext) -> Status | None:
    status = of_issues(parts)
    if status is None or status.kind is not StatusKind.OPEN:
        return status
    linked = {part.link.reference.number for part in parts}
    below = (number for own in linked for number in _within(own, context))
    whole = [number for number in sorted({*below}) if number not in linked]
    done = [n for n in whole if context.facts[n].at(context.moment).outcome is Outcome.ISSUE_DONE]
    if not done and all(part.name in status.because for part in parts):
        return status
    left = [f"#{number}" for number in whole if number not in done]
    return replace(status, kind=StatusKind.PARTLY, left=(*status.because, *left))


def _within(number: int, context: JudgingContext) -> list[int]:
    """Return the sub-issues of an issue at any depth, each once."""
    children: list[int] = []
    waiting, visited = list(context.subs.get(number, ())), {number}
    while waiting:
        child = waiting.pop(0)
        if child not in visited and child in context.facts:
            visited.add(child)
            children.append(child)
            waiting += context.subs.get(child, ())
    return children


def _nested(parts: Iterable[Part], context: JudgingContext) -> list[Status]:
    linked = [
        part
        for part in parts
        if part.link.kind is LinkKind.ROADMAP and part.role is not LinkRole.MENTION
    ]
    statuses = (context.nested(part.link.reference) for part in linked)
    return [status for status in statuses if status is not None]


def _decided(status: Status, decided: Iterable[tuple[str, RoadmapItemDecided]]) -> Status:
    """Let a person's decision about the item hold; the last one does."""
    about = [decision for decision in decided if decision[1].link is None]
    record_id, decision = about[-1] if about else ("", None)
    kind = _KINDS.get(decision.status or "") if decision is not None else None
    if decision is None or kind is None:
        return status
    return replace(
        status,
        kind=kind,
        basis=Basis.DECISION,
        branches=decision.branches or (status.branches if kind.is_complete else ()),
        since=decision.decided_at,
        record_id=record_id,
    )
