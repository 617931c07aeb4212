"""Dates as people write them in a sentence, often without a year."""

import re
from collections.abc import Iterator
from datetime import date
from typing import Final

import msgspec

_MONTHS: Final = (
    "jan",
    "feb",
    "mar",
    "apr",
    "may",
    "jun",
    "jul",
    "aug",
    "sep",
    "oct",
    "nov",
    "dec",
)
_MONTH: Final = (
    r"(?P<{0}>jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?"
    r"|sept?(?:ember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)\.?"
)
_DAY: Final = r"(?P<{0}>[0-3]?[0-9])(?:st|nd|rd|th)?"
_YEAR: Final = r"(?:,?\s++(?P<{0}>20[0-9]{{2}}))?(?![0-9])"
_DATE: Final = re.compile(
    r"(?<![0-9A-Za-z])(?:"
    r"(?P<y1>20[0-9]{2})[-/.](?P<m1>[01]?[0-9])[-/.](?P<d1>[0-3]?[0-9])(?![0-9])"
    rf"|{_MONTH.format('m2')}\s++{_DAY.format('d2')}{_YEAR.format('y2')}"
    rf"|{_DAY.format('d3')}\s++(?:of\s++)?{_MONTH.format('m3')}{_YEAR.format('y3')})"
    r"|(?:(?P<y4>20[0-9]{2})\s*+年\s*+)?(?P<m4>[01]?[0-9])\s*+月\s*+(?P<d4>[0-3]?[0-9])\s*+[日号]",
    re.IGNORECASE,
)
_DIGIT: Final = re.compile("[0-9]")
_LEAP_YEAR: Final = 2024


class StatedDate(msgspec.Struct, frozen=True):
    """A day as said; the year is None where none is said."""

    month: int
    day: int
    year: int | None = None

    def near(self, written: date) -> date:
        """Return the day meant by a text that was written on a day.

        Without a year it is the nearest such day: what is told of is seldom half a year away.
        """
        if self.year is not None:
            return date(self.year, self.month, self.day)
        years = [y for y in range(written.year - 4, written.year + 5) if self._exists(y)]
        candidates = (date(year, self.month, self.day) for year in years)
        return min(candidates, key=lambda day: (abs((day - written).days), day))

    def _exists(self, year: int) -> bool:
        try:
            date(year, self.month, self.day)
        except ValueError:
            return False
        return True

    @classmethod
    def of(cls, month: int, day: int, year: int | None) -> "StatedDate | None":
        """Return the day, or None where the calendar has no such day."""
        try:
            date(_LEAP_YEAR if year is None else year, month, day)
        except ValueError:
            return None
        return cls(month, day, year)


def find_dates(text: str) -> Iterator[tuple[int, int, StatedDate]]:
    """Yield (start, end, day) of each date in a text, in order."""
    if not _DIGIT.search(text):
        return
    for match in _DATE.finditer(text):
        for form in "1234":
            day = match[f"d{form}"]
            if day is None:
                continue
            year, month = match[f"y{form}"], match[f"m{form}"]
            number = int(month) if month.isdigit() else _month(month)
            stated = StatedDate.of(number, int(day), int(year) if year else None)
            if stated is not None:
                yield match.start(), match.end(), stated


def _month(name: str) -> int:
    return _MONTHS.index(name.lower()[:3]) + 1
