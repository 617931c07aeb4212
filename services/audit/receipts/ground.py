"""What receipts are made and verified on: the log, where repositories lie in it, the settings."""

from collections.abc import Callable
from typing import Protocol

from events.identity import RepositoryKey
from events.log.port import Log
from services.config.settings import Settings


class Ground(Protocol):
    """The open stores of a command, or the context of the API."""

    @property
    def settings(self) -> Settings:
        """The settings of today."""

    @property
    def log(self) -> Log:
        """The log; it is only read."""

    @property
    def partition_of(self) -> Callable[[RepositoryKey], str]:
        """In which partition of the log the records of a repository lie."""
