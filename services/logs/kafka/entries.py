"""Messages of one partition as entries; the same for every client that reads them. Pure."""

from collections.abc import Iterable, Iterator
from typing import Final, NamedTuple

from events.errors import InvalidEvent
from events.identity import RepositoryKey
from events.instant import Instant
from events.log.irregular import tombstone_record, unreadable_record
from events.log.port import next_recorded_at
from events.record import Entry, Record
from services.logs.kafka.codec import decode, partition_of, repository_of

#: The owner of messages whose key cannot be read.
NOBODY: Final[RepositoryKey] = "unknown"


class Stored(NamedTuple):
    """One message at its place; `appended_ms` is the broker's time."""

    position: int
    appended_ms: int
    key: bytes | None
    value: bytes | None
    headers: list[tuple[str, bytes]]


class PartitionName(NamedTuple):
    """A partition, and the topic of so many partitions that it belongs to.

    0 partitions: the topic was grown, so its records lie where they lie.
    """

    topic: str
    partitions: int
    number: int


def entries_of(
    partition: PartitionName, messages: Iterable[Stored], last: Instant
) -> Iterator[Entry]:
    """Yield the entries of consecutive messages; `last` is the stamp of the record before them.

    The stamp is folded a record at a time, so it does not depend on how a reader cuts its batches.
    """
    for stored in messages:
        last = next_recorded_at(stored.appended_ms * 1000, last)
        yield Entry(
            record=_record(partition, stored),
            partition=str(partition.number),
            position=stored.position,
            recorded_at=last,
        )


def _record(partition: PartitionName, stored: Stored) -> Record:
    """Return the record of a message, or one that stands for a message that is none of ours."""
    owner = NOBODY
    place = f"{partition.topic}/{partition.number}/{stored.position}"
    try:
        owner = repository_of(stored.key)
        count = partition.partitions
        if count and partition_of(owner, count) != partition.number:
            raise InvalidEvent(
                f"{owner} does not belong to partition {partition.number}", path="key"
            )
        if stored.value is None:
            return tombstone_record(owner, place)
        return decode(stored.key, stored.value, stored.headers)
    except InvalidEvent as error:
        return unreadable_record(owner, stored.value or b"", str(error), place)
