"""Group commit: one thread appends whatever has gathered while the last append was under way.

A delivery is answered after the append that holds it has returned, and never waits in the event
loop. The queue is bounded; who gives up waiting takes the record out again, so a stalled log leaves
nothing behind in memory.
"""

import threading
import time
from collections.abc import Sequence
from concurrent.futures import Future
from typing import Final, TypeAlias

import structlog

from events.errors import LogUnavailable
from events.log.port import Appended, Log
from events.record import Record
from services.intake.webhooks.limits import Limits
from services.runtime.telemetry.metrics import Metrics

Pending: TypeAlias = "Future[Appended]"

_logger = structlog.get_logger(__name__)


class QueueFull(LogUnavailable):
    """More deliveries wait for the log than are allowed to; nothing was stored."""


class BatchWriter:
    """Appends records in the order in which they were submitted."""

    def __init__(self, log: Log, limits: Limits, metrics: Metrics) -> None:
        self._log = log
        self._limits: Final = limits
        self._metrics = metrics
        self._waiting: dict[Pending, Record] = {}
        self._changed = threading.Condition()
        self._closing = False
        self._thread = threading.Thread(target=self._run, name="ingest-writer", daemon=True)

    def start(self) -> None:
        """Start the thread."""
        self._thread.start()

    def close(self) -> None:
        """Take no more, append what waits, and return when that is done."""
        with self._changed:
            self._closing = True
            self._changed.notify_all()
        if self._thread.ident is not None:
            self._thread.join()

    def submit(self, record: Record) -> Pending:
        """Queue a record; the future ends when it is durable, or with the error of the append.

        Raise QueueFull where too many wait. A future that is cancelled while it waits takes its
        record out of the queue; once its append has begun the record may still become durable.
        """
        pending: Pending = Future()
        with self._changed:
            if self._closing:
                raise LogUnavailable("ingestion is shutting down")
            if len(self._waiting) >= self._limits.queue_records:
                raise QueueFull(f"{len(self._waiting)} deliveries wait for the log already")
            self._waiting[pending] = record
            self._measure()
            self._changed.notify_all()
        pending.add_done_callback(self._forget)
        return pending

    def _forget(self, pending: Pending) -> None:
        with self._changed:
            self._waiting.pop(pending, None)
            self._measure()

    def _measure(self) -> None:
        self._metrics.queue_records.set(len(self._waiting))

    def _run(self) -> None:
        while batch := self._take():
            self._append(batch)

    def _take(self) -> list[tuple[Pending, Record]]:
        """Wait for records; return those of the next append, none when all is done."""
        with self._changed:
            while True:
                if batch := self._next_batch():
                    return batch
                if self._closing:
                    return []
                self._changed.wait()

    def _next_batch(self) -> list[tuple[Pending, Record]]:
        batch: list[tuple[Pending, Record]] = []
        size = 0
        for pending, record in list(self._waiting.items()):
            size += len(record.body)
            full = len(batch) >= self._limits.batch_records or size > self._limits.batch_bytes
            if batch and full:
                break
            del self._waiting[pending]
            if pending.set_running_or_notify_cancel():
                batch.append((pending, record))
        self._measure()
        return batch

    def _append(self, batch: Sequence[tuple[Pending, Record]]) -> None:
        started = time.perf_counter()
        try:
            appended = self._log.append([record for _, record in batch])
        except LogUnavailable as error:
            self._fail(batch, error)
        except Exception as fault:  # a fault of the program or of one record, never to be lost
            self._isolate(batch, fault)
        else:
            self._metrics.append_seconds.observe(time.perf_counter() - started)
            self._metrics.append_records.observe(len(batch))
            for (pending, _), outcome in zip(batch, appended, strict=True):
                pending.set_result(outcome)

    def _isolate(self, batch: Sequence[tuple[Pending, Record]], fault: Exception) -> None:
        """Append one by one: a record that the log cannot take must not take others with it."""
        if len(batch) == 1:
            _logger.error("ingest.append_failed", record=batch[0][1].id, exc_info=fault)
            batch[0][0].set_exception(fault)
            return
        for single in batch:
            self._append([single])

    def _fail(self, batch: Sequence[tuple[Pending, Record]], error: LogUnavailable) -> None:
        _logger.warning("ingest.log_unavailable", records=len(batch), error=str(error))
        for pending, _ in batch:
            pending.set_exception(error)
