"""Puts the mirror together, from the settings, for both modes.

Embedded it appends to the log of the data folder, in production to Kafka; the clones lie in the
data folder in both. `shipledger up` runs one by itself, `shipledger mirror` runs nothing else.
"""

from collections.abc import Callable, Iterator
from contextlib import contextmanager

from events.errors import ConfigurationError
from events.identity import RepositoryKey
from events.log.port import Clock, Log
from services.config.remotes import parse_remote
from services.config.repository import RepositorySettings
from services.config.settings import Settings
from services.intake.mirror import Mirror, Target
from services.runtime.clock import wall_clock
from services.runtime.data_folder import DataFolder
from services.runtime.telemetry import Metrics

PartitionOf = Callable[[RepositoryKey], str]


@contextmanager
def open_mirror(
    settings: Settings, metrics: Metrics, *, clock: Clock = wall_clock
) -> Iterator[Mirror | None]:
    """Open the log and put the mirror together; None where no repository is mirrored."""
    log, partition_of = _open_log(settings, clock)
    try:
        yield build_mirror(
            settings, log=log, clock=clock, metrics=metrics, partition_of=partition_of
        )
    finally:
        log.close()


def build_mirror(
    settings: Settings,
    *,
    log: Log,
    clock: Clock,
    metrics: Metrics,
    partition_of: PartitionOf = str,
) -> Mirror | None:
    """Put the mirror together, None where no repository is mirrored; nothing is started yet."""
    targets = mirror_targets(settings, partition_of)
    if not targets:
        return None
    folder = DataFolder(settings.data).mirror
    return Mirror(folder, targets, log=log, clock=clock, metrics=metrics)


def mirror_targets(settings: Settings, partition_of: PartitionOf = str) -> list[Target]:
    """Return what is to be mirrored; raise ConfigurationError for a remote that cannot be used."""
    return [
        _target(nth, repository, settings, partition_of)
        for nth, repository in enumerate(settings.decided.repositories)
        if repository.mirror is not None
    ]


def _target(
    nth: int, repository: RepositorySettings, settings: Settings, partition_of: PartitionOf
) -> Target:
    mirror = repository.mirror
    assert mirror is not None
    try:
        remote = parse_remote(settings.remotes.get(repository.key, ""))
    except ValueError as error:
        where = f"the environment variable {mirror.remote_env}" if mirror.remote_env else "remote"
        raise ConfigurationError(f"repositories[{nth}].mirror: {where}: {error}") from None
    return Target(
        repository=repository.key,
        full_name=repository.name,
        remote=remote,
        refs=mirror.refs,
        interval=mirror.interval_seconds,
        time_limit=mirror.time_limit_seconds,
        branches=repository.branches.landing,
        contents=mirror.contents,
        partition=partition_of(repository.key),
    )


def _open_log(settings: Settings, clock: Clock) -> tuple[Log, PartitionOf]:
    folder = DataFolder(settings.data)
    folder.make()
    if settings.kafka is None:
        from services.logs.sqlite import SqliteLog

        return SqliteLog(folder.log, clock=clock), str
    from services.logs.kafka import KafkaLog

    kafka = KafkaLog(settings.kafka)
    return kafka, kafka.partition_of
