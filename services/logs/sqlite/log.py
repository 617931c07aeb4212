"""The log on SQLite: durable, append-only, one file (with its -wal and -shm beside it).

Promises all of the port, and beyond it: one writer at a time over threads and processes, readers
at any time in any process, positions without holes, duplicates refused at append, stamps stored.
A queue whose records another log has may be pruned; duplicates of these are refused all the same.
It does not promise order between partitions in `read`; `read_all` gives the order of append.
A wrong or newer file raises ConfigurationError at opening.
"""

import threading
import time
from collections.abc import Iterable, Sequence
from pathlib import Path
from sqlite3 import Connection
from typing import Final, NamedTuple

from events.errors import BrokenLog, InvalidQuestion, NotFound
from events.identity import RepositoryKey
from events.instant import Instant
from events.log.irregular import is_redacted, redacted_record
from events.log.port import BATCH_BYTES, BATCH_RECORDS, Appended, Clock, Cursor
from events.record import Entry, Record
from services.logs.sqlite import pruning
from services.logs.sqlite.appending import Appending
from services.logs.sqlite.connections import Connections
from services.logs.sqlite.rows import (
    Header,
    PackedBody,
    entry_of,
    pack,
    pack_attributes,
    within,
)

#: Seconds between looks for what other processes appended; this process's own wakes at once.
_POLL: Final = 0.1

_HEADERS: Final = """
SELECT r.sequence, p.key, r.position, r.recorded_at, r.id, r.source, r.type, r.time,
  r.content_type, r.attributes, r.digest, r.size
FROM record r JOIN partition p ON p.id = r.partition_id """
_IN_PARTITION: Final = _HEADERS + (
    "WHERE p.key = ? AND r.position >= ? ORDER BY r.position LIMIT ?"
)
_IN_ALL: Final = _HEADERS + "WHERE r.sequence > ? ORDER BY r.sequence LIMIT ?"
_BY_ID: Final = _HEADERS + "WHERE p.key = ? AND r.id = ?"
_ENDS: Final = "SELECT key, next_position FROM partition WHERE next_position > 0"
_END: Final = "SELECT next_position FROM partition WHERE key = ?"
_BODY: Final = "SELECT encoding, data FROM body WHERE sequence = ?"
_REDACT_RECORD: Final = "UPDATE record SET attributes = ?, size = 0 WHERE sequence = ?"
_REDACT_BODY: Final = "UPDATE body SET encoding = 'raw', data = x'' WHERE sequence = ?"


class Sequenced(NamedTuple):
    """An entry with its place in the order of append over all partitions (1, 2, 3 …)."""

    sequence: int
    entry: Entry


