"""Time zones by their IANA names, from the pinned tzdata package."""

import zoneinfo
from functools import cache

from events.errors import InvalidQuestion


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
