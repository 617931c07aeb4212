"""What SQLite and PostgreSQL do not say in the same words.

SQLite has one writer for the whole file, so there the locks below are held already by whoever
writes (`BEGIN IMMEDIATE`), and a table cannot vanish from under a reader's snapshot.
"""

from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from typing import Final, TypeVar

from sqlalchemy import ColumnElement, Connection, Engine, Insert, Table, cast, func, select
from sqlalchemy.dialects import postgresql, sqlite
from sqlalchemy.exc import DBAPIError
from sqlalchemy.types import String

from events.errors import InvalidQuestion

Item = TypeVar("Item")


_POSTGRES: Final = "postgresql"


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
