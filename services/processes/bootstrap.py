"""The one place where things are put together. Everything is handed what it needs from here.

Embedded: the log and the read model are SQLite files in the data folder, partition = repository
key. In production, where the environment names Kafka and PostgreSQL, commands work on those; the
processes that run apart put themselves together: `ingest`, `worker`, `api`.
"""

from dataclasses import dataclass
from typing import TYPE_CHECKING

from sqlalchemy.exc import OperationalError, SQLAlchemyError

from events.errors import ConfigurationError, ShipledgerError, TransientError
from events.identity import RepositoryKey
from projections.engine import generations
from projections.engine.runner import Observer, Runner
from services.audit.configuration import record_configuration, record_rules
from services.config.settings import Settings
from services.config.source import KAFKA
from services.runtime.data_folder import FolderHeld
from services.stream.stores import Stores

# What only running processes need is imported where it is made: a command that asks one question
# does not wait for the modules of a web server, a mirror or their metrics.
if TYPE_CHECKING:
    from fastapi import FastAPI

    from services.answers.text.language_model import LanguageModel
    from services.intake.mirror import Mirror
    from services.intake.webhooks import Ingest, Secrets
    from services.logs.kafka import KafkaSettings
    from services.processes.projecting import ProjectorProcess
    from services.runtime.telemetry import Metrics
    from services.stream.editions import EditionKeeper
    from services.stream.histories import HistoryKeeper

#: Seconds for which a command waits for another command that is catching up.
_PATIENCE = 120.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Service:
    """What `shipledger up` runs."""

    app: "FastAPI"
    ingest: "Ingest"
    projector: "ProjectorProcess"
    histories: "HistoryKeeper"
    editions: "EditionKeeper"
    metrics: "Metrics"
    mirror: "Mirror | None"
    """None where no repository is mirrored."""


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
    except FolderHeld as refusal:
        if refusal.role != "up":
            raise
        _see_that_it_answers(stores, refusal.pid)


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
    from prometheus_client import CollectorRegistry

    from services.answers.roadmaps.asking import conventions
    from services.api.app import create_app
    from services.processes.mirroring import build_mirror
    from services.processes.projecting import ProjectorProcess
    from services.runtime.telemetry import Metrics
    from services.stream.editions import EditionKeeper
    from services.stream.health import Health
    from services.stream.histories import HistoryKeeper
    from services.stream.observer import MetricsObserver

    metrics = Metrics(CollectorRegistry())
    projector = ProjectorProcess(stores.settings, MetricsObserver(metrics))
    ingest = _ingest(stores, metrics, allow_unsigned=allow_unsigned)
    health = Health(
        read_model=stores.read_model,
        log=stores.log,
        clock=stores.clock,
        limits=stores.settings.decided.readiness,
        fault=projector.fault,
    )
    return Service(
        app=create_app(stores, metrics, health, ingest),
        ingest=ingest,
        projector=projector,
        histories=HistoryKeeper(
            engine=stores.engine,
            read_model=stores.read_model,
            roles=stores.settings.roles,
            histories=stores.histories,
        ),
        editions=EditionKeeper(
            engine=stores.engine,
            read_model=stores.read_model,
            convention=conventions(stores.settings),
            editions=stores.editions,
        ),
        metrics=metrics,
        mirror=build_mirror(stores.settings, log=stores.log, clock=stores.clock, metrics=metrics),
    )


def _ingest(stores: Stores, metrics: "Metrics", *, allow_unsigned: bool) -> "Ingest":
    from services.intake.webhooks import Ingest, Policy

    settings = stores.settings
    return Ingest(
        log=stores.log,
        clock=stores.clock,
        secrets=webhook_secrets(settings, allow_unsigned=allow_unsigned),
        metrics=metrics,
        policy=Policy(store_unused=settings.decided.store_unused, tracked=settings.tracked),
        key_of=lambda name: _recorded_key(stores, name),
    )


def _recorded_key(stores: Stores, name: str) -> RepositoryKey | None:
    """Return the key that a repository is recorded under by its id, None where there is none."""
    from projections.repositories.queries import find

    try:
        with stores.read_model.snapshot() as snapshot:
            named = find(snapshot, name)
    except (ShipledgerError, SQLAlchemyError):  # nothing is known, or not to be had just now
        return None
    bears_it = named.full_name.lower() == name.lower()
    return named.repo if bears_it and "name:" not in named.repo else None


def webhook_secrets(settings: Settings, *, allow_unsigned: bool) -> "Secrets":
    """Return the secrets of ingestion; raise ConfigurationError for one that is not set."""
    from services.intake.webhooks import Secrets

    for nth, repository in enumerate(settings.decided.repositories):
        if repository.secret_env and not any(
            settings.repository_secrets.get(name) for name in (repository.key, repository.name)
        ):
            raise ConfigurationError(
                f"repositories[{nth}].secret_env: the environment variable "
                f"{repository.secret_env} is not set; it must hold the webhook secret of "
                f"{repository.name}"
            )
    return Secrets(
        settings.webhook_secrets,
        by_repository=settings.repository_secrets,
        allow_insecure=allow_unsigned,
    )


def build_language_model(settings: Settings) -> "LanguageModel":
    """Return the language model; raise ConfigurationError where none is configured to be asked."""
    from services.answers.text.language_model import LanguageModel

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


def needed_kafka(settings: Settings) -> "KafkaSettings":
    """Return how to reach Kafka; raise ConfigurationError where that is not set."""
    if settings.kafka is None:
        raise ConfigurationError(f"{KAFKA} is not set; write the brokers: HOST:PORT,HOST:PORT")
    return settings.kafka
