"""All settings, read once at the start of a process.

What people decide stands in `shipledger.toml`; where things lie and what is secret comes from the
environment. Whatever is wrong raises ConfigurationError and names the key or the variable. Secrets
have no default, are never written anywhere, and do not show in a repr.
"""

import os
import re
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final, Literal, Protocol, TypeAlias, cast, get_args

import msgspec

from events.errors import ConfigurationError, InvalidQuestion
from events.identity import RepositoryKey, body_digest, name_key
from projections.period_ledger.default_rules import DEFAULT_RULES
from projections.period_ledger.exclusions import RuleSet
from projections.repositories.branch_roles import BranchRoles
from services.config.kafka import KafkaSettings
from services.config.language_model import LanguageModelSettings, model_key
from services.config.production import KafkaTopicSettings, database, kafka_settings
from services.config.queue import QueueSettings
from services.config.repository import RepositorySettings
from services.config.source import config_path, data_folder, source_digest
from services.runtime.clock import zone_of

LogFormat: TypeAlias = Literal["json", "columns"]

SECRET: Final = "SHIPLEDGER_WEBHOOK_SECRET"  # noqa: S105  # the name of a variable
LOG_FORMAT: Final = "SHIPLEDGER_LOG_FORMAT"
LOG_LEVEL: Final = "SHIPLEDGER_LOG_LEVEL"

_SEPARATOR: Final = re.compile(r"[\s,]+")


