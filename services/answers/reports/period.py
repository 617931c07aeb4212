"""Periods: `[from, to)` in a named time zone, as people ask for them."""

from datetime import UTC, date, datetime, time, timedelta

import msgspec

from events.errors import InvalidQuestion
from events.instant import Instant, from_datetime, parse_instant, to_datetime
from services.runtime.zones import zone_of


class Period(msgspec.Struct, frozen=True, kw_only=True):
    """The half-open span [start, end), and the zone in which its edges were meant."""

    start: Instant
    end: Instant
    zone: str

    @property
    def first_day(self) -> date:
        """The local day of the first instant."""
        return to_datetime(self.start).astimezone(zone_of(self.zone)).date()

    @property
    def last_day(self) -> date:
        """The local day of the last instant."""
        return to_datetime(self.end - 1).astimezone(zone_of(self.zone)).date()

    @property
    def kind(self) -> str:
        """`Monthly`, `Quarterly`, `Weekly`, or empty for any other span of whole days or less."""
        if not self.whole_days:
            return ""
        first, after = self.first_day, self.last_day + timedelta(days=1)
        if first.day == 1 and after.day == 1:
            months = (after.year - first.year) * 12 + after.month - first.month
            if months == 1:
                return "Monthly"
            if months == 3 and first.month % 3 == 1:
                return "Quarterly"
        return "Weekly" if (after - first).days == 7 else ""

    @property
    def name(self) -> str:
        """The period for a title: `July 2026`, `Q3 2026`, or its first and last day."""
        first = self.first_day
        if self.kind == "Monthly":
            return f"{first:%B} {first.year}"
        if self.kind == "Quarterly":
            return f"Q{(first.month + 2) // 3} {first.year}"
        return f"{first.isoformat()} through {self.last_day.isoformat()}"

    @property
    def whole_days(self) -> bool:
        """Whether it begins and ends at midnights of its zone."""
        edges = (midnight(self.first_day, self.zone), midnight(self.last_day, self.zone, days=1))
        return edges == (self.start, self.end)


def midnight(day: date, zone: str, *, days: int = 0) -> Instant:
    """Return the first instant of a local day (`days` later)."""
    local = datetime.combine(day + timedelta(days=days), time(), tzinfo=zone_of(zone))
    return from_datetime(local.astimezone(UTC))


def edge(text: str, zone: str) -> Instant:
    """Read an edge of a period: a local day (`2026-07-01`), or an instant with its offset."""
    try:
        return midnight(date.fromisoformat(text), zone)
    except ValueError:
        pass
    return moment(text)


def moment(text: str) -> Instant:
    """Read an instant with its offset; raise InvalidQuestion with the way to write it."""
    try:
        return parse_instant(text)
    except ValueError as error:
        raise InvalidQuestion(
            f"{text!r} is not a day or a time with its offset; "
            "write 2026-07-01 or 2026-07-01T00:00:00Z"
        ) from error


def period(start: str, end: str, zone: str) -> Period:
    """Read a period as asked; raise InvalidQuestion where it is empty or unreadable."""
    asked = Period(start=edge(start, zone), end=edge(end, zone), zone=zone)
    if asked.start >= asked.end:
        raise InvalidQuestion(
            f"the period from {start} to {end} is empty; `to` is the first moment after it "
            "(July is from 2026-07-01 to 2026-08-01)"
        )
    return asked
