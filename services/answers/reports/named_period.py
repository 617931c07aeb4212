"""Periods by name: `2026-07`, `2026-Q3`, `2026-W31`, `2026`, or `2026-07-01..2026-08-01`."""

import re
from datetime import date, timedelta
from typing import Final

from events.errors import InvalidQuestion
from services.answers.reports.period import Period, period

_MONTH: Final = re.compile(r"(\d{4})-(\d{2})")
_QUARTER: Final = re.compile(r"(\d{4})-[Qq]([1-4])")
_WEEK: Final = re.compile(r"(\d{4})-[Ww](\d{2})")
_YEAR: Final = re.compile(r"(\d{4})")


def named_period(text: str, zone: str) -> Period:
    """Read a period by its name; raise InvalidQuestion with the ways to write one."""
    start, dots, end = text.partition("..")
    if dots:
        return period(start, end, zone)
    try:
        first, after = _days(text)
    except ValueError:
        raise InvalidQuestion(
            f"{text!r} is not a period; write 2026-07, 2026-Q3, 2026-W31, 2026, or "
            "2026-07-01..2026-08-01 with the day after the last"
        ) from None
    return period(first.isoformat(), after.isoformat(), zone)


def _days(text: str) -> tuple[date, date]:
    """Return the first day and the day after the last; raise ValueError for anything else."""
    if named := _MONTH.fullmatch(text):
        return _months(int(named[1]), int(named[2]), 1)
    if named := _QUARTER.fullmatch(text):
        return _months(int(named[1]), 3 * int(named[2]) - 2, 3)
    if named := _WEEK.fullmatch(text):
        monday = date.fromisocalendar(int(named[1]), int(named[2]), 1)
        return monday, monday + timedelta(days=7)
    if named := _YEAR.fullmatch(text):
        return _months(int(named[1]), 1, 12)
    raise ValueError(text)


def _months(year: int, month: int, count: int) -> tuple[date, date]:
    years, place = divmod(month - 1 + count, 12)
    return date(year, month, 1), date(year + years, place + 1, 1)
