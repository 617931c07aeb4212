"""Names, units and labels of the metrics."""

import pytest
from prometheus_client import CollectorRegistry, generate_latest

from services.runtime.telemetry.metrics import Metrics


def test_every_metric_is_ours_has_help_and_a_base_unit() -> None:
    registry = CollectorRegistry()
    Metrics(registry)
    families = list(registry.collect())
    assert len(families) >= 16
    for family in families:
        assert family.name.startswith("shipledger_")
        assert family.documentation.endswith(".")
        assert not family.name.endswith(("_ms", "_milliseconds", "_kb", "_minutes"))


def test_two_sets_of_metrics_can_live_in_one_process() -> None:
    first, second = Metrics(CollectorRegistry()), Metrics(CollectorRegistry())
    first.queue_records.set(3)
    assert b"shipledger_ingest_queue_records 3.0" in generate_latest(first.registry)
    assert b"shipledger_ingest_queue_records 0.0" in generate_latest(second.registry)


@pytest.mark.parametrize("values", [range(1000), [*range(100), *range(100)]])
def test_a_label_from_outside_has_a_bounded_number_of_values(values: list[int]) -> None:
    metrics = Metrics(CollectorRegistry())
    labels = {metrics.bounded("event", str(value)) for value in values}
    assert len(labels - {"other"}) == 100
    assert metrics.bounded("event", "7") == "7"
    assert metrics.bounded("repository", "new") == "new"
