"""The connections of one log file: one that writes, any number that read, one that watches.

Promises: at most one transaction writes at a time, over threads and processes (BEGIN IMMEDIATE
with a busy timeout); readers see one snapshot and block nobody (WAL); what was committed is on
disk (synchronous=FULL); errors of sqlite leave as LogUnavailable (may pass) or BrokenLog (cannot).
"""

import sqlite3
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from importlib import resources
from pathlib import Path
from typing import Final

from events.errors import BrokenLog, ConfigurationError, InvalidQuestion, LogUnavailable, NotFound
from services.logs.files import sync_folder

SCHEMA_VERSION: Final = 2
APPLICATION_ID: Final = int.from_bytes(b"SHLG", "big")

#: A WAL that grew for a large payload shrinks to this many bytes at its next reset.
_WAL_LIMIT: Final = 64 * 1024 * 1024

#: Seconds between attempts where sqlite does not wait by itself.
_RETRY: Final = 0.01

#: One statement: a file that another process is making is seen as empty or as ready.
_FORMAT: Final = """
SELECT (SELECT application_id FROM pragma_application_id),
  (SELECT user_version FROM pragma_user_version), (SELECT count(*) FROM sqlite_schema)"""


@contextmanager
def as_log_errors(path: Path) -> Iterator[None]:
    """Turn errors of sqlite into those of the log port, with the file's name."""
    try:
        yield
    except (sqlite3.OperationalError, sqlite3.ProgrammingError) as error:
        # Locked, full, I/O error, closed: the transaction was rolled back, all may be tried again.
        raise LogUnavailable(f"log {path}: {error}") from error
    except sqlite3.DatabaseError as error:
        if error.sqlite_errorcode == sqlite3.SQLITE_NOTADB:
            raise ConfigurationError(f"{path} is not a Shipledger log: {error}") from error
        raise BrokenLog(f"log {path}: {error}") from error


def connect(path: Path, *, read_only: bool, busy_timeout: float) -> sqlite3.Connection:
    """Open one connection in autocommit mode; `busy_timeout` is in seconds.

    Any thread may use it, one at a time; transactions are begun and ended by hand.
    """
    mode = "ro" if read_only else "rwc"
    connection = sqlite3.connect(
        f"{path.absolute().as_uri()}?mode={mode}",
        uri=True,
        timeout=busy_timeout,
        isolation_level=None,
        check_same_thread=False,
    )
    connection.execute("PRAGMA synchronous = FULL")
    connection.execute("PRAGMA fullfsync = ON")  # on macOS fsync alone does not reach the disk
    return connection


class Connections:
    """See the module; every method may be called from any thread."""

    def __init__(self, path: Path, *, read_only: bool, busy_timeout: float) -> None:
        if read_only and not path.exists():
            raise NotFound(f"there is no log at {path}")
        self.path = path
        self._read_only = read_only
        self._busy_timeout = busy_timeout
        self._idle: list[sqlite3.Connection] = []
        self._idle_lock = threading.Lock()
        self._write_lock = threading.Lock()
        self._watch_lock = threading.Lock()
        self._closed = False
        with as_log_errors(path):
            self._main = self._open()
            try:
                self._prepare()
                self._watcher = self._open()
            except BaseException:
                self._main.close()
                raise

    @contextmanager
    def reading(self) -> Iterator[sqlite3.Connection]:
        """Give a connection inside a read transaction: one snapshot for all its statements."""
        with as_log_errors(self.path):
            connection = self._take()
            try:
                connection.execute("BEGIN")
                yield connection
            finally:
                self._give_back(connection)

    @contextmanager
    def writing(self) -> Iterator[sqlite3.Connection]:
        """Give the writing connection inside its transaction: committed at the end, or undone."""
        if self._read_only:
            raise InvalidQuestion(f"log {self.path} was opened for reading only")
        with self._write_lock, as_log_errors(self.path):
            self._main.execute("BEGIN IMMEDIATE")
            try:
                yield self._main
                self._main.execute("COMMIT")
            except BaseException:
                if self._main.in_transaction:  # sqlite itself rolls back on some errors
                    self._main.execute("ROLLBACK")
                raise

    def scrub(self) -> bool:
        """Move the WAL into the file and empty it; False while a reader still needs it."""
        with self._write_lock, as_log_errors(self.path):
            row = self._main.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()
        return bool(row[0] == 0)

    def version(self) -> int:
        """Return a number that changes when anybody, in any process, commits; -1 once closed."""
        with self._watch_lock, as_log_errors(self.path):
            if self._closed:
                return -1
            return int(self._watcher.execute("PRAGMA data_version").fetchone()[0])

    @property
    def closed(self) -> bool:
        """Tell whether `close` was called."""
        return self._closed

    def close(self) -> None:
        """Close all connections; a running transaction of another thread is waited for."""
        with self._write_lock, self._watch_lock, self._idle_lock:
            self._closed = True
            for connection in (*self._idle, self._watcher, self._main):
                connection.close()
            self._idle.clear()

    def _take(self) -> sqlite3.Connection:
        with self._idle_lock:
            if self._closed:
                raise LogUnavailable(f"log {self.path} is closed")
            if self._idle:
                return self._idle.pop()
        return self._open()

    def _give_back(self, connection: sqlite3.Connection) -> None:
        with suppress(sqlite3.Error):
            if connection.in_transaction:
                connection.execute("ROLLBACK")
            with self._idle_lock:
                if not self._closed:
                    self._idle.append(connection)
                    return
        connection.close()

    def _open(self) -> sqlite3.Connection:
        return connect(self.path, read_only=self._read_only, busy_timeout=self._busy_timeout)

    def _prepare(self) -> None:
        """Make the file a log, or see that it is one that this program understands."""
        empty = check_format(self._main, self.path)
        if self._read_only:
            if empty:
                raise ConfigurationError(f"{self.path} is empty, not a Shipledger log")
            return
        self._use_wal()
        self._main.execute(f"PRAGMA journal_size_limit = {_WAL_LIMIT}")
        # Redaction must not leave the removed bytes in free pages.
        self._main.execute("PRAGMA secure_delete = ON")
        if empty:
            self._run_script("schema.sql")
            sync_folder(self.path.parent)
        if self._main.execute("PRAGMA user_version").fetchone()[0] < SCHEMA_VERSION:
            self._run_script("pruning.sql")

    def _run_script(self, name: str) -> None:
        script = resources.files("services.logs.sqlite").joinpath(name)
        self._main.executescript(script.read_text(encoding="utf-8"))

    def _use_wal(self) -> None:
        """Switch a new file to WAL; sqlite does not wait by itself for others who do it now."""
        deadline = time.monotonic() + self._busy_timeout
        while True:
            try:
                self._main.execute("PRAGMA journal_mode = WAL")
            except sqlite3.OperationalError as error:
                busy = error.sqlite_errorcode & 0xFF == sqlite3.SQLITE_BUSY
                if not busy or time.monotonic() > deadline:
                    raise
                time.sleep(_RETRY)
            else:
                return


def check_format(connection: sqlite3.Connection, path: Path) -> bool:
    """Return whether the file is still empty; raise ConfigurationError if it is not our log."""
    application, version, tables = connection.execute(_FORMAT).fetchone()
    if application == 0 and tables == 0:
        return True
    if application != APPLICATION_ID:
        raise ConfigurationError(f"{path} is a database, but not a Shipledger log")
    if version > SCHEMA_VERSION:
        raise ConfigurationError(
            f"log {path} has format {version}, this program knows {SCHEMA_VERSION}: "
            "it was written by a newer Shipledger; upgrade"
        )
    return False
