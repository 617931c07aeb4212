"""What happens inside one appending transaction."""

import sqlite3
from typing import Final

import msgspec

from events.instant import Instant
from events.log.irregular import conflict_record
from events.log.port import Appended, Clock, Outcome, next_recorded_at
from services.logs.sqlite.rows import Packed, pack_attributes

_KNOWN: Final = "SELECT position, digest FROM record WHERE partition_id = ? AND id = ?"
_REMEMBERED: Final = "SELECT position, digest FROM remembered WHERE partition_id = ? AND id = ?"
_PARTITION: Final = "SELECT id, next_position, last_recorded FROM partition WHERE key = ?"
_NEW_PARTITION: Final = "INSERT INTO partition (key, next_position, last_recorded) VALUES (?, 0, 0)"
_MOVE_END: Final = "UPDATE partition SET next_position = ?, last_recorded = ? WHERE id = ?"
_INSERT_RECORD: Final = """
INSERT INTO record (partition_id, position, recorded_at, id, source, type, time, content_type,
  attributes, digest, size) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"""
_INSERT_BODY: Final = "INSERT INTO body (sequence, encoding, data) VALUES (?, ?, ?)"


class _Partition(msgspec.Struct):
    """The end of one partition as it moves within the transaction."""

    id: int
    next_position: int
    last_recorded: Instant


class Appending:
    """Stores records on a connection that is inside a write transaction.

    The caller commits after `finish`, or rolls back: positions are taken from the database at the
    start of each transaction, so one that was undone leaves no hole.
    """

    def __init__(self, connection: sqlite3.Connection) -> None:
        self._connection = connection
        self._partitions: dict[str, _Partition] = {}

    def offer(self, packed: Packed, clock: Clock) -> Appended:
        """Store a record, or the conflict it is, or find that it is there already."""
        partition = self._partition(packed.record.repository)
        known = self._known(partition, packed.record.id)
        if known is None:
            return _appended(packed, self._store(partition, packed, clock()), "stored")
        position, digest = known
        if digest == packed.digest:
            return _appended(packed, position, "duplicate")
        second = packed._replace(record=conflict_record(packed.record))
        known = self._known(partition, second.record.id)
        if known is not None:
            return _appended(second, known[0], "duplicate")
        return _appended(second, self._store(partition, second, clock()), "conflict")

    def last_recorded(self, key: str) -> Instant:
        """Return the stamp of the last record of a partition, 0 where there is none."""
        return self._partition(key).last_recorded

    def finish(self) -> None:
        """Write back the ends of the partitions that moved."""
        self._connection.executemany(
            _MOVE_END,
            [(p.next_position, p.last_recorded, p.id) for p in self._partitions.values()],
        )

    def _partition(self, key: str) -> _Partition:
        partition = self._partitions.get(key)
        if partition is None:
            row = self._connection.execute(_PARTITION, (key,)).fetchone()
            if row is None:
                self._connection.execute(_NEW_PARTITION, (key,))
                row = self._connection.execute(_PARTITION, (key,)).fetchone()
            partition = self._partitions[key] = _Partition(*row)
        return partition

    def _known(self, partition: _Partition, record_id: str) -> tuple[int, str] | None:
        """Return position and digest of a record by its id, also of one that was pruned."""
        for query in (_KNOWN, _REMEMBERED):
            row: tuple[int, str] | None = self._connection.execute(
                query, (partition.id, record_id)
            ).fetchone()
            if row is not None:
                return row
        return None

    def _store(self, partition: _Partition, packed: Packed, now: Instant) -> int:
        record, position = packed.record, partition.next_position
        recorded_at = next_recorded_at(now, partition.last_recorded)
        sequence = self._connection.execute(
            _INSERT_RECORD,
            (
                partition.id,
                position,
                recorded_at,
                record.id,
                record.source,
                record.type,
                record.time,
                record.content_type,
                pack_attributes(record),
                packed.digest,
                len(record.body),
            ),
        ).lastrowid
        self._connection.execute(_INSERT_BODY, (sequence, *packed.body))
        partition.next_position = position + 1
        partition.last_recorded = recorded_at
        return position


def _appended(packed: Packed, position: int, outcome: Outcome) -> Appended:
    return Appended(
        record_id=packed.record.id,
        partition=packed.record.repository,
        position=position,
        outcome=outcome,
    )
