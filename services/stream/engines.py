"""Engines of the read model: on SQLite, named by a path, or on PostgreSQL, named by a URL.

The read model can be made again from the log at any time. Rows and checkpoint commit together, so
after a crash it is merely some commits older, and so is its checkpoint; nothing here has to be more
durable than that. Writers wait for each other instead of failing half-way; readers cannot write and
get one snapshot from their first statement on.
"""

import re
import sqlite3
from pathlib import Path
from typing import Any, Final, TypeAlias

from sqlalchemy import URL, Connection, Engine, ExceptionContext, create_engine, event

from events.errors import BrokenReadModel
from services.config.production import postgres_url

Place: TypeAlias = Path | str
"""A path of an SQLite file, or the URL of a PostgreSQL database."""

#: Seconds to wait for another writer before the attempt counts as a passing fault.
_BUSY_SECONDS: Final = 30
#: Seconds after which a question is given up: nothing that people ask takes nearly as long.
_QUESTION_SECONDS: Final = 30
#: Seconds after which a writer that says nothing, and holds a checkpoint, is cut off.
_SILENT_SECONDS: Final = 300
_CACHE_KIB: Final = 64 * 1024
#: What SQLite says where tables of our names are not ours.
_FOREIGN: Final = re.compile(r"no such column|has no column|may not be modified|use DROP VIEW")


def writing_engine(place: Place) -> Engine:
    """Return the engine for projections; it makes the SQLite file where there is none."""
    if isinstance(place, Path):
        return _sqlite(place, mode="rwc", begin="BEGIN IMMEDIATE", pragmas=("journal_mode = WAL",))
    return _postgres(
        place,
        "READ COMMITTED",
        lock_timeout=f"{_BUSY_SECONDS}s",
        idle_in_transaction_session_timeout=f"{_SILENT_SECONDS}s",
        synchronous_commit="off",
    )


def reading_engine(place: Place) -> Engine:
    """Return the engine for questions; the tables must have been made by a writing one."""
    if isinstance(place, Path):
        return _sqlite(place, mode="rw", begin="BEGIN", pragmas=("query_only = ON",))
    return _postgres(
        place,
        "REPEATABLE READ",
        default_transaction_read_only="on",
        statement_timeout=f"{_QUESTION_SECONDS}s",
        lock_timeout=f"{_BUSY_SECONDS}s",
        idle_in_transaction_session_timeout=f"{_SILENT_SECONDS}s",
    )


def _postgres(place: str, isolation: Any, **settings: str) -> Engine:
    url = postgres_url(place)
    # Plans are not kept: a kept one cannot tell a short period from a long one, and a rebuild's is
    # made while its tables are still empty, so that it would walk them whole ever after.
    settings["plan_cache_mode"] = "force_custom_plan"
    options = [f"{name}={value}" for name, value in settings.items()]
    # Times come back in the zone of the session, and INF has none east of Greenwich.
    flags = " ".join(f"-c {option}" for option in (*options, "TimeZone=UTC"))
    return create_engine(
        url.difference_update_query(["options"]),
        isolation_level=isolation,
        pool_pre_ping=True,
        connect_args={"options": f"{url.query.get('options', '')} {flags}"},
    )


def _sqlite(path: Path, *, mode: str, begin: str, pragmas: tuple[str, ...]) -> Engine:
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

    @event.listens_for(engine, "handle_error")
    def failed(context: ExceptionContext) -> None:
        if _is_damage(context.original_exception):
            raise BrokenReadModel(_how_to_mend(path, context.original_exception))

    return engine


def _is_damage(error: BaseException) -> bool:
    """Tell whether trying again is of no use: no database, a damaged one, or none of ours."""
    if not isinstance(error, sqlite3.DatabaseError):
        return False
    code = getattr(error, "sqlite_errorcode", 0) & 0xFF
    foreign = code == sqlite3.SQLITE_ERROR and _FOREIGN.search(str(error)) is not None
    return foreign or code in (sqlite3.SQLITE_NOTADB, sqlite3.SQLITE_CORRUPT)


def _how_to_mend(path: Path, error: BaseException) -> str:
    return (
        f"{path} is no read model of Shipledger, or damaged ({error}); end `shipledger up`, delete "
        f"{path.name} with {path.name}-wal and {path.name}-shm, and start again: it is made from "
        "the log, nothing is lost"
    )
