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
        found = log.find(repository, record_id)
        if found is not None:
            return found
        raise NotFound(f"{repository} has no record {record_id}")
    for entry in entries(log, partition):
        if entry.record.id == record_id and entry.record.repository == repository:
            return entry
    raise NotFound(f"{repository} has no record {record_id}")
