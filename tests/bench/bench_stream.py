"""What projecting a log costs beside merely reading it.

`pytest -s -m bench tests/bench/bench_stream.py`; prints ratios to (a), judges nothing. Aim: a
rebuild takes at most 2.5 times as long as (a).

(a) reading a topic with kafka-python and decoding the JSON of each record, nothing else
(b) `shipledger worker` (Faust) from that topic into PostgreSQL, all projections, its start apart
(c) `projections rebuild pull_requests` from that topic, beside the old, with the comparison
(d) the embedded engine: SQLite log to SQLite read model, all projections

Bodies are as long as GitHub's, about 20 kB; most of one is not read by any translator.
"""

import time
from collections.abc import Callable
from pathlib import Path

import msgspec
import pytest
from kafka import KafkaConsumer, TopicPartition

from events.instant import Instant
from events.record import Record
from projections.engine import generations
from projections.engine.rebuild import rebuild
from projections.engine.runner import Runner
from services.logs.kafka import KafkaLog
from services.logs.sqlite import SqliteLog
from services.stream.engines import writing_engine
from tests.bench.deliveries import deliveries
from tests.production import WORKER, Process, Site, wait_until
from tests.worlds import record_of

pytestmark = pytest.mark.bench

_BODY = 20_000
_REPOSITORIES = 4
_PULLS = 150
LATE: Instant = 1_900_000_000_000_000


def records() -> list[Record]:
    """Return simulated deliveries of several repositories, as long as real ones."""
    sent = deliveries(repositories=_REPOSITORIES, pulls=_PULLS, size=_BODY)
    return [record_of(delivery, f"github.com/{delivery.repository_id}") for delivery in sent]


def _timed(work: Callable[[], object]) -> float:
    started = time.perf_counter()
    work()
    return time.perf_counter() - started


def _read(site: Site, count: int) -> None:
    """Read and decode every record of the topic."""
    consumer = KafkaConsumer(**site.kafka.consumer_options(10))
    partitions = [TopicPartition(site.topic, number) for number in range(site.partitions)]
    consumer.assign(partitions)
    consumer.seek_to_beginning(*partitions)
    seen = 0
    while seen < count:
        for batch in consumer.poll(timeout_ms=5_000, max_records=500).values():
            for message in batch:
                msgspec.json.decode(message.value)
            seen += len(batch)
    consumer.close()


def _work(site: Site, count: int) -> float:
    """Let a worker take everything in; return the seconds that it takes, its start apart.

    Measured is what is left once every projection has begun.
    """
    worker = Process(WORKER, site.environment("worker"), site.folder / "worker.log")
    try:
        wait_until(lambda: min(site.applied().values(), default=0) > 0, 120)
        begun, applied = time.perf_counter(), site.applied()
        wait_until(lambda: site.has_applied(count), 600)
        took = time.perf_counter() - begun
    finally:
        worker.child.terminate()
        worker.child.wait(30)
    return took / (1 - sum(applied.values()) / (count * len(applied)))


def _rebuild(site: Site) -> None:
    engine, log = writing_engine(site.database), KafkaLog(site.kafka)
    try:
        result = rebuild(engine, log, "pull_requests", lambda: LATE)
        assert result.switched
        assert result.differing == 0, result.differences
    finally:
        log.close()
        engine.dispose()


def _embedded(folder: Path, found: list[Record]) -> float:
    log = SqliteLog(folder / "log.sqlite", clock=lambda: LATE)
    for start in range(0, len(found), 500):
        log.append(found[start : start + 500])
    engine = writing_engine(folder / "read_model.sqlite")
    generations.prepare(engine)
    took = _timed(Runner(engine, log, lambda: LATE).catch_up)
    engine.dispose()
    log.close()
    return took


def test_stream(kafka_bootstrap: str, postgres_url: str, tmp_path: Path) -> None:
    found = records()
    site = Site.new(kafka_bootstrap, postgres_url, tmp_path)
    log = KafkaLog(site.kafka)
    log.prepare()
    for start in range(0, len(found), 500):
        log.append(found[start : start + 500])
    log.close()
    count = len(found)
    size = sum(len(record.body) for record in found)
    floor = min(_timed(lambda: _read(site, count)) for _ in range(3))
    print(f"\n{count:,} records of {size / count:,.0f} bytes, {site.partitions} partitions")
    _tell("(a) reading and decoding with kafka-python", count, floor, floor)
    _tell("(b) Faust worker into PostgreSQL", count, _work(site, count), floor)
    took = min(_timed(lambda: _rebuild(site)) for _ in range(2))
    _tell("(c) rebuild of pull_requests in PostgreSQL", count, took, floor)
    _tell("(d) embedded engine, SQLite to SQLite", count, _embedded(tmp_path, found), floor)


def _tell(what: str, count: int, took: float, floor: float) -> None:
    print(f"{what}: {count / took:,.0f}/s, {took / floor:.2f} x (a)")
