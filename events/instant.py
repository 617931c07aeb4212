"""Instants: whole microseconds since 1970-01-01T00:00:00Z, always UTC.

Every time inside Shipledger is such an integer, so that comparing, storing and hashing can never
lose an offset. Text and `datetime` are met only at the edges, through the functions here.
"""

import re
from datetime import UTC, datetime, timedelta
from typing import Final, TypeAlias

Instant: TypeAlias = int

#: Greater than every real instant: 9999-12-31T23:59:59.999999Z, the end that has not come.
INF: Final[Instant] = 253_402_300_799_999_999

SECOND: Final = 1_000_000
HOUR: Final = 3_600 * SECOND
DAY: Final = 24 * HOUR

_EPOCH: Final = datetime(1970, 1, 1, tzinfo=UTC)
_FIRST: Final[Instant] = -62_135_596_800_000_000
_LEAP_SECOND: Final = re.compile(r"^(.{0,16}[T ]\d{2}:\d{2}):60(?:\.\d++)?(.*)$")


class OutOfRange(ValueError):
    """A time that the calendar has at its own offset, and not in UTC."""


def parse_instant(text: str) -> Instant:
    """Read an ISO 8601 time with its offset; raise ValueError where the offset is missing.

    A leap second (`23:59:60`) becomes the last microsecond of its minute: it stays in its month.
    """
    leap = _LEAP_SECOND.match(text)
    if leap:
        text = f"{leap[1]}:59.999999{leap[2]}"
    moment = datetime.fromisoformat(text)
    if moment.tzinfo is None:
        raise ValueError(f"time without an offset: {text!r} (write 2026-07-01T00:00:00Z)")
    return from_datetime(moment)


def format_instant(instant: Instant) -> str:
    """Write an instant as RFC 3339 in UTC, with microseconds only where there are any."""
    return to_datetime(instant).isoformat().replace("+00:00", "Z")


def from_datetime(moment: datetime) -> Instant:
    """Turn an aware datetime into an instant; raise ValueError for a naive one, and
    OutOfRange where UTC has no such day (before year 1 or after year 9999).
    """
    if moment.tzinfo is None:
        raise ValueError("a datetime without a time zone is not an instant")
    instant = (moment - _EPOCH) // timedelta(microseconds=1)
    if not _FIRST <= instant <= INF:
        raise OutOfRange(f"{moment.isoformat()} is outside of the years 1 to 9999")
    return instant


def to_datetime(instant: Instant) -> datetime:
    """Turn an instant into an aware datetime in UTC."""
    return _EPOCH + timedelta(microseconds=instant)
