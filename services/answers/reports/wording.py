"""How figures and moments are written for people, the same in every format."""

from collections.abc import Mapping
from datetime import UTC
from typing import Final

import msgspec

from events.instant import INF, Instant, format_instant, to_datetime
from projections.period_ledger.counting import DEFINITIONS, LedgerEntry
from projections.period_ledger.excluding import Bound, Exclusions
from projections.period_ledger.quality import Quality
from projections.pull_requests.attributes import Attributes
from services.runtime.clock import zone_of

#: Printed in a list beside a request whose state is not beyond doubt.
FLAGS = {
    "ambiguous": "closed and reopened in one second: which came last is not known",
    "close_not_seen": "the close before it was not recorded",
    "end_not_seen": "closed at an unknown time before it was opened again",
    "contradiction": "its sources contradict each other",
    "unconfirmed": "known from git only",
    "undated": "nothing says when",
}


#: Counts of what most repositories never have: told only where there are any.
_RARE: Final = frozenset({"landed"})


def told_counts(counts: Mapping[str, int | None]) -> tuple[str, ...]:
    """Return the counts that a document tells, in their order."""
    return tuple(name for name in DEFINITIONS if name not in _RARE or counts.get(name))


def figure(value: int | None, quality: Quality) -> str:
    """Write a count: `249`, `at least 248`, `unknown`."""
    if value is None:
        return "unknown"
    return f"at least {value:,}" if quality == "at_least" else f"{value:,}"


def local(instant: Instant, zone: str) -> str:
    """Write an instant in a zone, to the minute."""
    if instant >= INF:
        return "no date"
    moment = to_datetime(instant)
    if zone in ("UTC", "Etc/UTC"):
        return f"{moment.astimezone(UTC):%Y-%m-%d %H:%M} UTC"
    return f"{moment.astimezone(zone_of(zone)):%Y-%m-%d %H:%M}"


def rfc3339(instant: Instant | None) -> str | None:
    """Write an instant for machines; None for one that does not exist."""
    return None if instant is None or instant >= INF else format_instant(instant)


def title(attributes: Attributes | None) -> str:
    """Write the title of a request, on one line."""
    if attributes is None or attributes.title is None:
        return "(title not recorded)"
    return " ".join(attributes.title.split())


def commit_author(attributes: Attributes | None) -> str | msgspec.UnsetType:
    """Return the name that git has for the author, for programs; unset where it is not needed."""
    return msgspec.UNSET if attributes is None else attributes.commit_author or msgspec.UNSET


def notes(entry: LedgerEntry) -> list[str]:
    """Write what has to be said about an entry."""
    return [FLAGS[flag] for flag in entry.flags if flag in FLAGS]


def counted(count: int, noun: str) -> str:
    """Write how many there are of something: `1 pair`, `1,200 pairs`."""
    return f"{count:,} {noun}{'' if count == 1 else 's'}"


_BOUNDS: Final[Mapping[Bound, str]] = {
    "exact": "",
    "at_least": "at least ",
    "at_most": "at most ",
    "about": "about ",
    "unknown": "",
}


def bounded(exclusions: Exclusions, name: str) -> str:
    """Write a filtered count: `207`, `at most 207`, `unknown`."""
    value = exclusions.filtered[name]
    return "unknown" if value is None else f"{_BOUNDS[exclusions.bounds[name]]}{value:,}"
