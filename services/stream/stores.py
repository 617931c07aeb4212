"""The log and the read model, open: what every question, command and process stands on.

Embedded: SQLite files in the data folder, partition = repository key. In production, where the
environment names Kafka and PostgreSQL, commands work on those.
"""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field

from sqlalchemy import Engine

from events.errors import ConfigurationError
from events.identity import RepositoryKey
from events.log.port import Clock, Log
from projections.engine import generations
from projections.engine.read_model import ReadModel
from projections.release_inclusion.view import HistoryCache
from projections.roadmap_status.editions.cache import EditionCache
from services.config.settings import Settings
from services.config.source import DATABASE, KAFKA
from services.logs.sqlite import SqliteLog
from services.runtime.clock import wall_clock
from services.runtime.data_folder import DataFolder
from services.stream.engines import reading_engine, writing_engine


@dataclass(frozen=True, slots=True, kw_only=True)
class Stores:
    """The log and the read model, open: of one data folder, or of production.

    Commands, routes and receipts ask on it alike.
    """

    settings: Settings
    clock: Clock
    folder: DataFolder
    log: Log
    engine: Engine
    """Writes to the read model; only the holder of the folder and rebuilds use it."""
    read_model: ReadModel
    partition_of: Callable[[RepositoryKey], str] = str
    """In which partition of the log the records of a repository lie."""
    histories: HistoryCache = field(default_factory=HistoryCache)
    """The git histories that were asked about last, as answers about releases need them."""
    editions: EditionCache = field(default_factory=EditionCache)
    """The texts of roadmaps that were read last."""

    @property
    def production(self) -> bool:
        """Whether workers feed the read model, and not whoever holds the folder."""
        return self.settings.kafka is not None


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
def open_log(settings: Settings, *, grown: bool = False) -> Iterator[Log]:
    """Open the log alone; `grown`: a Kafka topic to which partitions were added, to be copied.

    Raise ConfigurationError as `open_stores` does, and where `grown` is asked of no Kafka topic.
    """
    if not grown:
        with open_stores(settings) as stores:
            yield stores.log
        return
    from services.logs.kafka import open_grown

    if settings.kafka is None:
        raise ConfigurationError(f"{KAFKA} is not set: only a Kafka topic can have been grown")
    log = open_grown(settings.kafka)
    try:
        yield log
    finally:
        log.close()


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
