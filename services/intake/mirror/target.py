"""What one mirror is to do, put together from the settings."""

from dataclasses import dataclass

from events.identity import RepositoryKey
from services.config.remotes import Remote


@dataclass(frozen=True, slots=True, kw_only=True)
class Target:
    """One repository: where it is fetched from, how often, and where its records go.

    `branches` are the globs of the branches beside the default one that count as landing (none:
    those of `services.intake.git.branches`); `contents`: files are fetched and read;
    `partition` is where the log keeps the repository.
    """

    repository: RepositoryKey
    full_name: str
    remote: Remote
    refs: tuple[str, ...]
    interval: float
    time_limit: float
    branches: tuple[str, ...] = ()
    contents: bool = False
    partition: str
