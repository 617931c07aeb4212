"""What stands in the log's order for messages that are no records of ours.

Another program can write to a shared log. Such a message has a position, so a reader must be given
something for it: `events.translate` ignores a tombstone and sets an unreadable one aside as poison.
`place` names the topic, partition and position, from which the id is derived.
"""

from typing import Final

from events.identity import RepositoryKey, derived_id
from events.record import Record

UNREADABLE_TYPE: Final = "shipledger.unreadable"
TOMBSTONE_TYPE: Final = "shipledger.tombstone"


def unreadable_record(repository: RepositoryKey, raw: bytes, reason: str, place: str) -> Record:
    """Return the record that stands for a message without a record's attributes."""
    return Record(
        id=derived_id(UNREADABLE_TYPE, place),
        repository=repository,
        source="tick",
        type=UNREADABLE_TYPE,
        body=raw,
        content_type="application/octet-stream",
        attributes={"reason": reason},
    )


def tombstone_record(repository: RepositoryKey, place: str) -> Record:
    """Return the record that stands for a message without a value."""
    return Record(
        id=derived_id(TOMBSTONE_TYPE, place),
        repository=repository,
        source="tick",
        type=TOMBSTONE_TYPE,
        body=b"",
    )
