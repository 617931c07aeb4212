"""The one place where things are put together. Everything is handed what it needs from here.

Embedded: the log and the read model are SQLite files in the data folder, partition = repository
key. In production, where the environment names Kafka and PostgreSQL, commands work on those; the
processes that run apart are put together in `services.production`.
"""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING

from prometheus_client import CollectorRegistry
from sqlalchemy import Engine
from sqlalchemy.exc import OperationalError

from events.errors import ConfigurationError, TransientError
from events.identity import RepositoryKey
from events.log.port import Clock, Log
from projections import generations
from projections.read_model import ReadModel
from projections.runner import Observer, Runner
from services.clock import wall_clock
from services.configuration import record_configuration, record_rules
from services.data_folder import DataFolder, FolderHeld
from services.dead_letters import too_many_set_aside
from services.embedded.observer import MetricsObserver
from services.embedded.projector import Projector
from services.health import Health
from services.logs.sqlite import SqliteLog
from services.mirror import Mirror
from services.mirroring import build_mirror
from services.production_settings import DATABASE, KAFKA
from services.read_model_engine import reading_engine, writing_engine
from services.settings import Settings
from services.telemetry import Metrics

# What speaks HTTP is imported where it is made: a command that asks one question does not wait for
# a web server's modules.
if TYPE_CHECKING:
    from fastapi import FastAPI

    from services.ingest import Ingest, Secrets
    from services.text.language_model import LanguageModel

#: Seconds for which a command waits for another command that is catching up.
_PATIENCE = 120.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Stores:
    """The log and the read model, open: of one data folder, or of production."""

    settings: Settings
    clock: Clock
    folder: DataFolder
    log: Log
    engine: Engine
    """Writes to the read model; only the holder of the folder and rebuilds use it."""
    read_model: ReadModel
    partition_of: Callable[[RepositoryKey], str] = str
    """In which partition of the log the records of a repository lie."""

    @property
    def production(self) -> bool:
        """Whether workers feed the read model, and not whoever holds the folder."""
        return self.settings.kafka is not None


@dataclass(frozen=True, slots=True, kw_only=True)
class Service:
    """What `shipledger up` runs."""

    app: "FastAPI"
    ingest: "Ingest"
    projector: Projector
    metrics: Metrics
    mirror: Mirror | None
    """None where no repository is mirrored."""


@contextmanager
def open_stores(settings: Settings, *, clock: Clock = wall_clock) -> Iterator[Stores]:
    """Open Kafka and PostgreSQL where they are configured; else the files of the data folder.

    Raise ConfigurationError where only one of the two is.
    """
    if (settings.kafka is None) != (settings.database is None):
        missing = DATABASE if settings.database is None else KAFKA
        raise ConfigurationError(
            f"{missing} is not set: production has its log in Kafka and its read model in "
            "PostgreSQL, so either both are named, or neither"
        )
    opened = _open_production if settings.kafka is not None else _open_folder
    with opened(settings, clock) as stores:
        yield stores


@contextmanager
def _open_production(settings: Settings, clock: Clock) -> Iterator[Stores]:
    from services.logs.kafka import KafkaLog

    assert settings.kafka is not None
    assert settings.database is not None
    log = KafkaLog(settings.kafka)
    writing, reading = writing_engine(settings.database), reading_engine(settings.database)
    try:
        yield Stores(
            settings=settings,
            clock=clock,
            folder=DataFolder(settings.data),
            log=log,
            engine=writing,
            read_model=ReadModel(reading, log.partition_of),
            partition_of=log.partition_of,
        )
    finally:
        reading.dispose()
        writing.dispose()
        log.close()


@contextmanager
def _open_folder(settings: Settings, clock: Clock) -> Iterator[Stores]:
    folder = DataFolder(settings.data)
    folder.make()
    log = SqliteLog(folder.log, clock=clock)
    writing, reading = writing_engine(folder.read_model), reading_engine(folder.read_model)
    try:
        yield Stores(
            settings=settings,
            clock=clock,
            folder=folder,
            log=log,
            engine=writing,
            read_model=ReadModel(reading),
        )
    finally:
        reading.dispose()
        writing.dispose()
        log.close()