class ReadinessSettings(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Beyond these `/readyz` turns red."""

    lag_seconds: float = 300.0
    dead_letters: int = 100


class Decided(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What `shipledger.toml` may say."""

    data: str | None = None
    zone: str = "UTC"
    store_unused: bool = False
    readiness: ReadinessSettings = ReadinessSettings()
    kafka: KafkaTopicSettings = KafkaTopicSettings()
    queue: QueueSettings = QueueSettings()
    language_model: LanguageModelSettings | None = None
    """Proposes sentences for editions; None: nothing is sent anywhere."""
    repositories: tuple[RepositorySettings, ...] = ()


class _Checked(Protocol):
    def check(self) -> None:
        """Raise ValueError, beginning with the name of the field, for what cannot work."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Settings:
    """The settings of one process."""

    data: Path
    decided: Decided = field(default_factory=Decided)
    webhook_secrets: tuple[str, ...] = field(default=(), repr=False)
    repository_secrets: Mapping[str, tuple[str, ...]] = field(default_factory=dict, repr=False)
    remotes: Mapping[RepositoryKey, str] = field(default_factory=dict, repr=False)
    """The remote of each mirrored repository, empty where its variable is not set."""
    kafka: KafkaSettings | None = None
    """Where the log is in production; None: embedded."""
    database: str | None = field(default=None, repr=False)
    """Where the read model is in production: a URL, which may hold a password."""
    language_model_key: str | None = field(default=None, repr=False)
    log_format: LogFormat | None = None
    log_level: str = "INFO"
    source: str = field(default="", compare=False)
    """The digest of what all this was read from (`source.py`), where it was read by `load`."""

    def repository(self, name_or_key: str) -> RepositorySettings | None:
        """Return what is configured for a repository, by its name or key; None if nothing is."""
        lowered = name_or_key.lower()
        for repository in self.decided.repositories:
            if lowered in (repository.name.lower(), repository.key):
                return repository
        return None

    def roles(self, name_or_key: str) -> BranchRoles:
        """Return the branch roles of a repository."""
        repository = self.repository(name_or_key)
        return BranchRoles() if repository is None else repository.branches.roles()

    def exclusion_rules(self, name_or_key: str) -> RuleSet:
        """Return the rules by which a repository's requests are left out of the narrative."""
        repository = self.repository(name_or_key)
        return DEFAULT_RULES if repository is None else repository.exclusions.rules()

    def zone(self, name_or_key: str) -> str:
        """Return the time zone in which a repository's periods are meant."""
        repository = self.repository(name_or_key)
        return (repository and repository.zone) or self.decided.zone

    @property
    def tracked(self) -> frozenset[str] | None:
        """Names and keys of the tracked repositories; None where all are."""
        if not self.decided.repositories:
            return None
        return frozenset(
            name
            for repository in self.decided.repositories
            for name in (repository.name, repository.key)
        )

    @property
    def content(self) -> bytes:
        """The effective configuration as canonical JSON: no secrets, nothing of this machine, and
        nothing that no answer rests on.
        """
        repositories = tuple(
            msgspec.structs.replace(repository, mirror=None)
            for repository in self.decided.repositories
        )
        shared = msgspec.structs.replace(
            self.decided,
            data=None,
            kafka=KafkaTopicSettings(),
            queue=QueueSettings(),
            language_model=None,
            repositories=repositories,
        )
        return msgspec.json.encode(shared, order="deterministic")

    @property
    def digest(self) -> str:
        """The SHA-256 of `content`; part of an answer's identity."""
        return body_digest(self.content)


def load(environment: Mapping[str, str] | None = None, *, data: Path | None = None) -> Settings:
    """Read the settings; `data` (the option `--data`) comes before all else for the folder."""
    environment = os.environ if environment is None else environment
    named = config_path(environment)
    path = None if named is None else Path(named)
    decided = Decided() if path is None else read_file(path)
    option = None if data is None else str(data)
    return Settings(
        data=Path(data_folder(option, environment, named, decided.data)),
        source=source_digest(environment, None if path is None else path.read_bytes()),
        decided=decided,
        webhook_secrets=_secrets(environment.get(SECRET, "")),
        repository_secrets=_repository_secrets(decided, environment),
        remotes={
            repository.key: repository.mirror.address(environment)
            for repository in decided.repositories
            if repository.mirror is not None
        },
        kafka=kafka_settings(environment, decided.kafka),
        database=database(environment),
        language_model_key=model_key(environment, decided.language_model),
        log_format=_log_format(environment.get(LOG_FORMAT)),
        log_level=_log_level(environment.get(LOG_LEVEL, "INFO")),
    )


def read_file(path: Path) -> Decided:
    """Read a `shipledger.toml`; raise ConfigurationError with the key that is wrong."""
    try:
        decided = msgspec.convert(tomllib.loads(path.read_text("utf-8")), Decided)
    except OSError as error:
        raise ConfigurationError(f"cannot read {path}: {error.strerror}") from error
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise ConfigurationError(f"{path} is not TOML: {error}") from error
    except msgspec.ValidationError as error:
        raise ConfigurationError(f"{path}: {error}") from error
    _check(decided, path)
    repositories = tuple(
        msgspec.structs.replace(
            repository, mirror=repository.mirror and repository.mirror.within(path.parent)
        )
        for repository in decided.repositories
    )
    return msgspec.structs.replace(decided, repositories=repositories)


def _check(decided: Decided, path: Path) -> None:
    try:
        decided.queue.check()
    except ValueError as error:
        raise ConfigurationError(f"{path}: queue.{error}") from error
    seen: set[str] = set()
    zones = [("zone", decided.zone)]
    for nth, repository in enumerate(decided.repositories):
        key = f"repositories[{nth}]"
        try:
            name = name_key(repository.host, repository.name)
        except ValueError as error:
            raise ConfigurationError(f"{path}: {key}.name: {error}") from error
        if name in seen:
            raise ConfigurationError(f"{path}: {key}.name: {repository.name} is configured twice")
        seen.add(name)
        zones.append((f"{key}.zone", repository.zone or decided.zone))
        for part in ("mirror", "releases", "exclusions", "themes"):
            _check_part(getattr(repository, part), f"{path}: {key}.{part}")
    _check_part(decided.language_model, f"{path}: language_model")
    for key, zone in zones:
        try:
            zone_of(zone)
        except InvalidQuestion as error:
            raise ConfigurationError(f"{path}: {key}: {error}") from error


def _check_part(part: _Checked | None, key: str) -> None:
    try:
        if part is not None:
            part.check()
    except ValueError as error:
        raise ConfigurationError(f"{key}.{error}") from error


def _secrets(text: str) -> tuple[str, ...]:
    return tuple(secret for secret in _SEPARATOR.split(text) if secret)


def _repository_secrets(
    decided: Decided, environment: Mapping[str, str]
) -> dict[str, tuple[str, ...]]:
    return {
        repository.key if repository.id is not None else repository.name: _secrets(
            environment.get(repository.secret_env, "")
        )
        for repository in decided.repositories
        if repository.secret_env is not None
    }


def _log_format(text: str | None) -> LogFormat | None:
    if text is None:
        return None
    if text in get_args(LogFormat):
        return cast(LogFormat, text)
    raise ConfigurationError(f"{LOG_FORMAT} is {text!r}; write json or columns")


def _log_level(text: str) -> str:
    levels = ("DEBUG", "INFO", "WARNING", "ERROR", "CRITICAL")
    if text.upper() not in levels:
        raise ConfigurationError(f"{LOG_LEVEL} is {text!r}; write one of {', '.join(levels)}")
    return text.upper()
