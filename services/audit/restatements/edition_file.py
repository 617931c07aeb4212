"""What the JSON of a published edition says of its question. Pure.

The record of an edition has its receipt; the file has none, and only tells what was asked, at which
(T, K), under which rules.
"""

from typing import Any

import msgspec

from events.errors import InvalidQuestion


class Repository(msgspec.Struct, frozen=True):
    """Which repository, by its key, and how it was called."""

    name: str
    key: str


class Span(msgspec.Struct, frozen=True):
    """The period, [start, end), and where it was cut: at its end, or at what was known."""

    start: str = msgspec.field(name="from")
    end: str = msgspec.field(name="to")
    cut_at: str = msgspec.field(name="end")


class Basis(msgspec.Struct, frozen=True):
    """The digest of the rules by which requests were excluded."""

    rules: str


class EditionHead(msgspec.Struct, frozen=True):
    """The question that an edition answered."""

    repository: Repository
    period: Span
    basis: Basis
    known_at: str
    caught_up_at: str
    """How far the projections had read."""


def edition_head(document: dict[str, Any], name: str) -> EditionHead:
    """Read what an edition is about; raise InvalidQuestion where it is not about a period."""
    if "releases" in document:
        raise InvalidQuestion(
            f"{name} tells what one release brings against another, and counts no period; "
            "`shipledger verify` makes an edition again by the id of its record"
        )
    try:
        return msgspec.convert(document, EditionHead)
    except msgspec.ValidationError as error:
        raise InvalidQuestion(
            f"{name} is not an edition as it was published ({error}); "
            "name the edition by the id of its record"
        ) from error
