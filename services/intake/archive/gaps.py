"""What an archive does not show of a repository, as gaps; and gaps that later files fill."""

from collections.abc import Iterable, Iterator, Mapping
from itertools import pairwise
from typing import Final

import msgspec

from events.facts.repository import ArchiveRead, GapFilled, GapObserved
from events.identity import RepositoryKey
from events.instant import HOUR, Instant
from events.record import Record
from events.sources import authored
from events.sources.authored import author

PREFIX: Final = "GH Archive: "
MISSING: Final = "the file is missing"
_TYPES: Final = ("shipledger.gap", "shipledger.gap_filled", "shipledger.archive_read")


class Gap(msgspec.Struct, frozen=True):
    """A gap that an import named and nothing has filled."""

    record_id: str
    start: Instant
    end: Instant
    reason: str

    @property
    def hours(self) -> range:
        """The hours of which nothing certain is known."""
        return range(self.start, self.end, HOUR)


class Knowledge(msgspec.Struct):
    """What earlier imports of a repository read, and the gaps that they left."""

    gaps: dict[str, Gap] = {}
    read: set[Instant] = set()
    """Hours, those of gaps among them."""

    def add(self, record: Record) -> None:
        """Take in a record of the repository, of any kind, in the log's order."""
        if record.type not in _TYPES:
            return
        facts = authored.translate(record)
        for fact in () if isinstance(facts, str) else facts:
            match fact:
                case GapObserved() if fact.reason.startswith(PREFIX):
                    reason = fact.reason.removeprefix(PREFIX)
                    self.gaps[record.id] = Gap(record.id, fact.start, fact.end, reason)
                case GapFilled():
                    self.gaps.pop(fact.gap, None)
                case ArchiveRead():
                    self.read.update(range(fact.start, fact.end, HOUR))

    def missing(self, hours: Iterable[Instant]) -> Iterator[Instant]:
        """Yield the hours between the first and the last that no import read."""
        for earlier, later in pairwise(sorted({*hours})):
            yield from (
                hour for hour in range(earlier + HOUR, later, HOUR) if hour not in self.read
            )

    def records(
        self,
        repository: RepositoryKey,
        hours: Iterable[Instant],
        faults: Mapping[Instant, str],
        *,
        now: Instant,
    ) -> Iterator[Record]:
        """Yield what is to be recorded after files of some hours were read, some with faults.

        A gap of which some hours are known now is filled, and what is left of it is named anew.
        """
        hours = {*hours}
        faulty = dict.fromkeys(self.missing(hours), MISSING) | dict(faults)
        whole = hours - faulty.keys()
        named: set[Instant] = set()
        for gap in self.gaps.values():
            if whole.isdisjoint(gap.hours):
                named.update(gap.hours)
                continue
            yield author(repository, GapFilled(gap=gap.record_id), time=now)
            left = (hour for hour in gap.hours if hour not in whole)
            faulty = dict.fromkeys(left, gap.reason) | faulty
        new = {hour: reason for hour, reason in faulty.items() if hour not in named}
        for start, end, reason in spans(new):
            fact = GapObserved(start=start, end=end, reason=PREFIX + reason)
            yield author(repository, fact, time=now)
        if hours:
            read = ArchiveRead(start=min(hours), end=max(hours) + HOUR)
            yield author(repository, read, time=now)


def spans(faulty: Mapping[Instant, str]) -> list[tuple[Instant, Instant, str]]:
    """Return neighbouring hours of one reason as spans [start, end)."""
    found: list[tuple[Instant, Instant, str]] = []
    for hour in sorted(faulty):
        start, end, reason = found[-1] if found else (hour, hour, "")
        if found and end == hour and reason == faulty[hour]:
            found[-1] = start, hour + HOUR, reason
        else:
            found.append((hour, hour + HOUR, faulty[hour]))
    return found
