"""Where linked issues that were transferred are now, as far as the log holds that repository."""

from collections.abc import Iterable
from dataclasses import replace
from typing import Final

from events.errors import NotFound
from events.facts.issue import MovedTo
from events.instant import Instant
from projections.repositories.queries import find
from projections.roadmap_status.queries import sightings_of
from projections.roadmap_status.status.facts import NumberFacts
from projections.store.snapshot import Snapshot

_FARTHEST: Final = 5
"""Transfers of one issue that are followed."""


def followed(
    snapshot: Snapshot, facts: Iterable[NumberFacts], known_at: Instant
) -> dict[int, NumberFacts]:
    """Return facts with those of the place that a transfer led to; others stay as they are."""
    return {known.number: _follow(snapshot, known, known_at, _FARTHEST) for known in facts}


def _follow(snapshot: Snapshot, known: NumberFacts, known_at: Instant, steps: int) -> NumberFacts:
    target = known.moved_to
    if target is None or not steps:
        return known
    there = _facts_of(snapshot, target, known_at)
    if there is None:
        return known
    return replace(known, there=_follow(snapshot, there, known_at, steps - 1))


def _facts_of(snapshot: Snapshot, target: MovedTo, known_at: Instant) -> NumberFacts | None:
    try:
        repo = find(snapshot, target.repository).repo
    except NotFound:
        return None
    sightings = sightings_of(snapshot, repo, [target.number], known_at).get(target.number)
    return NumberFacts(number=target.number, issue=tuple(sightings)) if sightings else None
