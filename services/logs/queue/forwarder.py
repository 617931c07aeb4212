"""The forwarder: one loop that sends what the queue holds on to Kafka, in the queue's order.

Nothing is skipped: a batch is sent until it is acknowledged, with growing pauses, and only then the
position moves. What was sent before a crash or a lost acknowledgement is sent again; readers drop
the second by its id. After such a failure the client may have stored later records of the batch
without the ones before them; these follow with the repetition, so what each reader ends up with is
the same, and only the moment at which a record became known is later.

What has been forwarded stays in the queue until `services.logs.queue.pruner` takes it out. The
queue refuses a delivery that it holds or remembers, so it is also what recognises redeliveries.
"""

from typing import Final

from events.errors import TransientError
from events.log.port import BATCH_BYTES, BATCH_RECORDS, Log
from services.logs.queue.position import PositionFile
from services.logs.sqlite import SqliteLog
from services.runtime.loop import POLL_SECONDS, BackgroundLoop, Backoff
from services.runtime.telemetry.metrics import Metrics

#: Seconds to wait at the end for the batch under way; cut off, it is sent again at the next start.
_LAST_BATCH: Final = 10.0


class Forwarder(BackgroundLoop):
    """Sends on to Kafka whatever is appended to the queue."""

    def __init__(
        self, *, queue: SqliteLog, log: Log, position: PositionFile, metrics: Metrics
    ) -> None:
        """Find out where to go on; raise BrokenLog where the queue is not the one it was."""
        super().__init__("forwarder", backoff=Backoff(0.1, 10.0), last_round=_LAST_BATCH)
        self._queue = queue
        self._log = log
        self._position = position
        self._metrics = metrics
        self._sequence = position.load(queue)

    @property
    def sequence(self) -> int:
        """The sequence number in the queue up to which everything has been forwarded."""
        return self._sequence

    def forward(self) -> int:
        """Send the next batch and note that it is sent; return how many records it held.

        Raise TransientError where Kafka or the disk did not take it: calling again tries the same.
        """
        batch = self._queue.read_all(self._sequence, limit=BATCH_RECORDS, max_bytes=BATCH_BYTES)
        if batch:
            self._log.append([queued.entry.record for queued in batch])
            last = batch[-1]
            self._position.save(last.sequence, last.entry.record.id)
            self._sequence = last.sequence
            self._metrics.forwarded.inc(len(batch))
        return len(batch)

    def _round(self) -> float:
        return 0.0 if self.forward() else POLL_SECONDS

    def _idle(self, seconds: float) -> None:
        if seconds:
            self._queue.wait(seconds)

    def _tell_retry(self, error: TransientError, pause: float) -> None:
        self._metrics.forward_failures.inc()
        self._logger.warning(
            "forwarder.retry", sequence=self._sequence, error=str(error), seconds=pause
        )
