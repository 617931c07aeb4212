"""One id, two bodies: the first is kept as it is, the second beside it under a derived id."""

import msgspec

from events.identity import body_digest, derived_id
from events.record import Record

CONFLICT_TYPE = "shipledger.conflict"


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
