"""Marks: moments at which an observation or a census proves something of a request's state."""

from collections.abc import Iterator, Sequence
from typing import Final

import msgspec

from events.facts.base import Trust
from events.instant import Instant
from projections.pull_requests.observation import (
    CensusSighting,
    Observation,
    lacks_outcome,
    shows_merge,
)

#: In the order in which marks of one instant are taken (MODEL.md 3, lifecycle).
OPENED, OPEN, REOPENED, NOT_OPEN, UNKNOWN, CLOSED, MERGED = range(7)

_EVIDENCE_RANK: Final = {"stated": 0, "shown": 1, "census": 2}


class Mark(msgspec.Struct, frozen=True, kw_only=True):
    """At `at` a source proves `kind`."""

    at: Instant
    kind: int
    evidence: str
    record_id: str
    flags: tuple[str, ...] = ()


def marks(observations: Sequence[Observation], censuses: Sequence[CensusSighting]) -> list[Mark]:
    """Return the marks in order, one for each (instant, kind): the most direct proof of it.

    Merges are not among them: they absorb everything and are found on their own.
    """
    best: dict[tuple[Instant, int], tuple[tuple[int, Instant, str, str], Mark]] = {}
    shown = [sighting for sighting in observations if _is_shown(sighting)]
    opened_at = _opened_at(shown)
    for sighting in shown:
        for mark in _marks_of(sighting, opened_at):
            rank = (
                _EVIDENCE_RANK[mark.evidence],
                sighting.fact.at,
                sighting.digest,
                sighting.record_id,
            )
            key = (mark.at, mark.kind)
            if key not in best or rank < best[key][0]:
                best[key] = (rank, mark)
    dated = [mark for _, mark in best.values()]
    if observations:
        dated += _census_marks(observations[0].fact.number, opened_at, censuses)
    return sorted(dated, key=lambda mark: (mark.at, mark.kind, mark.record_id))


def _is_shown(sighting: Observation) -> bool:
    """Tell whether GitHub showed it: in a full object, or trimmed in an archive. Commits say only
    that they land it.
    """
    trust = sighting.fact.trust
    return trust >= Trust.ARCHIVE_FULL or trust is Trust.ARCHIVE_STUB


def _opened_at(shown: Sequence[Observation]) -> Instant | None:
    """Return the creation time: GitHub never changes it; should sources differ, the best wins."""
    dated = [sighting for sighting in shown if sighting.fact.created_at is not None]
    if not dated:
        return None
    return max(dated, key=lambda sighting: (sighting.fact.trust, sighting.order)).fact.created_at


def _marks_of(sighting: Observation, opened_at: Instant | None) -> Iterator[Mark]:
    fact = sighting.fact
    if opened_at is not None and fact.created_at == opened_at:
        yield _mark(sighting, opened_at, OPENED, stated=fact.kind == "opened")
    if shows_merge(fact):
        return
    if lacks_outcome(fact):
        yield _mark(sighting, fact.at, UNKNOWN, stated=True)
    elif fact.kind == "reopened":
        yield _mark(sighting, fact.at, REOPENED, stated=True)
    elif fact.state == "open":
        yield _mark(sighting, fact.at, OPEN, stated=False)
    elif fact.state == "closed" and fact.closed_at is not None:
        yield _mark(sighting, fact.closed_at, CLOSED, stated=fact.kind == "closed")


def _mark(sighting: Observation, at: Instant, kind: int, *, stated: bool) -> Mark:
    return Mark(
        at=at, kind=kind, evidence="stated" if stated else "shown", record_id=sighting.record_id
    )


def _census_marks(
    number: int, opened_at: Instant | None, censuses: Sequence[CensusSighting]
) -> Iterator[Mark]:
    """A complete census proves of every request that existed whether it was open."""
    for listing in censuses:
        census = listing.fact
        if not census.complete or number > census.highest_number:
            continue
        is_open = number in census.open_numbers
        if is_open or (opened_at is not None and opened_at <= census.at):
            yield Mark(
                at=census.at,
                kind=OPEN if is_open else NOT_OPEN,
                evidence="census",
                record_id=listing.record_id,
            )