@contextmanager
def open_prepared(settings: Settings) -> Iterator[Stores]:
    """Open the data folder with a read model that has its tables, however far it has read."""
    with open_stores(settings) as stores:
        generations.prepare(stores.engine)
        yield stores


def prepare(stores: Stores) -> None:
    """Make the read model's tables and record the configuration; only for who holds the folder."""
    generations.prepare(stores.engine)
    record_configuration(stores.log, stores.settings, stores.clock)
    record_rules(stores.log, stores.settings, stores.clock)


def catch_up(stores: Stores, observer: Observer | None = None) -> None:
    """Bring the read model to the end of the log, unless `shipledger up` or workers do it."""
    if stores.production:
        return
    try:
        with stores.folder.held("command", patience=_PATIENCE):
            prepare(stores)
            Runner(stores.engine, stores.log, stores.clock, observer=observer).catch_up()
    except FolderHeld as held:
        if held.role != "up":
            raise
        _see_that_it_answers(stores, held.pid)


def _see_that_it_answers(stores: Stores, pid: int) -> None:
    try:
        with stores.read_model.snapshot():
            pass
    except OperationalError as error:
        raise TransientError(
            f"`shipledger up` (process {pid}) has only just begun; ask again in a moment"
        ) from error


def build_service(stores: Stores, *, allow_unsigned: bool) -> Service:
    """Put `shipledger up` together; nothing is started yet."""
    from services.api.app import create_app
    from services.api.context import Context

    metrics = Metrics(CollectorRegistry())
    observer = MetricsObserver(metrics)
    projector = Projector(
        runner=Runner(stores.engine, stores.log, stores.clock, observer=observer),
        log=stores.log,
        too_many_set_aside=lambda: too_many_set_aside(
            stores.engine, stores.settings.decided.readiness.dead_letters
        ),
    )
    ingest = _ingest(stores, metrics, allow_unsigned=allow_unsigned)
    health = Health(
        read_model=stores.read_model,
        log=stores.log,
        clock=stores.clock,
        limits=stores.settings.decided.readiness,
        fault=projector.fault,
    )
    context = Context(
        settings=stores.settings,
        read_model=stores.read_model,
        log=stores.log,
        metrics=metrics,
        health=health,
    )
    return Service(
        app=create_app(context, ingest),
        ingest=ingest,
        projector=projector,
        metrics=metrics,
        mirror=build_mirror(stores.settings, log=stores.log, clock=stores.clock, metrics=metrics),
    )


def _ingest(stores: Stores, metrics: Metrics, *, allow_unsigned: bool) -> "Ingest":
    from services.ingest import Ingest, Policy

    settings = stores.settings
    return Ingest(
        log=stores.log,
        clock=stores.clock,
        secrets=webhook_secrets(settings, allow_unsigned=allow_unsigned),
        metrics=metrics,
        policy=Policy(store_unused=settings.decided.store_unused, tracked=settings.tracked),
    )


def webhook_secrets(settings: Settings, *, allow_unsigned: bool) -> "Secrets":
    """Return the secrets of ingestion; raise ConfigurationError for one that is not set."""
    from services.ingest import Secrets

    for nth, each in enumerate(settings.decided.repositories):
        if each.secret_env and not any(
            settings.repository_secrets.get(name) for name in (each.key, each.name)
        ):
            raise ConfigurationError(
                f"repositories[{nth}].secret_env: the environment variable {each.secret_env} is "
                f"not set; it must hold the webhook secret of {each.name}"
            )
    return Secrets(
        settings.webhook_secrets,
        by_repository=settings.repository_secrets,
        allow_insecure=allow_unsigned,
    )


def build_language_model(settings: Settings) -> "LanguageModel":
    """Return the language model; raise ConfigurationError where none is configured to be asked."""
    from services.text.language_model import LanguageModel

    configured = settings.decided.language_model
    if configured is None:
        raise ConfigurationError(
            "no language model is configured, and nothing was sent; add [language_model] with "
            "`url` and `model` to shipledger.toml"
        )
    if configured.key_env is not None and settings.language_model_key is None:
        raise ConfigurationError(
            f"language_model.key_env: the environment variable {configured.key_env} is not set; "
            "it must hold the key of the language model"
        )
    return LanguageModel(configured, settings.language_model_key)
