"""The wall clock, which is read here only (everything else is handed a `Clock`), and time zones by
their IANA names, from the pinned tzdata package.
"""

import time
import zoneinfo
from functools import cache

from events.errors import InvalidQuestion
from events.instant import Instant


def wall_clock() -> Instant:
    """Return the present moment in microseconds, UTC."""
    return time.time_ns() // 1000


@cache
def zone_of(name: str) -> zoneinfo.ZoneInfo:
    """Return a zone of the pinned tzdata package, whatever this machine has installed."""
    system = zoneinfo.TZPATH
    zoneinfo.reset_tzpath(to=())
    try:
        return zoneinfo.ZoneInfo.no_cache(name)
    except (zoneinfo.ZoneInfoNotFoundError, ValueError, OSError) as error:
        raise InvalidQuestion(
            f"unknown time zone {name!r}; write an IANA name such as Asia/Shanghai or UTC"
        ) from error
    finally:
        zoneinfo.reset_tzpath(to=system)
