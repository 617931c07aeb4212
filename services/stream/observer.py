"""What the apply loop does, as metrics."""

from projections.engine.runner import AppliedBatch
from services.runtime.telemetry import Metrics


class MetricsObserver:
    """Implements `projections.engine.runner.Observer`."""

    def __init__(self, metrics: Metrics) -> None:
        self._metrics = metrics

    def batch(self, batch: AppliedBatch) -> None:
        """See `Observer.batch`."""
        self._metrics.projection_seconds.labels(batch.projection).observe(batch.seconds)
        self._metrics.projected.labels(batch.projection).inc(batch.records)
        if batch.contradictions:
            self._metrics.contradictions.labels("merge").inc(batch.contradictions)
        if batch.poisoned:
            self._metrics.dead_letters.labels(batch.projection).inc(batch.poisoned)

    def lag(self, projection: str, partition: str, records: int) -> None:
        """See `Observer.lag`."""
        label = self._metrics.bounded("partition", partition)
        self._metrics.lag_records.labels(projection, label).set(records)
