"""Pruning a log that another log has taken over: old records leave, their ids and digests stay.

Each call is one step inside a write transaction, bounded in records and bytes, so that appends
never wait long; ended at any moment it is done as a whole or not at all. Pruned is from the
beginning on, so a partition stays dense, and whoever reads from before its first record is told
(`BrokenLog`). Records of a host, which belong to no repository (configurations, gaps, pings), are
few and stay.
"""

import sqlite3
from collections.abc import Iterator
from typing import Final, NamedTuple

from events.identity import host_of
from events.instant import Instant

#: One step moves so many records at most, and so many bytes, but at least one record.
STEP_RECORDS: Final = 500
STEP_BYTES: Final = 16 * 1024 * 1024

_OLDEST: Final = """
SELECT r.sequence, p.key, r.recorded_at, r.size
FROM record r JOIN partition p ON p.id = r.partition_id
WHERE r.sequence > (SELECT upto FROM pruned) AND r.sequence < ? ORDER BY r.sequence LIMIT ?"""
_REMEMBER: Final = """
INSERT INTO remembered (sequence, partition_id, position, recorded_at, id, digest)
SELECT sequence, partition_id, position, recorded_at, id, digest FROM record WHERE sequence = ?"""
_DROP_BODY: Final = "DELETE FROM body WHERE sequence = ?"
_DROP_RECORD: Final = "DELETE FROM record WHERE sequence = ?"
_MOVED: Final = """
UPDATE pruned SET upto = ?, records = records + ?, remembered = remembered + ?"""
#: Only the first of them are looked at: to search the whole table would hold appends up.
_FORGET: Final = """
DELETE FROM remembered WHERE sequence IN (
  SELECT sequence FROM (SELECT sequence, recorded_at FROM remembered ORDER BY sequence LIMIT ?)
  WHERE recorded_at < ? OR sequence <= (SELECT max(sequence) FROM remembered) - ?)"""
_FORGOTTEN: Final = "UPDATE pruned SET remembered = remembered - ?"
_KEPT: Final = """
SELECT (SELECT coalesce(sum(next_position), 0) FROM partition) - records, remembered,
  (SELECT page_count FROM pragma_page_count) - (SELECT freelist_count FROM pragma_freelist_count),
  (SELECT page_size FROM pragma_page_size) FROM pruned"""


class Kept(NamedTuple):
    """What a log holds: whole records, remembered ones, and the bytes of its file that are used.

    The file does not shrink; what is free in it is used again.
    """

    records: int
    remembered: int
    bytes_used: int


class _Old(NamedTuple):
    sequence: int
    key: str
    recorded_at: Instant
    size: int


def prune(connection: sqlite3.Connection, *, before: int, recorded_before: Instant) -> int:
    """Prune a step of what lies before a sequence and was recorded before an instant.

    Return how many records were looked at; 0 means that there is nothing left to prune.
    """
    rows = (_Old(*row) for row in connection.execute(_OLDEST, (before, STEP_RECORDS)).fetchall())
    step = list(_within_bounds(rows, recorded_before))
    if not step:
        return 0
    own = [(row.sequence,) for row in step if host_of(row.key) != row.key]
    for statement in (_REMEMBER, _DROP_BODY, _DROP_RECORD):
        connection.executemany(statement, own)
    connection.execute(_MOVED, (step[-1].sequence, len(own), len(own)))
    return len(step)


def forget(connection: sqlite3.Connection, *, recorded_before: Instant, most: int) -> int:
    """Forget a step of the remembered records: the old ones, and those beyond `most` in number.

    Return how many; 0 means that there is nothing left to forget.
    """
    gone = connection.execute(_FORGET, (STEP_RECORDS, recorded_before, most)).rowcount
    if gone:
        connection.execute(_FORGOTTEN, (gone,))
    return gone


def kept(connection: sqlite3.Connection) -> Kept:
    """Return what the log holds, without reading it."""
    records, remembered, pages, page_size = connection.execute(_KEPT).fetchone()
    return Kept(records, remembered, pages * page_size)


def _within_bounds(rows: Iterator[_Old], recorded_before: Instant) -> Iterator[_Old]:
    """Yield the first old rows that fit into a step; clocks may have stepped back behind them."""
    total = 0
    for nth, row in enumerate(rows):
        total += row.size
        if row.recorded_at >= recorded_before or (nth and total > STEP_BYTES):
            return
        yield row
