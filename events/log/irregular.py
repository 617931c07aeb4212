"""Records in the log's order that are not what somebody sent: made by the log, or emptied.

* a *conflict*: one id came with two bodies; the first is kept as it is, the second beside it;
* *unreadable* and *tombstone*: a message of another program in a shared log. It has a position, so
  a reader must be given something for it: `events.translate` ignores a tombstone and sets an
  unreadable one aside as poison. `place` names the topic, partition and position, from which the
  id is derived;
* a *redacted* record, the one exception to "stored as received": it keeps its place, its id and
  its attributes; its body is empty, and attributes say what the body was (by digest), when and why
  it was removed. Logs, exports and imports carry it like any other record; a translator finds no
  body and must refuse it by name (`is_redacted`).
"""

from typing import Final

import msgspec

from events.identity import RepositoryKey, body_digest, derived_id
from events.instant import Instant, format_instant
from events.record import Record

CONFLICT_TYPE: Final = "shipledger.conflict"


UNREADABLE_TYPE: Final = "shipledger.unreadable"


TOMBSTONE_TYPE: Final = "shipledger.tombstone"


REDACTED: Final = "redacted"


def conflict_record(second: Record) -> Record:
    """Return the record that keeps a second, different body of an id that is taken.

    The same second body always gives the same id, so its repetition is a mere duplicate.
    """
    digest = body_digest(second.body)
    return msgspec.structs.replace(
        second,
        id=derived_id("conflict", second.id, digest),
        type=CONFLICT_TYPE,
        attributes={**second.attributes, "conflictof": second.id, "originaltype": second.type},
    )


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


def redacted_record(record: Record, reason: str, at: Instant) -> Record:
    """Return the record without its body; a redacted one is returned as it is."""
    if is_redacted(record):
        return record
    marks = {
        REDACTED: "1",
        "redacteddigest": body_digest(record.body),
        "redactedat": format_instant(at),
        "redactedreason": reason,
    }
    return msgspec.structs.replace(record, body=b"", attributes={**record.attributes, **marks})


def is_redacted(record: Record) -> bool:
    """Tell whether the body of a record was removed."""
    return record.attributes.get(REDACTED) == "1"


def digest_as_received(record: Record) -> str:
    """Return the digest of the body as it was received, also when it has been redacted since."""
    if is_redacted(record):
        return record.attributes["redacteddigest"]
    return body_digest(record.body)
