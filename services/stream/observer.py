"""What the apply loop does, as metrics."""

from services.runtime.telemetry import Metrics


class MetricsObserver:
    """Implements `projections.engine.runner.Observer`."""

    def __init__(self, metrics: Metrics) -> None:
        self._metrics = metrics

    def batch(self, projection: str, records: int, poisoned: int, seconds: float) -> None:
        """See `Observer.batch`."""
        self._metrics.projection_seconds.labels(projection).observe(seconds)
        self._metrics.projected.labels(projection).inc(records)
        if poisoned:
            self._metrics.dead_letters.labels(projection).inc(poisoned)

    def lag(self, projection: str, partition: str, records: int) -> None:
        """See `Observer.lag`."""
        label = self._metrics.bounded("partition", partition)
        self._metrics.lag_records.labels(projection, label).set(records)
