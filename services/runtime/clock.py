"""The one place that reads the wall clock; everything else is handed a `Clock`."""

import time

from events.instant import Instant


def wall_clock() -> Instant:
    """Return the present moment in microseconds, UTC."""
    return time.time_ns() // 1000
