"""Which generation of each projection answers, and how another one takes over."""

from sqlalchemy import Connection, Engine, delete, func, insert, select, update

from events.errors import InvalidQuestion
from projections.base import Projection
from projections.catalog import PROJECTIONS
from projections.schema import checkpoints, control, dead_letters, generations

_MAKERS = dict(PROJECTIONS)


def prepare(engine: Engine) -> None:
    """Create the control tables, and a first generation of every projection that has none."""
    with engine.begin() as connection:
        control.create_all(connection)
        for name in _MAKERS:
            if _active_row(connection, name) is None:
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
    projection = _MAKERS[name]((highest or 0) + 1)
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
    """Make a generation the one that answers, in the caller's transaction."""
    mine = generations.c.projection == projection.name
    active = mine & (generations.c.status == "active")
    connection.execute(update(generations).where(active).values(status="retired"))
    chosen = mine & (generations.c.generation == projection.generation)
    connection.execute(update(generations).where(chosen).values(status="active"))


def active(connection: Connection) -> list[Projection]:
    """Return the generation that answers, of every projection, in the order of the catalogue."""
    found = []
    for name, make in PROJECTIONS:
        generation = _active_row(connection, name)
        if generation is None:
            raise InvalidQuestion("this read model is empty; run `shipledger up` or import")
        found.append(make(generation))
    return found


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
    """Drop all generations of a projection that have a status; return their numbers."""
    query = select(generations.c.generation).where(
        generations.c.projection == name, generations.c.status == status
    )
    numbers = list(connection.scalars(query))
    for number in numbers:
        _MAKERS[name](number).metadata.drop_all(connection)
        for table in (checkpoints, dead_letters, generations):
            connection.execute(
                delete(table).where(table.c.projection == name, table.c.generation == number)
            )
    return numbers


def _active_row(connection: Connection, name: str) -> int | None:
    return connection.scalar(
        select(generations.c.generation).where(
            generations.c.projection == name, generations.c.status == "active"
        )
    )
