"""Building a projection anew beside the one that serves, and switching over.

The new generation reads the whole log into its own tables. At the end, with the old one held
still, both stand at the same positions: they are compared, differences are named, and one row
decides which of them answers. Ended at any moment before that, a rebuild leaves nothing but a
generation in status `building`, which the next rebuild drops. Two rebuilds of one projection cannot
both go on: PostgreSQL refuses the second one, SQLite ends the first.
"""

from collections.abc import Callable, Iterator
from contextlib import suppress
from typing import Final, TypeAlias

import msgspec
from sqlalchemy import Connection, Engine, Row, Table, select
from sqlalchemy.exc import OperationalError

from events.errors import InvalidQuestion
from events.log.port import BATCH_RECORDS, Clock, Cursor, Log
from projections.engine import generations
from projections.engine.runner import AppliedBatch, Runner
from projections.store.base import Projection, read_entry
from projections.store.checkpoint import apply_batch, lock_cursor
from projections.store.dialects import exclusively
from projections.store.observations import KEPT
from projections.store.schema import checkpoints, dead_letters

Progress: TypeAlias = Callable[[int, int], None]
"""Is told (records read, records there are)."""

#: How many differing requests a result names.
_NAMED: Final = 20
#: Rows in memory while two tables are compared.
_PORTION: Final = 2_000


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
    with exclusively(engine, f"rebuild {name}"):
        with engine.begin() as connection:
            for status in ("building", "retired"):
                generations.discard(connection, name=name, status=status)
            fresh = generations.begin(connection, name)
        observer = _Progress(progress, sum(log.ends().values()))
        runner = Runner(engine, log, clock, only=[fresh], observer=observer, name=f"rebuild {name}")
        # again for what came in meanwhile, until so little is left that it can be waited for
        while runner.catch_up() > BATCH_RECORDS:
            pass
        with engine.begin() as connection:
            result = _take_over(connection, log, fresh, accept_dead_letters=accept_dead_letters)
        # while somebody still reads the old tables they stay, until the next rebuild
        with suppress(OperationalError), engine.begin() as connection:
            generations.discard(connection, name=name, status="retired")
    return msgspec.structs.replace(result, records=observer.done)


def _take_over(
    connection: Connection, log: Log, fresh: Projection, *, accept_dead_letters: bool
) -> RebuildResult:
    if not generations.serves(connection, fresh):
        raise InvalidQuestion(f"another rebuild of {fresh.name} was begun; that one goes on")
    old = next(
        projection for projection in generations.active(connection) if projection.name == fresh.name
    )
    _level(connection, log, old, fresh)
    differing = differences(connection, old, fresh)
    letters = {row[-1] for row in _letters(connection, fresh) - _letters(connection, old)}
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
    """Hold both generations still, at the same positions: those of the one that is further."""
    query = select(checkpoints.c.partition).where(
        checkpoints.c.projection == old.name,
        checkpoints.c.generation.in_((old.generation, fresh.generation)),
    )
    for partition in sorted(set(connection.scalars(query))):
        cursors = {
            projection.generation: lock_cursor(connection, projection, partition)
            for projection in (old, fresh)
        }
        goal = max(cursor.position for cursor in cursors.values())
        for projection in (old, fresh):
            _bring_to(connection, log, projection, partition, cursors[projection.generation], goal)


def _bring_to(
    connection: Connection,
    log: Log,
    projection: Projection,
    partition: str,
    cursor: Cursor,
    goal: int,
) -> None:
    while cursor.position < goal:
        limit = min(BATCH_RECORDS, goal - cursor.position)
        entries = log.read(partition, cursor, limit=limit)
        if not entries:
            raise InvalidQuestion(
                f"{partition}: the log ends before the read model that serves; "
                "restore the log before rebuilding"
            )
        batch = [read_entry(entry) for entry in entries]
        _, cursor = apply_batch(connection, projection, partition, cursor, batch)


def differences(connection: Connection, serving: Projection, fresh: Projection) -> list[str]:
    """Name what differs between two generations, row for row, by table and request."""
    differing: set[str] = set()
    for left, right in zip(_tables(serving), _tables(fresh), strict=True):
        label = left.name.rpartition("_g")[0]
        for row in _unshared(connection, left, right):
            number = f" #{row.number}" if "number" in left.c else ""
            differing.add(f"{label} {row.repo}{number}")
    return sorted(differing)


def _unshared(connection: Connection, left: Table, right: Table) -> Iterator[Row[tuple[object]]]:
    """Yield the rows that only one of two tables holds; both are walked along their keys."""
    key = [left.c.keys().index(column.key) for column in left.primary_key]
    lefts, rights = _walk(connection, left), _walk(connection, right)
    left_row, right_row = next(lefts, None), next(rights, None)
    while left_row is not None or right_row is not None:
        if left_row == right_row:
            left_row, right_row = next(lefts, None), next(rights, None)
        elif left_row is not None and (
            right_row is None or [left_row[at] for at in key] <= [right_row[at] for at in key]
        ):
            yield left_row
            left_row = next(lefts, None)
        else:
            assert right_row is not None
            yield right_row
            right_row = next(rights, None)


def _walk(connection: Connection, table: Table) -> Iterator[Row[tuple[object]]]:
    query = select(table).order_by(*table.primary_key)
    return iter(connection.execute(query, execution_options={"yield_per": _PORTION}))


def _tables(projection: Projection) -> list[Table]:
    tables = (table for table in projection.metadata.tables.values() if KEPT not in table.info)
    return sorted(tables, key=lambda table: table.name)


def _letters(connection: Connection, projection: Projection) -> set[tuple[str, int, str]]:
    """Return (partition, position, record): a record stored twice may be set aside once."""
    table = dead_letters.c
    query = select(table.partition, table.position, table.record_id).where(
        table.projection == projection.name, table.generation == projection.generation
    )
    return {(row[0], row[1], row[2]) for row in connection.execute(query)}


class _Progress:
    """Turns the runner's batches into progress."""

    def __init__(self, progress: Progress, total: int) -> None:
        self.done, self._total, self._progress = 0, total, progress

    def batch(self, batch: AppliedBatch) -> None:
        """See `Observer.batch`."""
        self.done += batch.records
        self._progress(self.done, max(self._total, self.done))

    def lag(self, projection: str, partition: str, records: int) -> None:
        """See `Observer.lag`."""
