"""A feed's batch into the read model, as its metrics tell it. No broker."""

import asyncio

from prometheus_client import CollectorRegistry

from projections.engine import generations
from services.runtime.telemetry import Metrics
from services.stream.feed import Feed
from tests.builders import merge
from tests.services.stream.messages import WHERE, stored
from tests.worlds import memory_engine


def test_a_worker_counts_an_object_that_contradicts_itself_once() -> None:
    engine, metrics = memory_engine(), Metrics(CollectorRegistry())
    with engine.connect() as connection:
        active = generations.active(connection)
    messages = stored(
        [merge("D1", 7, "02-03 10:00:00"), merge("D2", 8, "02-03 10:00:00", merged=False)]
    )
    pairs = [(WHERE.number, message) for message in messages]

    async def feed_all() -> None:
        for projection in active:
            feed = Feed(engine, projection, WHERE.topic, WHERE.partitions, metrics)
            await feed.start_from([WHERE.number])
            await feed.take(pairs)
            await feed.take(pairs)

    asyncio.run(feed_all())
    sample = metrics.registry.get_sample_value
    assert sample("shipledger_contradictions_total", {"kind": "merge"}) == 1
    assert sample("shipledger_projected_records_total", {"projection": "pull_requests"}) == 2
    redelivered = "shipledger_worker_redelivered_records_total"
    assert sample(redelivered, {"projection": "pull_requests"}) == 2
