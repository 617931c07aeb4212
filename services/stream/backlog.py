"""How far the projections are behind the log, and what they set aside, measured when asked.

Measured from the checkpoints and the log's ends and not from what a projector said last, so the
figures stay right while no projector runs.
"""

from collections.abc import Iterable
from typing import Final

import msgspec
from sqlalchemy import Connection, func, select

from events.instant import SECOND, Instant
from events.log.port import Clock, Cursor, Log
from projections.engine import generations
from projections.engine.read_model import ReadModel
from projections.store.base import Projection
from projections.store.schema import checkpoints, dead_letters
from projections.store.schema import generations as generation_table

_ONE: Final = 1


class Behind(msgspec.Struct, frozen=True, kw_only=True):
    """One projection in one partition; `seconds` is the age of the oldest record not taken in.

    `last_recorded` is the stamp of the last record that was taken in, 0 where there is none.
    """

    projection: str
    partition: str
    position: int
    end: int
    seconds: float
    last_recorded: Instant

    @property
    def records(self) -> int:
        """How many records are still to be taken in."""
        return max(0, self.end - self.position)


class Progress(msgspec.Struct, frozen=True, kw_only=True):
    """One projection as a whole; `version` is that of the rules by which it was made."""

    name: str
    version: int
    outdated: bool
    generation: int
    dead_letters: int
    partitions: tuple[Behind, ...]

    @property
    def records(self) -> int:
        """How many records of all partitions are still to be taken in."""
        return sum(each.records for each in self.partitions)

    @property
    def seconds(self) -> float:
        """The age of the oldest record not taken in."""
        return max((each.seconds for each in self.partitions), default=0.0)


def measure(read_model: ReadModel, log: Log, clock: Clock) -> list[Progress]:
    """Return the progress of every projection; raise LogUnavailable without a log."""
    # The ends first: a checkpoint read afterwards may be beyond them, never wrongly behind.
    ends = log.ends()
    with read_model.engine.connect() as connection:
        states = [
            (
                projection,
                _version(connection, projection),
                _positions(connection, projection),
                _set_aside(connection, projection),
            )
            for projection in generations.active(connection)
        ]
    return [
        Progress(
            name=projection.name,
            version=version,
            outdated=version != projection.version,
            generation=projection.generation,
            dead_letters=aside,
            partitions=tuple(
                _behind(projection.name, partition, end, cursors.get(partition), log, clock)
                for partition, end in sorted(ends.items())
            ),
        )
        for projection, version, cursors, aside in states
    ]


def last_stamps(progress: Iterable[Progress]) -> dict[str, Instant]:
    """Return the latest stamp that was taken in of each partition."""
    stamps: dict[str, Instant] = {}
    for projection in progress:
        for part in projection.partitions:
            stamps[part.partition] = max(stamps.get(part.partition, 0), part.last_recorded)
    return stamps


def _behind(
    projection: str, partition: str, end: int, cursor: Cursor | None, log: Log, clock: Clock
) -> Behind:
    cursor = cursor or Cursor(0, 0)
    seconds = 0.0
    if cursor.position < end:
        (oldest,) = log.read(partition, cursor, limit=_ONE)
        seconds = max(0.0, (clock() - oldest.recorded_at) / SECOND)
    return Behind(
        projection=projection,
        partition=partition,
        position=cursor.position,
        end=end,
        seconds=seconds,
        last_recorded=cursor.recorded_at,
    )


def _version(connection: Connection, projection: Projection) -> int:
    table = generation_table.c
    query = select(table.fold_version).where(
        table.projection == projection.name, table.generation == projection.generation
    )
    return connection.scalar(query) or 0


def _positions(connection: Connection, projection: Projection) -> dict[str, Cursor]:
    table = checkpoints.c
    query = select(table.partition, table.next_position, table.last_recorded).where(
        table.projection == projection.name, table.generation == projection.generation
    )
    return {row.partition: Cursor(row[1], row[2]) for row in connection.execute(query)}


def _set_aside(connection: Connection, projection: Projection) -> int:
    query = select(func.count()).where(
        dead_letters.c.projection == projection.name,
        dead_letters.c.generation == projection.generation,
    )
    return connection.scalar(query) or 0
