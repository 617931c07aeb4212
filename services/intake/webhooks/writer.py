"""Group commit: one thread appends whatever has gathered while the last append was under way.

A delivery is answered after the append that holds it has returned, and never waits in the event
loop, which hears of a whole batch at once. The queue is bounded; who gives up waiting takes the
record out again, so a stalled log leaves nothing behind in memory.
"""

import asyncio
import threading
import time
from collections.abc import Sequence
from contextlib import suppress
from typing import Final, TypeAlias

import structlog

from events.errors import LogUnavailable
from events.log.port import Appended, Log
from events.record import Record
from services.intake.webhooks.limits import Limits
from services.runtime.telemetry.metrics import Metrics

Pending: TypeAlias = "asyncio.Future[Appended]"
_Batch: TypeAlias = Sequence[tuple[object, Record]]

_logger = structlog.get_logger(__name__)


class QueueFull(LogUnavailable):
    """More deliveries wait for the log than are allowed to; nothing was stored."""


class BatchWriter:
    """Appends records in the order in which they were submitted, all from one event loop."""

    def __init__(self, log: Log, limits: Limits, metrics: Metrics) -> None:
        self._log = log
        self._limits: Final = limits
        self._metrics = metrics
        #: The futures of those who wait, or whatever is unique; in the order of arrival.
        self._waiting: dict[object, Record] = {}
        self._changed = threading.Condition()
        self._idle = False
        self._closing = False
        self._thread = threading.Thread(target=self._run, name="ingest-writer", daemon=True)
        metrics.queue_records.set_function(lambda: len(self._waiting))

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

        Raise QueueFull where too many wait.
        """
        pending: Pending = asyncio.get_running_loop().create_future()
        self._put(pending, record)
        return pending

    def leave(self, record: Record) -> None:
        """Queue a record for which nobody waits; that it could not be stored is logged."""
        try:
            self._put(object(), record)
        except LogUnavailable as error:
            _logger.warning("ingest.not_recorded", record=record.id, error=str(error))

    def _put(self, waiting: object, record: Record) -> None:
        with self._changed:
            if self._closing:
                raise LogUnavailable("ingestion is shutting down")
            if len(self._waiting) >= self._limits.queue_records:
                raise QueueFull(f"{len(self._waiting)} deliveries wait for the log already")
            self._waiting[waiting] = record
            if self._idle:
                self._changed.notify()

    def withdraw(self, pending: Pending) -> None:
        """Take a record out of the queue for which nobody waits any more.

        Once its append has begun the record may still become durable.
        """
        with self._changed:
            self._waiting.pop(pending, None)

    def _run(self) -> None:
        while batch := self._take():
            self._append(batch)

    def _take(self) -> _Batch:
        """Wait for records; return those of the next append, none when all is done."""
        with self._changed:
            while True:
                if batch := self._next_batch():
                    return batch
                if self._closing:
                    return []
                self._idle = True
                self._changed.wait()
                self._idle = False

    def _next_batch(self) -> _Batch:
        batch: list[tuple[object, Record]] = []
        size = 0
        for waiting, record in self._waiting.items():
            size += len(record.body)
            full = len(batch) >= self._limits.batch_records or size > self._limits.batch_bytes
            if batch and full:
                break
            batch.append((waiting, record))
        for waiting, _ in batch:
            del self._waiting[waiting]
        return batch

    def _append(self, batch: _Batch) -> None:
        started = time.perf_counter()
        try:
            appended = self._log.append([record for _, record in batch])
        except LogUnavailable as error:
            _logger.warning("ingest.log_unavailable", records=len(batch), error=str(error))
            _tell(batch, [error] * len(batch))
        except Exception as fault:  # a fault of the program or of one record, never to be lost
            self._isolate(batch, fault)
        else:
            self._metrics.append_seconds.observe(time.perf_counter() - started)
            self._metrics.append_records.observe(len(batch))
            _tell(batch, appended)

    def _isolate(self, batch: _Batch, fault: Exception) -> None:
        """Append one by one: a record that the log cannot take must not take others with it."""
        if len(batch) == 1:
            _logger.error("ingest.append_failed", record=batch[0][1].id, exc_info=fault)
            _tell(batch, [fault])
            return
        for single in batch:
            self._append([single])


def _tell(batch: _Batch, outcomes: Sequence[Appended | Exception]) -> None:
    """Wake the event loop once for a whole batch."""
    told = [
        (waiting, outcome)
        for (waiting, _), outcome in zip(batch, outcomes, strict=True)
        if isinstance(waiting, asyncio.Future)
    ]
    if told:
        with suppress(RuntimeError):  # a loop that has ended has nobody left who waits
            told[0][0].get_loop().call_soon_threadsafe(_settle, told)


def _settle(told: Sequence[tuple[Pending, Appended | Exception]]) -> None:
    for pending, outcome in told:
        if pending.done():
            continue
        if isinstance(outcome, Exception):
            pending.set_exception(outcome)
        else:
            pending.set_result(outcome)
