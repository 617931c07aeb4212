"""Periods: `[from, to)` in a named time zone, as people ask for them.

By their edges, or by name: `2026-07`, `2026-Q3`, `2026-W31`, `2026`, `2026-07-01..2026-08-01`.
"""

import re
from datetime import UTC, date, datetime, time, timedelta
from typing import Final

import msgspec

from events.errors import InvalidQuestion
from events.instant import Instant, OutOfRange, from_datetime, parse_instant, to_datetime
from services.runtime.clock import zone_of

_MONTH: Final = re.compile(r"(\d{4})-(\d{2})")
_QUARTER: Final = re.compile(r"(\d{4})-[Qq]([1-4])")
_WEEK: Final = re.compile(r"(\d{4})-[Ww](\d{2})")
_YEAR: Final = re.compile(r"(\d{4})")
#: Questions are about these years: no zone and no day after can lead out of the calendar.
_YEARS: Final = range(1900, 9999)
#: What `+08:00` becomes where the `+` of an address was read as a space.
_LOST_PLUS: Final = re.compile(r"(.*\d) (\d{2}:?\d{2})")


class Period(msgspec.Struct, frozen=True, kw_only=True):
    """The half-open span [start, end), and the zone in which its edges were meant."""

    start: Instant
    end: Instant
    zone: str

    @classmethod
    def of_days(cls, first: str, last: str, zone: str) -> "Period":
        """Return the period from one local day through another (`2026-07-31`)."""
        after = midnight(date.fromisoformat(last), zone, days=1)
        return cls(start=midnight(date.fromisoformat(first), zone), end=after, zone=zone)

    @property
    def first_day(self) -> date:
        """The local day of the first instant."""
        return to_datetime(self.start).astimezone(zone_of(self.zone)).date()

    @property
    def last_day(self) -> date:
        """The local day of the last instant."""
        return to_datetime(self.end - 1).astimezone(zone_of(self.zone)).date()

    @property
    def days(self) -> tuple[str, str] | None:
        """The first and the last local day, None where it is not of whole days."""
        if not self.whole_days:
            return None
        return self.first_day.isoformat(), self.last_day.isoformat()

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
        day = date.fromisoformat(text)
    except ValueError:
        return moment(text)
    _check_year(day.year, text)
    return midnight(day, zone)


def moment(text: str) -> Instant:
    """Read an instant with its offset; raise InvalidQuestion with the way to write it."""
    try:
        instant = parse_instant(text)
    except OutOfRange as error:
        raise InvalidQuestion(_out_of_range(text)) from error
    except ValueError as error:
        raise InvalidQuestion(_how_to_write(text)) from error
    _check_year(to_datetime(instant).year, text)
    return instant


def _how_to_write(text: str) -> str:
    lost = _LOST_PLUS.fullmatch(text)
    if lost is not None:
        return (
            f"{text!r} has a space before {lost[2]}; in an address `+` is written %2B: "
            f"{lost[1]}%2B{lost[2]}"
        )
    return (
        f"{text!r} is not a day or a time with its offset; write 2026-07-01 or 2026-07-01T00:00:00Z"
    )


def _check_year(year: int, text: str) -> None:
    if year not in _YEARS:
        raise InvalidQuestion(_out_of_range(text))


def _out_of_range(text: str) -> str:
    return f"{text!r} is out of range; ask about the years {_YEARS[0]} to {_YEARS[-1]}"


def period(start: str, end: str, zone: str) -> Period:
    """Read a period as asked; raise InvalidQuestion where it is empty or unreadable."""
    asked = Period(start=edge(start, zone), end=edge(end, zone), zone=zone)
    if asked.start >= asked.end:
        raise InvalidQuestion(
            f"the period from {start} to {end} is empty; `to` is the first moment after it "
            "(July is from 2026-07-01 to 2026-08-01)"
        )
    return asked


def named_period(text: str, zone: str) -> Period:
    """Read a period by its name; raise InvalidQuestion with the ways to write one."""
    start, dots, end = text.partition("..")
    if dots:
        return period(start, end, zone)
    try:
        if text[:4].isdigit():
            _check_year(int(text[:4]), text)
        first, after = _days(text)
    except ValueError:
        raise InvalidQuestion(
            f"{text!r} is not a period; write 2026-07, 2026-Q3, 2026-W31, 2026, or "
            "2026-07-01..2026-08-01 with the day after the last"
        ) from None
    return period(first.isoformat(), after.isoformat(), zone)


def _days(text: str) -> tuple[date, date]:
    """Return the first day and the day after the last; raise ValueError for anything else."""
    if match := _MONTH.fullmatch(text):
        return _months(int(match[1]), int(match[2]), 1)
    if match := _QUARTER.fullmatch(text):
        return _months(int(match[1]), 3 * int(match[2]) - 2, 3)
    if match := _WEEK.fullmatch(text):
        monday = date.fromisocalendar(int(match[1]), int(match[2]), 1)
        return monday, monday + timedelta(days=7)
    if match := _YEAR.fullmatch(text):
        return _months(int(match[1]), 1, 12)
    raise ValueError(text)


def _months(year: int, month: int, count: int) -> tuple[date, date]:
    years, place = divmod(month - 1 + count, 12)
    return date(year, month, 1), date(year + years, place + 1, 1)
