"""Worlds in the log and in the read model, without HTTP."""

import sqlite3
from collections.abc import Callable, Iterable, Sequence
from functools import cache

from sqlalchemy import Connection, Engine, Table, create_engine, select
from sqlalchemy.pool import StaticPool

from events.instant import INF, Instant
from events.log.memory import MemoryLog
from events.log.port import Clock, Cursor
from events.record import Record
from projections.engine import generations
from projections.engine.read_model import ReadModel
from projections.engine.runner import Runner
from projections.store.base import Projection
from services.simulator import World
from services.simulator.delivery import Delivery

REPO = "github.com/1001"
SECOND = 1_000_000


class SetClock:
    """A clock that a test sets."""

    def __init__(self, now: Instant = 0) -> None:
        self.now = now

    def __call__(self) -> Instant:
        return self.now


def record_of(delivery: Delivery, repository: str = REPO) -> Record:
    """Return the record that ingestion makes of a delivery, as far as projections care."""
    action = f".{delivery.action}" if delivery.action else ""
    return Record(
        id=delivery.delivery_id,
        repository=repository,
        source="webhook",
        type=f"com.github.{delivery.event}{action}",
        body=delivery.body,
    )


def log_of(
    records: Iterable[Record], times: Callable[[int], Instant], clock: SetClock | None = None
) -> MemoryLog:
    """Return a log that received the records at the given times."""
    clock = clock or SetClock()
    log = MemoryLog(clock)
    for index, record in enumerate(records):
        clock.now = times(index)
        log.append([record])
    return log


def world_log(world: World, *, delay: Instant = 2 * SECOND) -> MemoryLog:
    """Return a log in which each delivery arrived `delay` after it happened."""
    return log_of(
        map(record_of, world.deliveries), lambda index: world.deliveries[index].at + delay
    )


def memory_engine() -> Engine:
    """Return an empty read model in memory."""
    engine = create_engine("sqlite://", poolclass=StaticPool, creator=_copy_of_empty)
    engine.connect().close()
    return engine


@cache
def _empty() -> sqlite3.Connection:
    """Return an empty read model in memory, which is made once and copied."""
    made = sqlite3.connect(":memory:", check_same_thread=False)
    generations.prepare(create_engine("sqlite://", poolclass=StaticPool, creator=lambda: made))
    return made


def _copy_of_empty() -> sqlite3.Connection:
    copy = sqlite3.connect(":memory:", check_same_thread=False)
    _empty().backup(copy)
    return copy


def project(
    log: MemoryLog,
    *,
    batch_records: int = 500,
    engine: Engine | None = None,
    clock: Clock | None = None,
) -> ReadModel:
    """Project a log to its end; without a clock the reader caught up at the last record."""
    engine = engine or memory_engine()
    last = max((log_end(log, partition) for partition in log.ends()), default=0)
    Runner(engine, log, clock or (lambda: last), batch_records=batch_records).catch_up()
    return ReadModel(engine)


def log_end(log: MemoryLog, partition: str) -> Instant:
    """Return the stamp of the last record of a partition."""
    return log.read(partition, Cursor(log.ends()[partition] - 1, 0), limit=1)[-1].recorded_at


def rows(model: ReadModel, *, without: Sequence[str] = ()) -> dict[str, set[tuple[object, ...]]]:
    """Return every row of every active table by its plain name, without some columns."""
    with model.engine.connect() as connection:
        return {
            table.name.rpartition("_g")[0]: _table_rows(connection, table, without)
            for projection in _active(connection)
            for table in projection.metadata.tables.values()
        }


def present(model: ReadModel) -> dict[str, set[tuple[object, ...]]]:
    """Return the present state: what holds now, without when it became known."""
    found: dict[str, set[tuple[object, ...]]] = {}
    with model.engine.connect() as connection:
        for projection in _active(connection):
            for table in projection.metadata.tables.values():
                name = table.name.rpartition("_g")[0]
                if name in ("pr_state", "pr_base", "repo_name"):
                    kept = [column for column in table.c if column.name not in ("kf", "kt")]
                    query = select(*kept).where(table.c.kt == INF)
                    found[name] = {tuple(row) for row in connection.execute(query)}
    return found


def _active(connection: Connection) -> list[Projection]:
    return generations.active(connection)


def _table_rows(
    connection: Connection, table: Table, without: Sequence[str]
) -> set[tuple[object, ...]]:
    columns = [column for column in table.c if column.name not in without]
    return {tuple(row) for row in connection.execute(select(*columns))}
