"""What all facts share."""

from enum import IntEnum

import msgspec


class Fact(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A statement about the world, translated from one record by a pure function.

    Facts are never stored: a record is translated again at every reading, so they may change
    shape freely. Times are instants (microseconds, UTC).
    """


class Trust(IntEnum):
    """How far a source is believed where two disagree about a field; greater wins."""

    ARCHIVE_STUB = 10
    GIT_SUBJECT = 20
    GIT_TEMPLATE = 30
    ARCHIVE_FULL = 40
    FULL = 50
    """A full object of a webhook delivery or of the API."""
    CURATION = 60
