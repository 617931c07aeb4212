"""The times in GitHub's payloads."""

from typing import Final

from events.errors import InvalidEvent
from events.instant import INF, SECOND, Instant, parse_instant


class Moment:
    """A time as GitHub writes it: ISO 8601 with an offset, or (in pushes) seconds since 1970."""

    __slots__ = ("instant",)

    def __init__(self, instant: Instant) -> None:
        self.instant: Final = instant


def read_moment(value: object) -> Moment:
    """Read either form; raise ValueError for anything else and for times out of range."""
    if isinstance(value, str):
        instant = parse_instant(value)
    elif isinstance(value, int) and not isinstance(value, bool):
        instant = value * SECOND
    else:
        raise ValueError("expected a time: ISO 8601 text, or whole seconds since 1970")
    if not 0 <= instant < INF:
        raise ValueError(f"time out of range: {value!r:.40}")
    return Moment(instant)


def instant_of(moment: Moment | None) -> Instant | None:
    """Return the instant of a moment that may be absent."""
    return None if moment is None else moment.instant


def latest_shown(field: str, moment: Moment | None, *others: Moment | None) -> Instant:
    """Return a time that dates an object; where it lacks, the latest of the others that are shown.

    Raise InvalidEvent, with the name of the field, where none is.
    """
    at = latest(*others) if moment is None else moment.instant
    if at is None:
        raise InvalidEvent("required, and missing", path=field)
    return at


def latest(*moments: Moment | None) -> Instant | None:
    """Return the latest of those that are there: the payload was made no earlier than that."""
    return max((moment.instant for moment in moments if moment is not None), default=None)
