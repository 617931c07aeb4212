"""Who stood at the end of the log when: what `caught_up_at` of an answer rests on.

A runner reads all partitions and writes one row under its name, or a row a partition while some are
held back. Workers share the partitions among
them, so each writes a row a partition under the name of the projection it feeds. A row tells the
greatest moment of which it is true, whoever wrote it and in whatever order; but one that lies well
in the future of whoever writes now was told by a clock that was ahead, and is taken back.
"""

from collections.abc import Collection, Iterable
from typing import Any, Final

from sqlalchemy import Connection, literal, or_, select
from sqlalchemy.dialects import postgresql, sqlite

from events.instant import SECOND, Instant
from projections.store.dialects import is_postgres
from projections.store.schema import InstantColumn, readers

#: The runner that feeds the active generations of all projections.
LIVE: Final = "live"
_ALL: Final = ""
#: Machines agree to within seconds; what is further ahead is a wrong clock, then or now.
CLOCK_TOLERANCE: Final = 300 * SECOND
#: One who looks at the log for so long may write after another who began later; a moment that is
#: further ahead has not come yet.
_AHEAD: Final = 3_600 * SECOND


def mark_all(connection: Connection, name: str, at: Instant) -> None:
    """Note that a runner stood at the end of every partition."""
    _write(connection, [{"name": name, "partition": _ALL, "caught_up_at": at}], at)


def mark_partitions(
    connection: Connection, name: str, partitions: Iterable[str], at: Instant
) -> None:
    """Note that a runner, or a projection's worker, stood at the end of some partitions."""
    # in one order, so that two workers never wait for each other
    rows = [
        {"name": name, "partition": partition, "caught_up_at": at}
        for partition in sorted(partitions)
    ]
    if rows:
        _write(connection, rows, at)


def caught_up_at(
    connection: Connection, projections: Iterable[str], partitions: Collection[str]
) -> dict[str, Instant]:
    """Return when all projections last stood at the end of some partitions (0: never)."""
    query = select(readers.c.partition, readers.c.name, readers.c.caught_up_at).where(
        readers.c.partition.in_([_ALL, *partitions])
    )
    rows = connection.execute(query).all()
    return {partition: _together(rows, projections, partition) for partition in partitions}


def _together(rows: Iterable[Any], projections: Iterable[str], partition: str) -> Instant:
    moments: dict[str, Instant] = {}
    for of, name, at in rows:
        if of in (_ALL, partition):
            moments[name] = max(at, moments.get(name, 0))
    together = min((moments.get(name, 0) for name in projections), default=0)
    return max(moments.get(LIVE, 0), together)


def _write(connection: Connection, rows: list[dict[str, Any]], at: Instant) -> None:
    insert: Any = postgresql.insert if is_postgres(connection) else sqlite.insert
    statement = insert(readers)
    later = statement.excluded.caught_up_at > readers.c.caught_up_at
    connection.execute(
        statement.on_conflict_do_update(
            index_elements=[readers.c.name, readers.c.partition],
            set_={"caught_up_at": statement.excluded.caught_up_at},
            where=or_(later, readers.c.caught_up_at > literal(at + _AHEAD, InstantColumn())),
        ),
        rows,
    )
