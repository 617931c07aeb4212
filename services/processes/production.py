"""What runs apart in production, put together: ingestion with its forwarder, and workers.

The embedded mode is put together in `services.processes.bootstrap`; both hand the same parts what
they need.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Final

from fastapi import FastAPI
from prometheus_client import CollectorRegistry

from events.errors import ConfigurationError
from events.log.port import Clock
from services.audit.configuration import record_configuration, record_rules
from services.config.production import DATABASE, KAFKA
from services.config.settings import Settings
from services.intake.webhooks import Ingest, Policy
from services.logs.kafka import KafkaLog, KafkaSettings
from services.logs.queue import Forwarder, PositionFile, Pruner, Room
from services.logs.sqlite import SqliteLog
from services.processes.bootstrap import webhook_secrets
from services.processes.ingest_app import create_app
from services.runtime.clock import wall_clock
from services.runtime.data_folder import DataFolder
from services.runtime.telemetry import Metrics
from services.stream.engines import writing_engine
from services.stream.worker import WorkerParts

#: Files in the data folder of an ingesting process.
QUEUE: Final = "queue.sqlite"
POSITION: Final = "queue.forwarded"


@dataclass(frozen=True, slots=True, kw_only=True)
class IngestService:
    """What `shipledger ingest` runs."""

    app: FastAPI
    forwarder: Forwarder
    pruner: Pruner


@contextmanager
def open_ingest(
    settings: Settings, *, allow_unsigned: bool, clock: Clock = wall_clock
) -> Iterator[IngestService]:
    """Open, or make, the queue, and put ingestion and its forwarder together.

    Kafka need not be there yet. Raise ConfigurationError where another process has the queue.
    """
    folder = DataFolder(settings.data)
    folder.make()
    kafka = needed_kafka(settings)
    with PositionFile(folder.path / POSITION, kafka.topic) as position:
        queue, log = SqliteLog(folder.path / QUEUE, clock=clock), KafkaLog(kafka)
        try:
            record_configuration(queue, settings, clock)
            record_rules(queue, settings, clock)
            yield _build_ingest(settings, clock, queue, log, position, allow_unsigned)
        finally:
            log.close()
            queue.close()


def _build_ingest(
    settings: Settings,
    clock: Clock,
    queue: SqliteLog,
    log: KafkaLog,
    position: PositionFile,
    allow_unsigned: bool,
) -> IngestService:
    metrics = Metrics(CollectorRegistry())
    forwarder = Forwarder(queue=queue, log=log, position=position, metrics=metrics)
    room = Room(
        queue=queue,
        folder=settings.data,
        forwarded=lambda: forwarder.sequence,
        limits=settings.decided.queue.limits(),
        clock=clock,
        metrics=metrics,
    )
    ingest = Ingest(
        log=queue,
        clock=clock,
        secrets=webhook_secrets(settings, allow_unsigned=allow_unsigned),
        metrics=metrics,
        policy=Policy(store_unused=settings.decided.store_unused, tracked=settings.tracked),
        lacking_room=room.lacking,
    )
    pruner = Pruner(
        queue=queue,
        forwarded=lambda: forwarder.sequence,
        retention=settings.decided.queue.retention(),
        clock=clock,
        metrics=metrics,
    )
    app = create_app(ingest, room, metrics)
    return IngestService(app=app, forwarder=forwarder, pruner=pruner)


@contextmanager
def open_worker(
    settings: Settings, only: tuple[str, ...], *, clock: Clock = wall_clock
) -> Iterator[WorkerParts]:
    """Open what a worker works with; neither Kafka nor PostgreSQL need be there yet."""
    if settings.database is None:
        raise ConfigurationError(
            f"{DATABASE} is not set; a worker writes to PostgreSQL: "
            "postgresql://USER:PASSWORD@HOST/DATABASE"
        )
    kafka = needed_kafka(settings)
    engine, log = writing_engine(settings.database), KafkaLog(kafka)
    try:
        yield WorkerParts(
            engine=engine,
            log=log,
            kafka=kafka,
            clock=clock,
            metrics=Metrics(CollectorRegistry()),
            readiness=settings.decided.readiness,
            only=only,
        )
    finally:
        log.close()
        engine.dispose()


def needed_kafka(settings: Settings) -> KafkaSettings:
    """Return how to reach Kafka; raise ConfigurationError where that is not set."""
    if settings.kafka is None:
        raise ConfigurationError(f"{KAFKA} is not set; write the brokers: HOST:PORT,HOST:PORT")
    return settings.kafka
