"""Which generation of each projection answers, and how another one takes over."""

from functools import cache
from typing import TypeVar

from sqlalchemy import Connection, Engine, delete, func, insert, inspect, select, update

from events.errors import InvalidQuestion
from projections.engine import migrations, views
from projections.engine.catalog import PROJECTIONS
from projections.store.base import Projection
from projections.store.dialects import take_tables, wait_for_lock
from projections.store.schema import checkpoints, dead_letters, generations

Tables = TypeVar("Tables")

_MAKERS = dict(PROJECTIONS)


@cache
def _generation(name: str, number: int) -> Projection:
    """Return the one object of a generation: statements are compiled once a table, so keep it."""
    return _MAKERS[name](number)


def prepare(engine: Engine) -> None:
    """Create the control tables, and a first generation of every projection that has none.

    A generation whose tables lack something that this program reads (an older one made it) gives
    way to an empty one, which is filled from the log like a first one. One that was folded by
    older rules alone goes on answering: `services.stream.backlog` reports it.

    Processes may do so at the same time. Raise ConfigurationError where a newer program was here.
    """
    with engine.begin() as connection:
        wait_for_lock(connection, "prepare")
        migrations.migrate(connection)
        for name in _MAKERS:
            number = _active_row(connection, name)
            if number is None or not _has_all(connection, name, number):
                projection = begin(connection, name)
                activate(connection, projection)


def begin(connection: Connection, name: str) -> Projection:
    """Create the empty tables of a new generation, in status `building`."""
    if name not in _MAKERS:
        known = ", ".join(_MAKERS)
        raise InvalidQuestion(f"there is no projection {name!r}; there are: {known}")
    highest = connection.scalar(
        select(func.max(generations.c.generation)).where(generations.c.projection == name)
    )
    projection = _generation(name, (highest or 0) + 1)
    projection.metadata.create_all(connection)
    row = {
        "projection": name,
        "generation": projection.generation,
        "fold_version": projection.version,
        "status": "building",
    }
    connection.execute(insert(generations), row)
    return projection


def activate(connection: Connection, projection: Projection) -> None:
    """Make a generation the one that answers, also in the SQL views, in the caller's transaction.

    Raise InvalidQuestion for one that is not being built: another rebuild has dropped it.
    """
    mine = generations.c.projection == projection.name
    serving = mine & (generations.c.status == "active")
    connection.execute(update(generations).where(serving).values(status="retired"))
    chosen = mine & (generations.c.generation == projection.generation)
    built = chosen & (generations.c.status == "building")
    if not connection.execute(update(generations).where(built).values(status="active")).rowcount:
        raise InvalidQuestion(
            f"generation {projection.generation} of {projection.name} was dropped meanwhile by "
            "another rebuild of it; that one goes on"
        )
    if all(_active_row(connection, name) is not None for name in _MAKERS):
        views.replace(connection, active(connection))


def active(connection: Connection) -> list[Projection]:
    """Return the generation that answers, of every projection, in the order of the catalogue."""
    query = select(generations.c.projection, generations.c.generation).where(
        generations.c.status == "active"
    )
    numbers = dict(iter(connection.execute(query)))
    if any(name not in numbers for name, _ in PROJECTIONS):
        raise InvalidQuestion("this read model is empty; run `shipledger up` or import")
    return [_generation(name, numbers[name]) for name, _ in PROJECTIONS]


def tables_of(connection: Connection, kind: type[Tables]) -> Tables:
    """Return the tables of this kind in the generation that answers."""
    tables = (projection.tables for projection in active(connection))
    return next(of for of in tables if isinstance(of, kind))


def serves(connection: Connection, projection: Projection) -> bool:
    """Tell whether a generation is still to be fed: it is active, or being built."""
    status = connection.scalar(
        select(generations.c.status).where(
            generations.c.projection == projection.name,
            generations.c.generation == projection.generation,
        )
    )
    return status in ("active", "building")


def discard(connection: Connection, *, name: str, status: str) -> list[int]:
    """Drop all generations of a projection that have a status; return their numbers.

    Their numbers are never given again, so that nobody can go on filling another's tables.
    """
    query = select(generations.c.generation).where(
        generations.c.projection == name, generations.c.status == status
    )
    numbers = list(connection.scalars(query))
    for number in numbers:
        metadata = _generation(name, number).metadata
        present = inspect(connection)
        take_tables(connection, [t for t in metadata.tables.values() if present.has_table(t.name)])
        metadata.drop_all(connection)
        mine = (generations.c.projection == name) & (generations.c.generation == number)
        connection.execute(update(generations).where(mine).values(status="dropped"))
    # all dropped ones: a runner that was about to begin may have left a checkpoint behind
    dropped = select(generations.c.generation).where(
        generations.c.projection == name, generations.c.status == "dropped"
    )
    for table in (checkpoints, dead_letters):
        connection.execute(
            delete(table).where(table.c.projection == name, table.c.generation.in_(dropped))
        )
    return numbers


def _has_all(connection: Connection, name: str, number: int) -> bool:
    """Tell whether a generation has all tables and columns of this program's projection."""
    projection = _generation(name, number)
    made_by = connection.scalar(
        select(generations.c.fold_version).where(
            generations.c.projection == name, generations.c.generation == number
        )
    )
    if made_by == projection.version:
        return True
    present = inspect(connection)
    return all(
        present.has_table(table.name)
        and {column.name for column in table.columns}
        <= {column["name"] for column in present.get_columns(table.name)}
        for table in projection.metadata.tables.values()
    )


def _active_row(connection: Connection, name: str) -> int | None:
    return connection.scalar(
        select(generations.c.generation).where(
            generations.c.projection == name, generations.c.status == "active"
        )
    )
