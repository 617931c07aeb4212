"""Messages of a partition without a broker."""

from collections.abc import Iterable

from events.record import Record
from services.logs.kafka.codec import encode, partition_of
from services.logs.kafka.entries import PartitionName, Stored
from tests.builders import REPO

PARTITIONS = 4
WHERE = PartitionName("records", PARTITIONS, partition_of(REPO, PARTITIONS))


def stored(
    records: Iterable[Record], *, first: int = 0, appended_ms: int = 1_780_000_000_000
) -> list[Stored]:
    """Return records as consecutive messages that the broker stamped alike, as one batch is."""
    return [
        Stored(first + nth, appended_ms, message.key, message.value, message.headers)
        for nth, message in enumerate(map(encode, records))
    ]
