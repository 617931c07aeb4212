"""The process of `shipledger worker`."""

import asyncio
import logging
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Final

from prometheus_client import CollectorRegistry

from events.errors import ConfigurationError
from events.log.port import Clock
from projections.engine.read_model import ReadModel
from projections.release_inclusion.view import HistoryCache
from projections.roadmap_status.editions.cache import EditionCache
from services.answers.roadmaps.asking import conventions
from services.config.settings import Settings
from services.config.source import DATABASE
from services.logs.kafka import KafkaLog
from services.processes.bootstrap import needed_kafka
from services.runtime.clock import wall_clock
from services.runtime.serving import address_of, listen
from services.runtime.telemetry import Metrics
from services.runtime.telemetry.logging import CLIENTS, quieten
from services.stream.editions import EditionKeeper
from services.stream.engines import reading_engine, writing_engine
from services.stream.histories import HistoryKeeper
from services.stream.worker import Worker, WorkerParts

#: Faust tells of every service that starts or stops.
_TALKATIVE: Final = ("faust", "mode", "services.stream.consumer")


def run(
    settings: Settings,
    only: tuple[str, ...],
    *,
    host: str,
    port: int,
    announce: Callable[[str], None] = lambda _: None,
) -> int:
    """Work until told to stop; return the exit code.

    Raise ConfigurationError, or OSError where the address cannot be bound. `announce` is told the
    address of the server that tells how the worker is.
    """
    quieten(_TALKATIVE, logging.WARNING)
    quieten(CLIENTS, logging.CRITICAL)
    with (
        open_worker(settings, only) as parts,
        listen(host, port) as listening,
        _read_ahead(settings, parts),
    ):
        announce(address_of(listening))
        asyncio.run(Worker(parts).run(listening))
    return 0


@contextmanager
def _read_ahead(settings: Settings, parts: WorkerParts) -> Iterator[None]:
    assert settings.database is not None
    reading = reading_engine(settings.database)  # one that sees what was so at one moment
    read_model = ReadModel(reading, parts.log.partition_of)
    histories = HistoryKeeper(
        engine=parts.engine,
        read_model=read_model,
        roles=settings.roles,
        histories=HistoryCache(),
    )
    editions = EditionKeeper(
        engine=parts.engine,
        read_model=read_model,
        convention=conventions(settings),
        editions=EditionCache(),
    )
    histories.start()
    editions.start()
    try:
        yield
    finally:
        editions.stop()
        histories.stop()
        reading.dispose()


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
