"""Versions of the control tables.

Row tables need no migration: a changed fold fills new ones from the log
(`projections.engine.rebuild`). The few control tables hold what cannot be derived, such as which
generation answers, so they are changed in place, step by step, in the transaction of
`generations.prepare`. That is a tuple of functions; a migration framework would bring more
concepts than there are tables.

To change a control table: change it in `schema.py` and add the step that brings an older one there.
To change the columns of a view of `views.py`: add a step that drops that view.
"""

from collections.abc import Callable
from typing import Final, TypeAlias

from sqlalchemy import Connection, delete, insert, inspect, select

from events.errors import ConfigurationError
from projections.store.schema import control, readers, versions

Step: TypeAlias = Callable[[Connection], None]


def _begin_to_count(connection: Connection) -> None:
    """Version 1: read models made before there were versions lack their table, and partitions of
    readers, who tell what they know again at their next look.
    """
    columns = {column["name"] for column in inspect(connection).get_columns(readers.name)}
    if "partition" not in columns:
        readers.drop(connection)
    control.create_all(connection)


#: The step at index n leads from version n to version n + 1.
STEPS: Final[tuple[Step, ...]] = (_begin_to_count,)


def migrate(connection: Connection, steps: tuple[Step, ...] = STEPS) -> None:
    """Make the control tables, or bring them to this program's version.

    Raise ConfigurationError where a newer program made them; then nothing was changed.
    """
    schema = version(connection)
    _refuse_newer(schema, len(steps))
    if schema is None:
        control.create_all(connection)
    else:
        for step in steps[schema:]:
            step(connection)
    if schema != len(steps):
        connection.execute(delete(versions))
        connection.execute(insert(versions), {"version": len(steps)})


def check(connection: Connection, steps: tuple[Step, ...] = STEPS) -> None:
    """Raise ConfigurationError where a newer program made the control tables."""
    _refuse_newer(version(connection), len(steps))


def version(connection: Connection) -> int | None:
    """Return the version of the control tables; None where there are none."""
    tables = inspect(connection)
    if tables.has_table(versions.name):
        return connection.scalar(select(versions.c.version)) or 0
    return 0 if tables.has_table("projection_generation") else None


def _refuse_newer(schema: int | None, known: int) -> None:
    if schema is not None and schema > known:
        raise ConfigurationError(
            f"the read model was made by a newer Shipledger (control tables of version {schema}, "
            f"this one knows {known}); upgrade this program, or give it a database of its own"
        )
