"""What an archive does not show of a repository, as gaps; and gaps that later files fill."""

from collections.abc import Iterable, Iterator, Mapping
from itertools import pairwise
from typing import Final

import msgspec

from events.facts.repository import GapFilled, GapObserved
from events.identity import RepositoryKey
from events.instant import HOUR, Instant
from events.record import Record
from events.sources import authored
from events.sources.authored import author

PREFIX: Final = "GH Archive: "
MISSING: Final = "the file is missing"


class Gap(msgspec.Struct, frozen=True):
    """A gap that an import named and nothing has filled."""

    record_id: str
    start: Instant
    end: Instant
    reason: str


def open_gaps(records: Iterable[Record]) -> list[Gap]:
    """Return the gaps of archives that stand, from the records of a repository."""
    standing: dict[str, Gap] = {}
    for record in records:
        if record.type not in ("shipledger.gap", "shipledger.gap_filled"):
            continue
        facts = authored.translate(record)
        for fact in () if isinstance(facts, str) else facts:
            if isinstance(fact, GapObserved) and fact.reason.startswith(PREFIX):
                reason = fact.reason.removeprefix(PREFIX)
                standing[record.id] = Gap(record.id, fact.start, fact.end, reason)
            elif isinstance(fact, GapFilled):
                standing.pop(fact.gap, None)
    return list(standing.values())


def missing_hours(hours: Iterable[Instant]) -> Iterator[Instant]:
    """Yield the hours between the first and the last that are not among them."""
    for earlier, later in pairwise(sorted(set(hours))):
        yield from range(earlier + HOUR, later, HOUR)


def gap_records(
    repository: RepositoryKey,
    standing: Iterable[Gap],
    read: Iterable[Instant],
    faulty: Mapping[Instant, str],
    *,
    now: Instant,
) -> Iterator[Record]:
    """Yield what is to be recorded after some hours were `read`, of which some are `faulty`.

    A gap of which some hours are known now is filled, and what is left of it is named anew.
    """
    whole = frozenset(read) - faulty.keys()
    left = dict(faulty)
    kept: set[Instant] = set()
    for gap in standing:
        hours = range(gap.start, gap.end, HOUR)
        if whole.isdisjoint(hours):
            kept.update(hours)
            continue
        yield author(repository, GapFilled(gap=gap.record_id), time=now)
        left |= {hour: gap.reason for hour in hours if hour not in whole and hour not in left}
    named = {hour: reason for hour, reason in left.items() if hour not in kept}
    for start, end, reason in spans(named):
        fact = GapObserved(start=start, end=end, reason=PREFIX + reason)
        yield author(repository, fact, time=now)


def spans(faulty: Mapping[Instant, str]) -> Iterator[tuple[Instant, Instant, str]]:
    """Yield neighbouring hours of one reason as one span [start, end)."""
    start = end = None
    reason = ""
    for hour in sorted(faulty):
        if start is not None and hour == end and faulty[hour] == reason:
            end = hour + HOUR
            continue
        if start is not None and end is not None:
            yield start, end, reason
        start, end, reason = hour, hour + HOUR, faulty[hour]
    if start is not None and end is not None:
        yield start, end, reason
