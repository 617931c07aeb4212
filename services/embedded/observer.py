"""What the apply loop does, as metrics."""

import time

from services.telemetry import Metrics


class MetricsObserver:
    """Implements `projections.runner.Observer`; one thread uses it.

    The runner says `batch` after each commit and `lag` at the end of each step, so a batch has
    taken the time since the `lag` before it.
    """

    def __init__(self, metrics: Metrics) -> None:
        self._metrics = metrics
        self._since = time.perf_counter()

    def starting(self) -> None:
        """A new round begins; the time until now was spent waiting."""
        self._since = time.perf_counter()

    def batch(self, projection: str, partition: str, records: int, poisoned: int) -> None:  # noqa: ARG002
        """See `Observer.batch`."""
        seconds = time.perf_counter() - self._since
        self._metrics.projection_seconds.labels(projection).observe(seconds)
        self._metrics.projected.labels(projection).inc(records)
        if poisoned:
            self._metrics.dead_letters.labels(projection).inc(poisoned)

    def lag(self, projection: str, partition: str, records: int) -> None:
        """See `Observer.lag`."""
        label = self._metrics.bounded("partition", partition)
        self._metrics.lag_records.labels(projection, label).set(records)
        self._since = time.perf_counter()
