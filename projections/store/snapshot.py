"""One consistent view of the read model: the tables that answer now, in one transaction."""

from collections.abc import Callable, Collection, Hashable, Iterable
from typing import TypeVar

import msgspec
from sqlalchemy import Connection, func, select

from events.errors import InvalidQuestion
from events.identity import RepositoryKey, host_of
from events.instant import Instant, format_instant
from projections.store.base import Projection
from projections.store.dialects import hold_tables
from projections.store.progress import CLOCK_TOLERANCE, caught_up_at
from projections.store.schema import checkpoints, dead_letters

T = TypeVar("T")


class Watermark(msgspec.Struct, frozen=True, kw_only=True):
    """How far knowledge reaches: `last_recorded` of the repository's partition as projected,
    `caught_up_at`, when the reader last stood at the end of the log (0: never), and `host_until`,
    up to where the partition of its host is known: answers read gaps there too. None where that was
    not looked at.
    """

    last_recorded: Instant
    caught_up_at: Instant
    host_until: Instant | None = None

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

    @property
    def stamped_ahead(self) -> bool:
        """Whether records are stamped later than a reader was at the end of the log.

        A clock was ahead when they were stamped, or the reader is on its way to the end.
        """
        return 0 < self.caught_up_at < self.last_recorded - CLOCK_TOLERANCE

    def settles(self, known_at: Instant) -> bool:
        """Tell whether nothing recorded later can change an answer at this K.

        What is recorded about the host after the reader stood at its end is stamped later than that
        moment.
        """
        host = self.last_recorded if self.host_until is None else self.host_until
        return known_at <= min(self.last_recorded, host)


class Snapshot:
    """The tables that answer now, on one connection inside one transaction.

    A query asks for the tables that it reads by their type, so it needs no other projection.
    """

    def __init__(
        self,
        connection: Connection,
        active: Iterable[Projection],
        partition_of: Callable[[RepositoryKey], str] = str,
    ) -> None:
        self.connection = connection
        self._partition_of = partition_of
        self._active = {projection.name: projection for projection in active}
        self._tables = {
            type(projection.tables): projection.tables for projection in self._active.values()
        }
        hold_tables(
            connection,
            [
                table
                for projection in self._active.values()
                for table in projection.metadata.tables.values()
            ],
        )

    @property
    def active(self) -> Iterable[Projection]:
        """The generations that answer."""
        return self._active.values()

    def tables(self, kind: type[T]) -> T:
        """Return the tables of this kind in the active generation of their projection."""
        tables = self._tables[kind]
        assert isinstance(tables, kind)
        return tables

    def generation(self, projection: str) -> int:
        """Return the number of the active generation of a projection."""
        return self._active[projection].generation

    def watermark(self, repo: RepositoryKey) -> Watermark:
        """Return how far the projections have read the partition of a repository."""
        own, host = self._partition_of(repo), self._partition_of(host_of(repo))
        caught_up = caught_up_at(self.connection, self._active, (own, host))
        last = self._last_recorded((own, host))
        host_until = last[own] if host == own else max(last[host], caught_up[host])
        return Watermark(
            last_recorded=last[own], caught_up_at=caught_up[own], host_until=host_until
        )

    def reached(self, repo: RepositoryKey) -> Hashable:
        """Return what tells a state of what is known of a repository from every other one.

        A record that was set aside and is understood at a second try is known since it was
        recorded: only how many are set aside tells of it.
        """
        query = select(func.count()).select_from(dead_letters).where(dead_letters.c.repo == repo)
        generations = tuple(projection.generation for projection in self.active)
        own = self._partition_of(repo)
        last = self._last_recorded((own,))[own]
        return generations, last, self.connection.scalar(query)

    def _last_recorded(self, partitions: Collection[str]) -> dict[str, Instant]:
        """Return the last moment of partitions that all projections have read (0: none)."""
        active = {(projection.name, projection.generation) for projection in self.active}
        query = select(
            checkpoints.c.projection,
            checkpoints.c.generation,
            checkpoints.c.partition,
            checkpoints.c.last_recorded,
        ).where(
            checkpoints.c.projection.in_(list(self._active)),
            checkpoints.c.generation.in_({generation for _, generation in active}),
            checkpoints.c.partition.in_(partitions),
        )
        recorded = {
            (partition, (name, generation)): last
            for name, generation, partition, last in self.connection.execute(query)
        }
        return {
            partition: min((recorded.get((partition, one), 0) for one in active), default=0)
            for partition in partitions
        }
