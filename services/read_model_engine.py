"""Engines of the read model on SQLite.

The read model can be made again from the log at any time, so `synchronous=NORMAL` is enough: after
a power cut the file is consistent and merely some commits older, and so is its checkpoint. Writers
begin with BEGIN IMMEDIATE, so that two of them queue up instead of failing half-way; readers get
one snapshot from their first statement on and cannot write.
"""

from pathlib import Path
from typing import Any, Final

from sqlalchemy import URL, Connection, Engine, create_engine, event

#: Seconds to wait for another writer before the attempt counts as a passing fault.
_BUSY_SECONDS: Final = 30
_CACHE_KIB: Final = 64 * 1024


def writing_engine(path: Path) -> Engine:
    """Return the engine for projections; it makes the file where there is none."""
    return _engine(path, mode="rwc", begin="BEGIN IMMEDIATE", pragmas=("journal_mode = WAL",))


def reading_engine(path: Path) -> Engine:
    """Return the engine for questions; the file must have been made by a writing one."""
    return _engine(path, mode="rw", begin="BEGIN", pragmas=("query_only = ON",))


def _engine(path: Path, *, mode: str, begin: str, pragmas: tuple[str, ...]) -> Engine:
    uri = URL.create(
        "sqlite", database=path.absolute().as_uri(), query={"mode": mode, "uri": "true"}
    )
    engine = create_engine(uri)

    @event.listens_for(engine, "connect")
    def connected(connection: Any, _record: object) -> None:
        # The driver shall not begin transactions by itself; see the "begin" listener.
        # https://docs.sqlalchemy.org/dialects/sqlite.html#pysqlite-serializable
        connection.isolation_level = None
        for pragma in (
            f"busy_timeout = {_BUSY_SECONDS * 1000}",
            *pragmas,
            "synchronous = NORMAL",
            f"cache_size = -{_CACHE_KIB}",
            "temp_store = MEMORY",
        ):
            connection.execute(f"PRAGMA {pragma}")

    @event.listens_for(engine, "begin")
    def begun(connection: Connection) -> None:
        connection.exec_driver_sql(begin)

    return engine
