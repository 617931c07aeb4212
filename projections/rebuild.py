"""Building a projection anew beside the one that serves, and switching over.

The new generation reads the whole log into its own tables. At the end, with the old one held
still, both stand at the same positions: they are compared, differences are named, and one row
decides which of them answers. Ended at any moment before that, a rebuild leaves nothing but a
generation in status `building`, which the next rebuild drops.
"""

from collections.abc import Callable
from typing import TypeAlias

import msgspec
from sqlalchemy import Connection, Engine, Table, select

from events.errors import InvalidQuestion
from events.log.port import Clock, Log
from projections import generations
from projections.base import Projection, read_entry
from projections.checkpoint import apply_batch, lock_cursor
from projections.runner import Runner
from projections.schema import checkpoints, dead_letters

Progress: TypeAlias = Callable[[int, int], None]
"""Is told (records read, records there are)."""

#: How many differing requests a result names.
_NAMED = 20


class RebuildResult(msgspec.Struct, frozen=True, kw_only=True):
    """What a rebuild did. `differences` name rows as `table repo #number`; they are to be
    expected after the rules have changed, and a fault otherwise.
    """

    projection: str
    old_generation: int
    new_generation: int
    records: int
    differences: tuple[str, ...]
    differing: int
    new_dead_letters: tuple[str, ...]
    switched: bool


def rebuild(
    engine: Engine,
    log: Log,
    name: str,
    clock: Clock,
    progress: Progress = lambda _done, _all: None,
    *,
    accept_dead_letters: bool = False,
) -> RebuildResult:
    """Rebuild one projection and switch to it.

    It does not switch, and says so, where records are set aside that the old one had understood.
    Raise InvalidQuestion for a projection that does not exist.
    """
    with engine.begin() as connection:
        generations.discard(connection, name=name, status="building")
        fresh = generations.begin(connection, name)
    observer = _Progress(progress, sum(log.ends().values()))
    Runner(engine, log, clock, only=[fresh], observer=observer, name=f"rebuild {name}").catch_up()
    with engine.begin() as connection:
        result = _take_over(connection, log, fresh, accept_dead_letters=accept_dead_letters)
        generations.discard(connection, name=name, status="retired")
    return msgspec.structs.replace(result, records=observer.done)


def _take_over(
    connection: Connection, log: Log, fresh: Projection, *, accept_dead_letters: bool
) -> RebuildResult:
    old = next(one for one in generations.active(connection) if one.name == fresh.name)
    _level(connection, log, old, fresh)
    differing = differences(connection, old, fresh)
    letters = _letters(connection, fresh) - _letters(connection, old)
    switched = not letters or accept_dead_letters
    if switched:
        generations.activate(connection, fresh)
    return RebuildResult(
        projection=fresh.name,
        old_generation=old.generation,
        new_generation=fresh.generation,
        records=0,
        differences=tuple(differing[:_NAMED]),
        differing=len(differing),
        new_dead_letters=tuple(sorted(letters)),
        switched=switched,
    )


def _level(connection: Connection, log: Log, old: Projection, fresh: Projection) -> None:
    """Hold the old generation still and bring the new one to the very same positions."""
    query = select(checkpoints.c.partition).where(
        checkpoints.c.projection == old.name, checkpoints.c.generation == old.generation
    )
    for partition in connection.scalars(query.order_by(checkpoints.c.partition)).all():
        target = lock_cursor(connection, old, partition)
        cursor = lock_cursor(connection, fresh, partition)
        while cursor.position < target.position:
            entries = log.read(partition, cursor, limit=target.position - cursor.position)
            if not entries:
                raise InvalidQuestion(
                    f"{partition}: the log ends before the read model that serves; "
                    "restore the log before rebuilding"
                )
            batch = [read_entry(entry) for entry in entries]
            _, cursor = apply_batch(connection, fresh, partition, cursor, batch)


def differences(connection: Connection, one: Projection, other: Projection) -> list[str]:
    """Name what differs between two generations, row for row, by table and request."""
    found: set[str] = set()
    for left, right in zip(_tables(one), _tables(other), strict=True):
        rows = _rows(connection, left) ^ _rows(connection, right)
        label = left.name.rpartition("_g")[0]
        numbered = "number" in left.c
        found |= {f"{label} {row[0]}" + (f" #{row[1]}" if numbered else "") for row in rows}
    return sorted(found)


def _tables(projection: Projection) -> list[Table]:
    return sorted(projection.metadata.tables.values(), key=lambda table: table.name)


def _rows(connection: Connection, table: Table) -> set[tuple[object, ...]]:
    return {tuple(row) for row in connection.execute(select(table))}


def _letters(connection: Connection, projection: Projection) -> set[str]:
    return set(
        connection.scalars(
            select(dead_letters.c.record_id).where(
                dead_letters.c.projection == projection.name,
                dead_letters.c.generation == projection.generation,
            )
        )
    )


class _Progress:
    """Turns the runner's batches into progress."""

    def __init__(self, progress: Progress, total: int) -> None:
        self.done, self._total, self._progress = 0, total, progress

    def batch(self, projection: str, partition: str, records: int, poisoned: int) -> None:  # noqa: ARG002
        self.done += records
        self._progress(self.done, max(self._total, self.done))

    def lag(self, projection: str, partition: str, records: int) -> None:
        """See `Observer.lag`."""
