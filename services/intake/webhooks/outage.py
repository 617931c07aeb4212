"""When deliveries had to be answered 503: how many is a counter, the period is kept here."""

from typing import Final

from events.instant import SECOND, Instant
from services.runtime.telemetry.metrics import Metrics

#: After this long without a failure the next one begins another outage.
_QUIET: Final = 600 * SECOND


class Outage:
    """Keeps the first and the last moment of the latest outage as metrics."""

    def __init__(self, metrics: Metrics) -> None:
        self._metrics = metrics
        self._last: Instant | None = None

    def noticed(self, now: Instant) -> None:
        """Note that a genuine delivery was just answered 503."""
        if self._last is None or now - self._last > _QUIET:
            self._metrics.unavailable_first.set(now / SECOND)
        self._metrics.unavailable_last.set(now / SECOND)
        self._last = now
