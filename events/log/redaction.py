"""Redaction: the one exception to "stored as received".

A redacted record keeps its place, its id and its attributes; its body is empty, and attributes say
what the body was (by digest), when and why it was removed. Logs, exports and imports carry it like
any other record; a translator finds no body and must refuse it by name (`is_redacted`).
"""

import msgspec

from events.identity import body_digest
from events.instant import Instant, format_instant
from events.record import Record

REDACTED = "redacted"


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
