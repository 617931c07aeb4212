"""Walking through a log by way of the port alone, so that it works on every implementation."""

from collections.abc import Iterator
from typing import Protocol, runtime_checkable

from events.errors import NotFound
from events.identity import RepositoryKey
from events.log.port import START, Cursor, Log
from events.record import Entry


def entries(log: Log, partition: str, cursor: Cursor = START) -> Iterator[Entry]:
    """Yield the entries of a partition from a cursor to its present end, a batch at a time."""
    if partition not in log.ends():
        return
    while batch := log.read(partition, cursor):
        yield from batch
        cursor = Cursor(batch[-1].position + 1, batch[-1].recorded_at)


@runtime_checkable
class Indexed(Protocol):
    """A log that knows its records by id."""

    def find(self, repository: RepositoryKey, record_id: str) -> Entry | None:
        """Return one record by its id, None where there is none."""


def find(log: Log, partition: str, repository: RepositoryKey, record_id: str) -> Entry:
    """Return the entry of a record; raise NotFound.

    A log without an index of ids (Kafka, memory) is read from the start of the partition.
    """
    if isinstance(log, Indexed):
        indexed = log.find(repository, record_id)
        if indexed is not None:
            return indexed
        raise NotFound(f"{repository} has no record {record_id}")
    for entry in entries(log, partition):
        if entry.record.id == record_id and entry.record.repository == repository:
            return entry
    raise NotFound(f"{repository} has no record {record_id}")


class Tail:
    """The last records over all partitions, and then whatever is added.

    Partitions have no order among each other but their stamps; within one, positions decide.
    A log that derives stamps (Kafka) is not read from its start for this, so what it prints may
    differ from the true stamps by microseconds.
    """

    def __init__(self, log: Log, count: int) -> None:
        self._log = log
        self._count = count
        self._cursors = {
            partition: Cursor(max(0, end - count), 0) for partition, end in log.ends().items()
        }

    def news(self) -> list[Entry]:
        """Return what has not been returned yet, of the first time only the last `count`."""
        fresh: list[Entry] = []
        for partition in self._log.ends():
            cursor = self._cursors.get(partition, START)
            for entry in entries(self._log, partition, cursor):
                cursor = Cursor(entry.position + 1, entry.recorded_at)
                fresh.append(entry)
            self._cursors[partition] = cursor
        fresh.sort(key=lambda entry: (entry.recorded_at, entry.partition, entry.position))
        if self._count:
            fresh, self._count = fresh[-self._count :], 0
        return fresh
