"""One consistent view of the read model: active generations, one database snapshot."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Final, cast

import msgspec
from sqlalchemy import Connection, Engine, select
from sqlalchemy.exc import ProgrammingError

from events.errors import InvalidQuestion, TransientError
from events.identity import RepositoryKey
from events.instant import Instant, format_instant
from projections import generations
from projections.base import Projection
from projections.changed_files.apply import ChangedFiles
from projections.changed_files.tables import ChangedFilesTables
from projections.curation.apply import Curation
from projections.curation.tables import CurationTables
from projections.dialects import hold_tables
from projections.pull_requests.apply import PullRequests
from projections.pull_requests.tables import PullRequestTables
from projections.reading import caught_up_at
from projections.release_inclusion.apply import ReleaseInclusion
from projections.release_inclusion.tables import ReleaseTables
from projections.repositories.apply import Repositories
from projections.repositories.tables import RepositoryTables
from projections.roadmap_status.apply import RoadmapStatus
from projections.roadmap_status.tables import RoadmapTables
from projections.schema import checkpoints

_ATTEMPTS: Final = 3


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
        hold_tables(
            connection,
            [table for one in self._active.values() for table in one.metadata.tables.values()],
        )

    @property
    def changed_files(self) -> ChangedFilesTables:
        """Tables of the active generation of `changed_files`."""
        return cast(ChangedFiles, self._active[ChangedFiles.name]).tables

    @property
    def curation(self) -> CurationTables:
        """Tables of the active generation of `curation`."""
        return cast(Curation, self._active[Curation.name]).tables

    @property
    def pull_requests(self) -> PullRequestTables:
        """Tables of the active generation of `pull_requests`."""
        return cast(PullRequests, self._active[PullRequests.name]).tables

    @property
    def release_inclusion(self) -> ReleaseTables:
        """Tables of the active generation of `release_inclusion`."""
        return cast(ReleaseInclusion, self._active[ReleaseInclusion.name]).tables

    @property
    def repositories(self) -> RepositoryTables:
        """Tables of the active generation of `repositories`."""
        return cast(Repositories, self._active[Repositories.name]).tables

    @property
    def roadmap_status(self) -> RoadmapTables:
        """Tables of the active generation of `roadmap_status`."""
        return cast(RoadmapStatus, self._active[RoadmapStatus.name]).tables

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
        caught_up = caught_up_at(self.connection, self._active, self._partition_of(repo))
        return Watermark(last_recorded=min(recorded), caught_up_at=caught_up)


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
                return Snapshot(connection, self._partition_of)
            except ProgrammingError as error:
                # a rebuild switched and dropped these tables just before they could be held
                connection.rollback()
                if attempt == _ATTEMPTS - 1:
                    raise TransientError(f"the read model is not ready: {error.orig}") from error
        raise AssertionError("not reached")
