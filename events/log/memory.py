"""A log in memory, for tests and simulations; it keeps every promise of the port but durability."""

import threading
from collections.abc import Iterable, Sequence

from events.errors import BrokenLog, InvalidQuestion
from events.log.irregular import conflict_record
from events.log.port import (
    BATCH_BYTES,
    BATCH_RECORDS,
    Appended,
    Clock,
    Cursor,
    Outcome,
    next_recorded_at,
)
from events.record import Entry, Record


class MemoryLog:
    """Partition = repository key, as in the embedded log."""

    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self._entries: dict[str, list[Entry]] = {}
        self._by_id: dict[tuple[str, str], Entry] = {}
        self._changed = threading.Condition()

    def append(self, records: Sequence[Record]) -> list[Appended]:
        """See `Log.append`."""
        with self._changed:
            # Clocks first: whatever fails, fails before anything is stored.
            times = [self._clock() for _ in records]
            appended = [self._append(*offered) for offered in zip(records, times, strict=True)]
            self._changed.notify_all()
        return appended

    def _append(self, record: Record, now: int) -> Appended:
        known = self._by_id.get((record.repository, record.id))
        if known is None:
            return _appended(self._store(record, now), "stored")
        if known.record.body == record.body:
            return _appended(known, "duplicate")
        second = conflict_record(record)
        kept = self._by_id.get((second.repository, second.id))
        if kept is not None:
            return _appended(kept, "duplicate")
        return _appended(self._store(second, now), "conflict")

    def _store(self, record: Record, now: int) -> Entry:
        partition = self._entries.setdefault(record.repository, [])
        previous = partition[-1].recorded_at if partition else 0
        entry = Entry(
            record=record,
            partition=record.repository,
            position=len(partition),
            recorded_at=next_recorded_at(now, previous),
        )
        partition.append(entry)
        self._by_id[record.repository, record.id] = entry
        return entry

    def read(
        self,
        partition: str,
        cursor: Cursor,
        *,
        limit: int = BATCH_RECORDS,
        max_bytes: int = BATCH_BYTES,
    ) -> list[Entry]:
        """See `Log.read`."""
        entries = self._entries.get(partition, [])
        if cursor.position > len(entries):
            raise BrokenLog(f"{partition}: position {cursor.position} lies beyond the log's end")
        batch: list[Entry] = []
        size = 0
        for entry in entries[cursor.position : cursor.position + limit]:
            size += len(entry.record.body)
            if batch and size > max_bytes:
                break
            batch.append(entry)
        return batch

    def ends(self) -> dict[str, int]:
        """See `Log.ends`."""
        return {partition: len(entries) for partition, entries in self._entries.items()}

    def wait(self, timeout: float) -> None:
        """See `Log.wait`."""
        with self._changed:
            self._changed.wait(timeout)

    def load(self, entries: Iterable[Entry]) -> int:
        """See `StampKeepingLog.load`."""
        if self._by_id:
            raise InvalidQuestion("only an empty log takes entries with their old stamps")
        count = 0
        for entry in entries:
            stored = self._store(entry.record, entry.recorded_at)
            if stored.recorded_at != entry.recorded_at:
                raise BrokenLog(f"{entry.record.id}: recorded_at does not rise")
            count += 1
        return count

    def close(self) -> None:
        """See `Log.close`."""


def _appended(entry: Entry, outcome: Outcome) -> Appended:
    return Appended(
        record_id=entry.record.id,
        partition=entry.partition,
        position=entry.position,
        outcome=outcome,
    )