class SqliteLog:
    """Partition = repository key. Every method may be called from any thread."""

    def __init__(
        self,
        path: Path,
        *,
        clock: Clock,
        read_only: bool = False,
        compress: bool = True,
        busy_timeout: float = 10.0,
    ) -> None:
        """Open or make the log; `busy_timeout` is how long, in seconds, to wait for a writer."""
        self._connections = Connections(path, read_only=read_only, busy_timeout=busy_timeout)
        self._clock = clock
        self._compress = compress
        self._changed = threading.Condition()
        self._last_look = threading.local()

    def append(self, records: Sequence[Record]) -> list[Appended]:
        """See `Log.append`; one call is one transaction."""
        packed = [pack(record, compress=self._compress) for record in records]
        with self._connections.writing() as connection:
            appending = Appending(connection)
            appended = [appending.offer(each, self._clock) for each in packed]
            appending.finish()
        self._wake()
        return appended

    def load(self, entries: Iterable[Entry]) -> int:
        """See `StampKeepingLog.load`; all or none, in one transaction.

        An id that comes twice (from a log that cannot refuse it) is treated as in `append`.
        """
        stored = 0
        with self._connections.writing() as connection:
            if _ends(connection):
                raise InvalidQuestion("only an empty log takes entries with their old stamps")
            appending = Appending(connection)
            for entry in entries:
                stored += self._load(appending, entry)
            appending.finish()
        self._wake()
        return stored

    def _load(self, appending: Appending, entry: Entry) -> bool:
        packed = pack(entry.record, compress=self._compress)
        outcome = appending.offer(packed, lambda: entry.recorded_at).outcome
        if outcome == "duplicate":
            return False
        if appending.last_recorded(entry.record.repository) != entry.recorded_at:
            raise BrokenLog(f"{entry.record.id}: recorded_at does not rise")
        return True

    def read(
        self,
        partition: str,
        cursor: Cursor,
        *,
        limit: int = BATCH_RECORDS,
        max_bytes: int = BATCH_BYTES,
    ) -> list[Entry]:
        """See `Log.read`; BrokenLog also where stored bytes are not what they were."""
        self._look()
        with self._connections.reading() as connection:
            row = connection.execute(_END, (partition,)).fetchone()
            if cursor.position > (row[0] if row else 0):
                raise BrokenLog(
                    f"{partition}: position {cursor.position} lies beyond the log's end"
                )
            rows = connection.execute(_IN_PARTITION, (partition, cursor.position, limit))
            headers = [Header(*row) for row in rows]
            if headers and headers[-1].position != cursor.position + len(headers) - 1:
                raise BrokenLog(f"{partition}: records after {cursor.position} are missing")
            return [_entry(connection, header) for header in within(headers, max_bytes)]

    def read_all(
        self,
        after_sequence: int = 0,
        *,
        limit: int = BATCH_RECORDS,
        max_bytes: int = BATCH_BYTES,
    ) -> list[Sequenced]:
        """Return the next entries of all partitions in the order in which they were appended."""
        self._look()
        with self._connections.reading() as connection:
            rows = connection.execute(_IN_ALL, (after_sequence, limit))
            headers = [Header(*row) for row in rows]
            return [
                Sequenced(header.sequence, _entry(connection, header))
                for header in within(headers, max_bytes)
            ]

    def find(self, repository: RepositoryKey, record_id: str) -> Entry | None:
        """Return one record by its id, None where there is none."""
        with self._connections.reading() as connection:
            row = connection.execute(_BY_ID, (repository, record_id)).fetchone()
            return None if row is None else _entry(connection, Header(*row))

    def ends(self) -> dict[str, int]:
        """See `Log.ends`."""
        self._look()
        with self._connections.reading() as connection:
            return _ends(connection)

    def wait(self, timeout: float) -> None:
        """See `Log.wait`; returns at once if this thread's last look has become old already."""
        deadline = time.monotonic() + timeout
        with self._changed:
            version = getattr(self._last_look, "version", None) or self._connections.version()
            while not self._connections.closed and self._connections.version() == version:
                remaining = deadline - time.monotonic()
                if remaining <= 0:
                    break
                self._changed.wait(min(remaining, _POLL))
            self._look()

    def redact(self, repository: RepositoryKey, record_id: str, reason: str) -> bool:
        """Replace the body of one record by its digest, for good; see `events.log.irregular`.

        Return whether the bytes are gone from the disk too: False while a reader still holds the
        older state; calling it again then tries again. Copies (backups, exports, the second body
        of a conflict, which has its own id) are not touched. Raise NotFound for an unknown id.
        """
        with self._connections.writing() as connection:
            row = connection.execute(_BY_ID, (repository, record_id)).fetchone()
            if row is None:
                raise NotFound(f"{repository} has no record {record_id}")
            header = Header(*row)
            record = _entry(connection, header).record
            if not is_redacted(record):
                redacted = redacted_record(record, reason, self._clock())
                connection.execute(_REDACT_RECORD, (pack_attributes(redacted), header.sequence))
                connection.execute(_REDACT_BODY, (header.sequence,))
        return self._connections.scrub()

    def prune(self, *, before: int, recorded_before: Instant) -> int:
        """Prune a step of the records that another log has taken; see `pruning.prune`.

        `before` must not lie beyond what is durable there, and is never the last record itself.
        """
        with self._connections.writing() as connection:
            return pruning.prune(connection, before=before, recorded_before=recorded_before)

    def forget(self, *, recorded_before: Instant, most: int) -> int:
        """Forget a step of the pruned records that are remembered; see `pruning.forget`."""
        with self._connections.writing() as connection:
            return pruning.forget(connection, recorded_before=recorded_before, most=most)

    def kept(self) -> pruning.Kept:
        """Return how many records are held and remembered, and in how many bytes."""
        with self._connections.reading() as connection:
            return pruning.kept(connection)

    def close(self) -> None:
        """See `Log.close`."""
        self._connections.close()
        self._wake()

    def _look(self) -> None:
        """Note what this thread is about to see, so that its next `wait` misses nothing."""
        self._last_look.version = self._connections.version()

    def _wake(self) -> None:
        with self._changed:
            self._changed.notify_all()


def _ends(connection: Connection) -> dict[str, int]:
    return dict(connection.execute(_ENDS).fetchall())


def _entry(connection: Connection, header: Header) -> Entry:
    row = connection.execute(_BODY, (header.sequence,)).fetchone()
    if row is None:
        raise BrokenLog(f"{header.partition} position {header.position}: the body is missing")
    return entry_of(header, PackedBody(*row))
