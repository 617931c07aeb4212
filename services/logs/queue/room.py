"""What waits in the queue, and whether it may grow: past a limit ingestion answers 503.

GitHub shows a delivery answered 503 as failed, and it can be sent again for three days; a full disk
would take everything else on the machine with it. Measured from the files and not from what the
forwarder says, so the figures stay right while it hangs.
"""

import shutil
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import Final

import msgspec

from events.errors import LogUnavailable
from events.instant import SECOND
from events.log.port import Clock
from services.config.queue import QueueLimits
from services.logs.sqlite import SqliteLog
from services.runtime.telemetry.metrics import Metrics

#: A measurement serves for so many seconds, however many deliveries arrive.
_FRESH: Final = 0.5


class Waiting(msgspec.Struct, frozen=True, kw_only=True):
    """What waits to be forwarded; `seconds` is the age of the oldest."""

    records: int
    seconds: float
    free_bytes: int


class Room:
    """Safe for threads."""

    def __init__(
        self,
        *,
        queue: SqliteLog,
        folder: Path,
        forwarded: Callable[[], int],
        limits: QueueLimits,
        clock: Clock,
        metrics: Metrics,
    ) -> None:
        """Take the queue, the folder it lies in, and who tells how far it has been forwarded."""
        self._queue, self._folder, self._forwarded = queue, folder, forwarded
        self._limits, self._clock, self._metrics = limits, clock, metrics
        self._lock = threading.Lock()
        self._measured: tuple[float, Waiting] | None = None

    def lacking(self) -> str | None:
        """Return why nothing more may be taken, None while there is room."""
        try:
            waiting = self.measure()
        except (LogUnavailable, OSError):
            return None  # the append itself will tell
        limits = self._limits
        if waiting.records >= limits.records:
            return f"{waiting.records} records wait to be forwarded (limit {limits.records})"
        if waiting.seconds > limits.age_seconds:
            return (
                f"the oldest record has waited {waiting.seconds:.0f} s to be forwarded "
                f"(limit {limits.age_seconds:.0f} s)"
            )
        if waiting.free_bytes < limits.free_bytes:
            return f"{waiting.free_bytes} bytes are free on the disk (limit {limits.free_bytes})"
        return None

    def measure(self) -> Waiting:
        """Return what waits, measured not long ago, and set the metrics to it."""
        with self._lock:
            now = time.monotonic()
            if self._measured is None or now - self._measured[0] > _FRESH:
                self._measured = (now, self._look())
            return self._measured[1]

    def _look(self) -> Waiting:
        forwarded = self._forwarded()
        # sequences have no holes, and pruning moves no ends
        records = sum(self._queue.ends().values()) - forwarded
        seconds = 0.0
        oldest = self._queue.read_all(forwarded, limit=1) if records > 0 else []
        if oldest:
            seconds = max(0.0, (self._clock() - oldest[0].entry.recorded_at) / SECOND)
        free = shutil.disk_usage(self._folder).free
        self._metrics.forward_waiting.set(max(0, records))
        self._metrics.forward_age.set(seconds)
        self._metrics.queue_free.set(free)
        sizes = self._queue.kept()
        self._metrics.queue_held.set(sizes.records)
        self._metrics.queue_remembered.set(sizes.remembered)
        self._metrics.queue_bytes.set(sizes.bytes_used)
        return Waiting(records=max(0, records), seconds=seconds, free_bytes=free)
