"""Walking through a log by way of the port alone, so that it works on every implementation."""

from collections.abc import Iterator

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


def find(log: Log, partition: str, repository: RepositoryKey, record_id: str) -> Entry:
    """Return the entry of a record; raise NotFound. It reads the partition from its start."""
    for entry in entries(log, partition):
        if entry.record.id == record_id and entry.record.repository == repository:
            return entry
    raise NotFound(f"{repository} has no record {record_id}")
