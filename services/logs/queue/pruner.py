"""The pruner: one loop that takes out of the queue what Kafka has long acknowledged.

It works in small steps with pauses between them, each one transaction, so appends go on meanwhile
and a process that is killed leaves a queue in order. A round that fails is told and tried again:
deliveries are taken all the same, and that the queue grows is seen by its metrics.
"""

from collections.abc import Callable
from typing import Final

from events.errors import TransientError
from events.instant import SECOND, Instant
from events.log.port import Clock
from services.config.queue import QueueRetention
from services.logs.sqlite import SqliteLog
from services.runtime.loop import BackgroundLoop, Backoff
from services.runtime.telemetry.metrics import Metrics

#: Seconds between two rounds, and between two steps of one.
_EVERY: Final = 60.0
_BREATH: Final = 0.02
#: Seconds to wait at the end for the step under way.
_LAST_STEP: Final = 10.0


class Pruner(BackgroundLoop):
    """`forwarded` tells up to which sequence Kafka has everything, durably noted."""

    def __init__(
        self,
        *,
        queue: SqliteLog,
        forwarded: Callable[[], int],
        retention: QueueRetention,
        clock: Clock,
        metrics: Metrics,
    ) -> None:
        super().__init__("pruner", backoff=Backoff(_EVERY, _EVERY), last_round=_LAST_STEP)
        self._queue, self._forwarded = queue, forwarded
        self._retention, self._clock, self._metrics = retention, clock, metrics

    def round(self) -> int:
        """Prune all that may go, and forget what is too old; return how many steps that took.

        Raise TransientError where the queue cannot be written now.
        """
        steps = 0
        for step in (self._prune, self._forget):
            while not self._stopping.is_set() and step():
                steps += 1
                self._stopping.wait(_BREATH)
        return steps

    def _prune(self) -> int:
        # the record forwarded last stays: by it the position is known to be of this queue, and the
        # next sequence follows on it
        return self._queue.prune(
            before=self._forwarded(), recorded_before=self._ago(self._retention.held_seconds)
        )

    def _forget(self) -> int:
        return self._queue.forget(
            recorded_before=self._ago(self._retention.remembered_seconds),
            most=self._retention.most_remembered,
        )

    def _ago(self, seconds: float) -> Instant:
        return self._clock() - round(seconds * SECOND)

    def _round(self) -> float:
        try:
            steps = self.round()
        except TransientError as error:
            self._metrics.prune_failures.inc()
            self._logger.warning("pruner.retry", error=str(error))
        except Exception:  # deliveries go on without pruning
            self._metrics.prune_failures.inc()
            self._logger.exception("pruner.failed")
        else:
            if steps:
                self._logger.info("pruner.pruned", steps=steps)
        return _EVERY
