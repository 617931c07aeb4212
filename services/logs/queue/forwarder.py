"""The forwarder: one thread that sends what the queue holds on to Kafka, in the queue's order.

Nothing is skipped: a batch is sent until it is acknowledged, with growing pauses, and only then the
position moves. What was sent before a crash or a lost acknowledgement is sent again; readers drop
the second by its id. After such a failure the client may have stored later records of the batch
without the ones before them; these follow with the repetition, so what each reader ends up with is
the same, and only the moment at which a record became known is later.

What has been forwarded stays in the queue until `services.logs.queue.pruner` takes it out. The
queue refuses a delivery that it holds or remembers, so it is also what recognises redeliveries.
"""

import threading
from collections.abc import Callable
from typing import Final

import structlog

from events.errors import TransientError
from events.log.port import BATCH_BYTES, BATCH_RECORDS, Log
from services.logs.queue.position import PositionFile
from services.logs.sqlite import SqliteLog
from services.runtime.telemetry.metrics import Metrics

#: Seconds between two looks at a queue in which nothing happens.
POLL_SECONDS: Final = 1.0
_FIRST_PAUSE: Final = 0.1
_LONGEST_PAUSE: Final = 10.0
#: Seconds to wait at the end for the batch under way; cut off, it is sent again at the next start.
_LAST_BATCH: Final = 10.0

_logger = structlog.get_logger(__name__)


class Forwarder:
    """Start it once; `on_fault` is called, in its thread, when it cannot go on."""

    def __init__(
        self, *, queue: SqliteLog, log: Log, position: PositionFile, metrics: Metrics
    ) -> None:
        """Find out where to go on; raise BrokenLog where the queue is not the one it was."""
        self._queue = queue
        self._log = log
        self._position = position
        self._metrics = metrics
        self._sequence = position.load(queue)
        self._fault: str | None = None
        self._on_fault: Callable[[], None] = lambda: None
        self._stopping = threading.Event()
        self._thread = threading.Thread(target=self._run, name="forwarder", daemon=True)

    @property
    def sequence(self) -> int:
        """The sequence number in the queue up to which everything has been forwarded."""
        return self._sequence

    def start(self, on_fault: Callable[[], None]) -> None:
        """Begin to forward."""
        self._on_fault = on_fault
        self._thread.start()

    def stop(self) -> bool:
        """End after the batch under way; tell whether the thread has ended."""
        self._stopping.set()
        if self._thread.ident is not None:
            self._thread.join(_LAST_BATCH)
        return not self._thread.is_alive()

    def fault(self) -> str | None:
        """Return why nothing is forwarded now, None while all is well."""
        return self._fault

    def forward(self) -> int:
        """Send the next batch and note that it is sent; return how many records it held.

        Raise TransientError where Kafka or the disk did not take it: calling again tries the same.
        """
        batch = self._queue.read_all(self._sequence, limit=BATCH_RECORDS, max_bytes=BATCH_BYTES)
        if batch:
            self._log.append([each.entry.record for each in batch])
            last = batch[-1]
            self._position.save(last.sequence, last.entry.record.id)
            self._sequence = last.sequence
            self._metrics.forwarded.inc(len(batch))
        return len(batch)

    def _run(self) -> None:
        pause = _FIRST_PAUSE
        while not self._stopping.is_set():
            try:
                forwarded = self.forward()
            except TransientError as error:
                self._failed(error, pause)
                self._stopping.wait(pause)
                pause = min(2 * pause, _LONGEST_PAUSE)
            except Exception as fault:  # the edge of the thread: tell, then end the process
                self._fault = f"stopped: {fault}"
                _logger.exception("forwarder.stopped", sequence=self._sequence)
                self._on_fault()
                return
            else:
                self._fault = None
                pause = _FIRST_PAUSE
                if not forwarded:
                    self._queue.wait(POLL_SECONDS)

    def _failed(self, error: TransientError, pause: float) -> None:
        self._fault = f"trying again: {error}"
        self._metrics.forward_failures.inc()
        _logger.warning("forwarder.retry", sequence=self._sequence, error=str(error), seconds=pause)
