"""Hourly files: which hour a file is of, its lines, and whether it is whole.

A file that is missing, empty, cut off or nearly empty is no hour without activity: it is an hour of
which nobody knows (GITHUB_FACTS 4.4).
"""

import gzip
import re
import zlib
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Final

from events.errors import InvalidQuestion
from events.instant import HOUR, Instant, from_datetime

_NAME: Final = re.compile(r"([0-9]{4}-[0-9]{2}-[0-9]{2})-([0-9]{1,2})\.json(?:\.gz)?")
#: Until then lines had another form, without ids, and files were named by another zone's hours.
_FIRST: Final = from_datetime(datetime(2015, 1, 1, tzinfo=UTC))
#: From this hour on the archive asked for one page of the timeline alone.
THINNED_FROM: Final = from_datetime(datetime(2025, 5, 25, tzinfo=UTC))
FEWEST_EVENTS: Final = 100
"""A whole hour of GitHub has tens of thousands; hours with one event are known."""
_LONGEST_LINE: Final = 64 * 1024 * 1024

NAMES: Final = "YYYY-MM-DD-H.json.gz"


def hour_of(path: Path) -> Instant:
    """Return the hour that a file is of; raise InvalidQuestion where it cannot be read."""
    match = _NAME.fullmatch(path.name)
    hour = int(match[2]) if match else 24
    if match is None or hour > 23:
        raise InvalidQuestion(
            f"{path.name} is no file of GH Archive: those are named {NAMES}, such as "
            "2020-08-21-9.json.gz"
        )
    try:
        day = datetime.strptime(match[1], "%Y-%m-%d").replace(tzinfo=UTC)
    except ValueError:
        raise InvalidQuestion(f"{path.name}: there is no day {match[1]}") from None
    at = from_datetime(day) + hour * HOUR
    if at < _FIRST:
        raise InvalidQuestion(
            f"{path.name} is of before 2015, when the archive had another form (no ids, other "
            "zones); it cannot be read. Give files of 2015-01-01 and later"
        )
    return at


class HourFile:
    """The lines of one file; once they were read, it tells what was wrong with it."""

    def __init__(self, path: Path) -> None:
        self.path, self.hour = path, hour_of(path)
        self.lines = 0
        self.fault: str | None = None
        """Why the hour is not known as a whole; None where nothing says so."""

    def __iter__(self) -> Iterator[bytes]:
        """Yield the lines as far as they can be read; raise OSError where there is no such file."""
        opening = gzip.open if self.path.suffix == ".gz" else open
        try:
            with opening(self.path, "rb") as file:
                while line := file.readline(_LONGEST_LINE):
                    self.lines += 1
                    yield line
        except (EOFError, gzip.BadGzipFile, zlib.error) as error:
            self.fault = f"the file is cut off or damaged after {self.lines} events ({error})"
            return
        if not self.lines:
            self.fault = "the file is empty"
        elif self.lines < FEWEST_EVENTS:
            self.fault = f"the file holds {self.lines} events, as no whole hour does"
        elif self.hour >= THINNED_FROM:
            self.fault = "since 25 May 2025 the archive holds a part of the events"
