"""What could not be taken: bodies above the limit, and deliveries that had to be answered 503.

Bodies above the limit leave a mark in the log: what they held will never be known. Nothing proves
that they were genuine (their signature was never checked), so the gap is harmless; and as anybody
can send them, the marks are rare and go to hosts that are known already. How many deliveries were
answered 503 is a counter; the period is kept here.
"""

from typing import Final

from events.facts.repository import GapObserved
from events.identity import DEFAULT_HOST, host_key
from events.instant import SECOND, Instant
from events.record import Record
from events.sources.authored import author
from services.runtime.telemetry.metrics import Metrics

#: After this long without a failure the next one begins another outage.
_QUIET: Final = 600 * SECOND


_MOST_HOSTS = 100


class OversizeGaps:
    """Counts refused bodies by host, and says when it is time to write that down."""

    def __init__(self, gap_seconds: float) -> None:
        self._pause = int(gap_seconds * SECOND)
        self._hosts = {DEFAULT_HOST}
        self._open: dict[str, tuple[Instant, int]] = {}
        self._written: dict[str, Instant] = {}

    def know(self, host: str) -> None:
        """Remember the host of a delivery with a valid signature."""
        if len(self._hosts) < _MOST_HOSTS:
            self._hosts.add(host)

    def refused(self, claimed_host: str | None, now: Instant) -> Record | None:
        """Count a refused body; return the record to append, where one is due."""
        host = claimed_host if claimed_host in self._hosts else DEFAULT_HOST
        since, count = self._open.get(host, (now, 0))
        self._open[host] = (since, count + 1)
        written = self._written.get(host)
        if written is not None and now - written < self._pause:
            return None
        return self._write(host, now)

    def rest(self, now: Instant) -> list[Record]:
        """Return the records for what was counted and not written down yet."""
        return [self._write(host, now) for host in sorted(self._open)]

    def _write(self, host: str, now: Instant) -> Record:
        since, count = self._open.pop(host)
        self._written[host] = now
        bodies = "1 body was" if count == 1 else f"{count} bodies were"
        fact = GapObserved(
            start=since,
            end=now + 1,
            reason=f"{bodies} larger than the limit and refused unread",
            harmless=True,
        )
        return author(host_key(host), fact, time=now)


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
