"""A copy of a SQLite log that is being written to, checked before it gets its name."""

import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Final

import msgspec

from events.errors import BrokenLog, ConfigurationError, InvalidQuestion, NotFound
from services.logs.files import whole_file
from services.logs.sqlite.connections import as_log_errors, check_format, connect

#: Seconds to wait for a lock; readers of a WAL hardly ever need it.
_BUSY_TIMEOUT: Final = 10.0
_ENDS: Final = "SELECT key, next_position FROM partition WHERE next_position > 0"


class BackedUp(msgspec.Struct, frozen=True, kw_only=True):
    """What a backup holds: the end of every partition at its one moment."""

    target: Path
    ends: dict[str, int]


def backup(log_path: Path, target: Path) -> BackedUp:
    """Copy a log as of one moment, while others write; `target` must not exist.

    The copy is checked (`integrity_check`, ends as in the original) and appears under its name
    only then. Raise NotFound without a log, LogUnavailable when the copy cannot be written,
    BrokenLog when it, or the original, is damaged.
    """
    if not log_path.exists():
        raise NotFound(f"there is no log at {log_path}")
    if target.exists():
        raise InvalidQuestion(f"{target} exists already; name a new file")
    with whole_file(target) as part, as_log_errors(log_path):
        ends = _copy(log_path, part)
        _check(part, ends)
    return BackedUp(target=target, ends=ends)


def _copy(log_path: Path, part: Path) -> dict[str, int]:
    with (
        closing(connect(log_path, read_only=True, busy_timeout=_BUSY_TIMEOUT)) as original,
        closing(sqlite3.connect(part)) as copy,
    ):
        # One read transaction over both, so that the ends are those of the copied moment.
        original.execute("BEGIN")
        if check_format(original, log_path):
            raise ConfigurationError(f"{log_path} is empty, not a Shipledger log")
        ends = _ends(original)
        original.backup(copy)
        original.execute("ROLLBACK")
        # A single file, that needs nothing beside it to be opened on read-only media.
        copy.execute("PRAGMA journal_mode = DELETE")
    return ends


def _check(part: Path, ends: dict[str, int]) -> None:
    with closing(connect(part, read_only=True, busy_timeout=_BUSY_TIMEOUT)) as copy:
        faults = [row[0] for row in copy.execute("PRAGMA integrity_check(10)")]
        if faults != ["ok"]:
            raise BrokenLog(f"the copy of the log is damaged: {'; '.join(faults)}")
        if _ends(copy) != ends:
            raise BrokenLog("the copy of the log does not end where the original does")


def _ends(connection: sqlite3.Connection) -> dict[str, int]:
    return dict(connection.execute(_ENDS).fetchall())
