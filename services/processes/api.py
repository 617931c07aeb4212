"""The answering process of production: the same application as embedded, over PostgreSQL and Kafka.

It writes nothing. Kafka is asked for evidence and for how far the read model is behind; while it is
away, questions are still answered, and /readyz says why nobody can tell whether they are late.
"""

from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress

import structlog
from fastapi import FastAPI
from prometheus_client import CollectorRegistry
from sqlalchemy import Engine
from sqlalchemy.exc import OperationalError

from events.errors import ConfigurationError
from events.log.port import Clock
from projections.engine import migrations
from projections.engine.read_model import ReadModel
from services.api.app import create_app
from services.config.settings import Settings
from services.config.source import DATABASE
from services.logs.kafka import KafkaLog
from services.processes.bootstrap import needed_kafka
from services.runtime.clock import wall_clock
from services.runtime.data_folder import DataFolder
from services.runtime.question_server import Answerer, questions_answered
from services.runtime.serving import HttpServer, address_of, listen
from services.runtime.telemetry import Metrics
from services.stream.engines import reading_engine
from services.stream.health import Health
from services.stream.stores import Stores

_logger = structlog.get_logger(__name__)


@contextmanager
def open_stores_of_api(settings: Settings, *, clock: Clock = wall_clock) -> Iterator[Stores]:
    """Open what the application stands on; neither Kafka nor PostgreSQL need be there yet.

    Raise ConfigurationError where an address is missing, or a newer program made the read model.
    """
    if settings.database is None:
        raise ConfigurationError(
            f"{DATABASE} is not set; it names the read model: "
            "postgresql://USER:PASSWORD@HOST/DATABASE"
        )
    kafka = needed_kafka(settings)
    engine, log = reading_engine(settings.database), KafkaLog(kafka)
    try:
        _refuse_newer(engine)
        yield Stores(
            settings=settings,
            clock=clock,
            folder=DataFolder(settings.data),
            log=log,
            engine=engine,
            read_model=ReadModel(engine, log.partition_of),
            partition_of=log.partition_of,
        )
    finally:
        log.close()
        engine.dispose()


def _refuse_newer(engine: Engine) -> None:
    # a database that is away is not a newer one; each question tells of it
    with suppress(OperationalError), engine.connect() as connection:
        migrations.check(connection)


def _build(stores: Stores) -> FastAPI:
    health = Health(
        read_model=stores.read_model,
        log=stores.log,
        clock=stores.clock,
        limits=stores.settings.decided.readiness,
        fault=lambda: None,
    )
    return create_app(stores, Metrics(CollectorRegistry()), health, None)


def run(
    settings: Settings,
    *,
    host: str,
    port: int,
    announce: Callable[[str], None] = lambda _: None,
    answerer_on: Callable[[Stores], Answerer],
) -> int:
    """Serve until told to stop by SIGTERM or SIGINT; return the exit code.

    Raise ConfigurationError, or OSError where the address cannot be bound. `announce` is told the
    address once connections are accepted (port 0 chooses a free one). `answerer_on` makes what
    answers commands on the socket of the data folder.
    """
    with (
        open_stores_of_api(settings) as stores,
        listen(host, port) as listening,
        questions_answered(stores.folder, "api", settings.source, answerer_on(stores)),
    ):
        server = HttpServer(_build(stores), listening)
        server.run(lambda: announce(address_of(listening)))
    _logger.info("api.stopped")
    return 0 if server.started else 1
