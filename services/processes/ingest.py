"""The process of `shipledger ingest`: HTTP server, group commit, forwarder, pruner.

SIGTERM and SIGINT end it in order: no new requests, what was received is stored, the batch under
way is sent. A forwarder that cannot go on ends the process with exit code 1, so that whatever
supervises it sees that.
"""

import logging
from collections.abc import AsyncIterator, Callable, Iterator, Sequence
from contextlib import asynccontextmanager, contextmanager, suppress
from dataclasses import dataclass
from typing import Final

import structlog
from fastapi import FastAPI
from prometheus_client import CollectorRegistry

from events.errors import LogUnavailable
from events.log.port import Clock
from services.audit.configuration import record_configuration, record_rules
from services.config.settings import Settings
from services.intake.webhooks import Ingest, Policy, deliveries_first, webhook_router
from services.logs.kafka import KafkaLog
from services.logs.queue import Forwarder, PositionFile, Pruner, Room
from services.logs.sqlite import SqliteLog
from services.processes.bootstrap import needed_kafka, webhook_secrets
from services.runtime.clock import wall_clock
from services.runtime.data_folder import DataFolder
from services.runtime.operations import operations_router
from services.runtime.serving import HttpServer, address_of, listen
from services.runtime.telemetry import Metrics
from services.runtime.telemetry.logging import CLIENTS, quieten

_logger = structlog.get_logger(__name__)

#: Files in the data folder of an ingesting process.
QUEUE: Final = "queue.sqlite"
POSITION: Final = "queue.forwarded"


@dataclass(frozen=True, slots=True, kw_only=True)
class IngestService:
    """What `shipledger ingest` runs."""

    app: FastAPI
    ingest: Ingest
    forwarder: Forwarder
    pruner: Pruner


def run(
    settings: Settings,
    *,
    host: str,
    port: int,
    allow_unsigned: bool = False,
    announce: Callable[[str], None] = lambda _: None,
) -> int:
    """Serve until told to stop; return the exit code.

    Raise ConfigurationError, or OSError where the address cannot be bound. `announce` is told the
    address once connections are accepted (port 0 chooses a free one).
    """
    quieten(CLIENTS, logging.CRITICAL)
    faults: list[bool] = []
    with (
        open_ingest(settings, allow_unsigned=allow_unsigned) as service,
        listen(host, port) as listening,
    ):
        server = HttpServer(deliveries_first(service.ingest, service.app), listening)

        def stop() -> None:
            faults.append(True)
            server.end()

        def begin() -> None:
            service.forwarder.start(on_fault=stop)
            service.pruner.start()
            announce(address_of(listening))
            _logger.info("ingest.started", address=address_of(listening))

        try:
            server.run(begin)
        finally:
            service.pruner.stop()
            service.forwarder.stop()
    _logger.info("ingest.stopped", fault=bool(faults))
    return 1 if faults or not server.started else 0


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
    app = ingest_app(ingest, room, metrics)
    return IngestService(app=app, ingest=ingest, forwarder=forwarder, pruner=pruner)


def ingest_app(ingest: Ingest, room: Room, metrics: Metrics) -> FastAPI:
    """Return the application; its lifespan starts and closes ingestion.

    It is ready as long as it can take deliveries: with Kafka away it still can, until the queue is
    full. That records wait is told by the metrics.
    """

    @asynccontextmanager
    async def lifespan(_: FastAPI) -> AsyncIterator[None]:
        ingest.start()
        try:
            yield
        finally:
            ingest.close()

    def reasons() -> Sequence[str]:
        lacking = room.lacking()
        return [] if lacking is None else [lacking]

    def measure() -> None:
        with suppress(LogUnavailable, OSError):  # the gauges keep what was measured last
            room.measure()

    app = FastAPI(title="Shipledger ingestion", lifespan=lifespan, openapi_url=None)
    app.include_router(webhook_router(ingest))
    app.include_router(operations_router(metrics, reasons, measure))
    return app
