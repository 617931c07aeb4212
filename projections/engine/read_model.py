"""Where questions are asked: one consistent snapshot of the generations that answer."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Final

from sqlalchemy import Connection, Engine
from sqlalchemy.exc import ProgrammingError

from events.errors import TransientError
from events.identity import RepositoryKey
from projections.engine import generations
from projections.store.snapshot import Snapshot

_ATTEMPTS: Final = 3


class ReadModel:
    """Where questions are asked. `partition_of` tells in which partition a repository lies."""

    def __init__(self, engine: Engine, partition_of: Callable[[RepositoryKey], str] = str) -> None:
        self.engine = engine
        self._partition_of = partition_of

    @contextmanager
    def snapshot(self) -> Iterator[Snapshot]:
        """Open one consistent view; everything read from it belongs together.

        Raise TransientError where the read model has not been made yet.
        """
        with self.engine.connect() as connection:
            yield self._open(connection)

    def _open(self, connection: Connection) -> Snapshot:
        for attempt in range(_ATTEMPTS):
            connection.begin()
            try:
                return Snapshot(connection, generations.active(connection), self._partition_of)
            except ProgrammingError as error:
                # a rebuild switched and dropped these tables just before they could be held
                connection.rollback()
                if attempt == _ATTEMPTS - 1:
                    raise TransientError(f"the read model is not ready: {error.orig}") from error
        raise AssertionError("not reached")
