"""One consistent view of the read model: active generations, one database snapshot."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import cast

import msgspec
from sqlalchemy import Connection, Engine, select

from events.errors import InvalidQuestion
from events.identity import RepositoryKey
from events.instant import Instant, format_instant
from projections import generations
from projections.base import Projection
from projections.pull_requests.apply import PullRequests
from projections.pull_requests.tables import PullRequestTables
from projections.repositories.apply import Repositories
from projections.repositories.tables import RepositoryTables
from projections.schema import checkpoints, readers


class Watermark(msgspec.Struct, frozen=True, kw_only=True):
    """How far knowledge reaches: `last_recorded` of the repository's partition as projected, and
    `caught_up_at`, when the reader last stood at the end of the log (0: never).
    """

    last_recorded: Instant
    caught_up_at: Instant

    def known_at(self, asked: Instant | None) -> Instant:
        """Return the K of a question; raise InvalidQuestion for one that lies in the future."""
        if asked is None:
            return self.last_recorded
        if asked > max(self.caught_up_at, self.last_recorded):
            reached = format_instant(max(self.caught_up_at, self.last_recorded))
            raise InvalidQuestion(
                f"known_at {format_instant(asked)} lies after what has been read ({reached}); "
                "ask for an earlier moment, or wait for the projections to catch up"
            )
        return asked

    def settles(self, known_at: Instant) -> bool:
        """Tell whether nothing recorded later can change an answer at this K."""
        return known_at <= self.last_recorded


class Snapshot:
    """The tables that answer now, on one connection inside one transaction."""

    def __init__(
        self, connection: Connection, partition_of: Callable[[RepositoryKey], str]
    ) -> None:
        self.connection = connection
        self._partition_of = partition_of
        self._active: dict[str, Projection] = {
            projection.name: projection for projection in generations.active(connection)
        }

    @property
    def pull_requests(self) -> PullRequestTables:
        """Tables of the active generation of `pull_requests`."""
        return cast(PullRequests, self._active[PullRequests.name]).tables

    @property
    def repositories(self) -> RepositoryTables:
        """Tables of the active generation of `repositories`."""
        return cast(Repositories, self._active[Repositories.name]).tables

    def generation(self, projection: str) -> int:
        """Return the number of the active generation of a projection."""
        return self._active[projection].generation

    def watermark(self, repo: RepositoryKey) -> Watermark:
        """Return how far the projections have read the partition of a repository."""
        recorded = []
        for projection in self._active.values():
            query = select(checkpoints.c.last_recorded).where(
                checkpoints.c.projection == projection.name,
                checkpoints.c.generation == projection.generation,
                checkpoints.c.partition == self._partition_of(repo),
            )
            recorded.append(self.connection.scalar(query) or 0)
        caught_up = self.connection.scalar(
            select(readers.c.caught_up_at).where(readers.c.name == "live")
        )
        return Watermark(last_recorded=min(recorded), caught_up_at=caught_up or 0)


class ReadModel:
    """Where questions are asked. `partition_of` tells in which partition a repository lies."""

    def __init__(self, engine: Engine, partition_of: Callable[[RepositoryKey], str] = str) -> None:
        self.engine = engine
        self._partition_of = partition_of

    @contextmanager
    def snapshot(self) -> Iterator[Snapshot]:
        """Open one consistent view; everything read from it belongs together."""
        with self.engine.connect() as connection, connection.begin():
            yield Snapshot(connection, self._partition_of)
