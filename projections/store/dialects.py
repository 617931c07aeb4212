"""What SQLite and PostgreSQL do not say in the same words.

SQLite has one writer for the whole file, so there the locks below are held already by whoever
writes (`BEGIN IMMEDIATE`), and a table cannot vanish from under a reader's snapshot.
"""

import json
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from functools import cache
from operator import itemgetter
from typing import Any, Final, TypeVar

from sqlalchemy import (
    Column,
    ColumnElement,
    Connection,
    Engine,
    Insert,
    Table,
    Text,
    any_,
    cast,
    func,
    insert,
    literal,
    select,
)
from sqlalchemy.dialects import postgresql, sqlite
from sqlalchemy.exc import DBAPIError
from sqlalchemy.types import String

from events.errors import InvalidQuestion

Item = TypeVar("Item")


_POSTGRES: Final = "postgresql"
_SQLITE: Final = sqlite.dialect()


#: SQLite allows 32,766 parameters in a statement, PostgreSQL 65,535.
_SIZE: Final = 500


def is_postgres(connection: Connection | Engine) -> bool:
    """Tell whether this is PostgreSQL."""
    return connection.dialect.name == _POSTGRES


def insert_absent(connection: Connection, table: Table) -> Insert:
    """Return an INSERT that leaves rows alone whose key is there, also one that comes meanwhile."""
    if is_postgres(connection):
        return postgresql.insert(table).on_conflict_do_nothing()
    return sqlite.insert(table).on_conflict_do_nothing()


def among(
    connection: Connection, column: Column[str], values: Iterable[str]
) -> ColumnElement[bool]:
    """Return the condition that a column holds one of some texts, sent as one parameter.

    A list of parameters takes longer to be put together than to be looked up.
    """
    if is_postgres(connection):
        return column == any_(literal(list(values), postgresql.ARRAY(Text)))
    listed = func.json_each(json.dumps(list(values))).table_valued("value")
    return column.in_(select(listed.c.value))


def insert_many(connection: Connection, table: Table, rows: Sequence[dict[str, Any]]) -> None:
    """Insert rows that all name the same columns.

    SQLite takes our values as they are, so there they go past SQLAlchemy, which looks at each one.
    """
    if is_postgres(connection):
        connection.execute(insert(table), rows)
        return
    statement, values_of = _insert(table, tuple(rows[0]))
    connection.exec_driver_sql(statement, [values_of(row) for row in rows])


@cache
def _insert(
    table: Table, columns: tuple[str, ...]
) -> tuple[str, Callable[[dict[str, Any]], tuple[Any, ...]]]:
    """Return the statement for SQLite, and what takes its values from a row, in its order."""
    compiled = insert(table).compile(dialect=_SQLITE, column_keys=columns)
    return str(compiled), itemgetter(*(compiled.positiontup or ()))


def wait_for_lock(connection: Connection, name: str) -> None:
    """Wait for the lock of a name, and hold it until the end of the transaction."""
    if is_postgres(connection):
        connection.execute(select(func.pg_advisory_xact_lock(_key(name))))


@contextmanager
def exclusively(engine: Engine, name: str) -> Iterator[None]:
    """Hold the lock of a name; raise InvalidQuestion at once where another process holds it.

    It ends with its process or its connection, whatever happens to them. On SQLite nothing is held.
    """
    if not is_postgres(engine):
        yield
        return
    # No transaction: one that stays open for hours keeps PostgreSQL from cleaning up.
    with engine.connect().execution_options(isolation_level="AUTOCOMMIT") as connection:
        if not connection.scalar(select(func.pg_try_advisory_lock(_key(name)))):
            raise InvalidQuestion(f"another process is at it: {name}; wait until it has ended")
        try:
            yield
        finally:
            with suppress(DBAPIError):
                connection.execute(select(func.pg_advisory_unlock(_key(name))))


def hold_tables(connection: Connection, tables: Iterable[Table]) -> None:
    """Keep tables from being dropped until the end of the transaction."""
    _lock(connection, tables, "ACCESS SHARE")


def take_tables(connection: Connection, tables: Iterable[Table]) -> None:
    """Wait until nobody uses some tables; whoever drops them does so first, in the same order."""
    _lock(connection, tables, "ACCESS EXCLUSIVE")


def _lock(connection: Connection, tables: Iterable[Table], mode: str) -> None:
    # in one order for all, or a reader and a dropper wait for each other
    names = ", ".join(sorted(table.name for table in tables))
    if names and is_postgres(connection):
        connection.exec_driver_sql(f"LOCK TABLE {names} IN {mode} MODE")


def _key(name: str) -> ColumnElement[int]:
    """Advisory locks are numbers for the whole database: two schemas shall not meet in one."""
    return func.hashtextextended(cast(func.current_schema(), String) + f" shipledger {name}", 0)


def chunks(items: Iterable[Item], size: int = _SIZE) -> Iterator[list[Item]]:
    """Cut a sequence into lists of at most `size`."""
    chunk: list[Item] = []
    for item in items:
        chunk.append(item)
        if len(chunk) == size:
            yield chunk
            chunk = []
    if chunk:
        yield chunk
