"""One batch of one partition into the read model: rows, checkpoint and dead letters, or nothing.

The checkpoint row is locked first, so of two workers that were given the same records, as during a
rebalance, the second waits and then drops what the first has done. No state is kept between
batches: what a fold needs it reads under that lock.
"""

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from sqlalchemy import Connection, Engine, func, select

from events.errors import BrokenLog, ShipledgerError
from events.log.port import Cursor
from projections.engine import generations
from projections.engine.runner import contradictions_in
from projections.store.base import Projection, read_entry
from projections.store.checkpoint import apply_batch, lock_cursor
from projections.store.dialects import insert_absent
from projections.store.schema import checkpoints, dead_letters
from projections.store.transaction import transaction
from services.logs.kafka.entries import PartitionName, Stored, entries_of


class GenerationRetired(ShipledgerError):
    """Another generation of the projection answers now; this one is not fed any more."""


class Folded(NamedTuple):
    """What became of a batch; `position` is the next one to read."""

    applied: int
    dropped: int
    poisoned: int
    position: int
    contradictions: int


def fold(
    engine: Engine, projection: Projection, where: PartitionName, messages: Sequence[Stored]
) -> Folded:
    """Apply consecutive messages of a partition in one transaction.

    Raise TransientError where the database is away (the same call may work later), BrokenLog where
    records are missing before them, GenerationRetired where a rebuild has taken over.
    """
    partition = str(where.number)
    with transaction(engine) as connection:
        cursor = lock_cursor(connection, projection, partition)
        if not generations.serves(connection, projection):
            raise GenerationRetired(
                f"generation {projection.generation} of {projection.name} does not answer any more"
            )
        todo = following(messages, cursor.position, f"{projection.name} {where.topic} {partition}")
        batch = [read_entry(entry) for entry in entries_of(where, todo, cursor.recorded_at)]
        poisoned, moved = apply_batch(connection, projection, partition, cursor, batch)
    return Folded(
        applied=len(batch),
        dropped=len(messages) - len(batch),
        poisoned=len(poisoned),
        position=moved.position,
        contradictions=contradictions_in(projection, batch),
    )


def following(messages: Iterable[Stored], position: int, name: str) -> list[Stored]:
    """Return the messages from a position on, each once; raise BrokenLog where one is missing.

    A message that comes again, also within one batch, is dropped: its stamp has been given.
    """
    fresh = []
    for message in messages:
        if message.position > position:
            raise BrokenLog(
                f"{name}: the next record is {position}, and {message.position} came; what lies "
                "between is skipped by nobody: going on from the database's position"
            )
        if message.position == position:
            fresh.append(message)
            position += 1
    return fresh


def stand(engine: Engine, projection: Projection, partitions: Iterable[int]) -> dict[int, Cursor]:
    """Return where a projection stands in some partitions; rows that are missing are made.

    A row that exists can be locked by the first batch; one that does not could not.
    """
    names = {str(number): number for number in partitions}
    if not names:
        return {}
    with transaction(engine) as connection:
        rows = [
            {
                "projection": projection.name,
                "generation": projection.generation,
                "partition": name,
                "next_position": 0,
                "last_recorded": 0,
            }
            for name in sorted(names)
        ]
        connection.execute(insert_absent(connection, checkpoints), rows)
        cursor_of = cursors(connection, projection)
    return {number: cursor_of[name] for name, number in names.items()}


def cursors(connection: Connection, projection: Projection) -> dict[str, Cursor]:
    """Return where a projection stands, by partition."""
    table = checkpoints.c
    query = select(table.partition, table.next_position, table.last_recorded).where(
        table.projection == projection.name, table.generation == projection.generation
    )
    return {row[0]: Cursor(row[1], row[2]) for row in connection.execute(query)}


def set_aside(connection: Connection, projection: Projection) -> int:
    """Return how many records a projection has set aside."""
    query = select(func.count()).where(
        dead_letters.c.projection == projection.name,
        dead_letters.c.generation == projection.generation,
    )
    return connection.scalar(query) or 0
