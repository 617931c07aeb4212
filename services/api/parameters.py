"""Query parameters that several routes share, with their description."""

from typing import Annotated, TypeAlias

from fastapi import Query

from events.instant import Instant
from services.answers.questions.period import moment

AsOf: TypeAlias = Annotated[
    str | None,
    Query(
        description="Valid time: the world as it was then. A time with its offset.",
        examples=["2026-07-15T12:00:00Z"],
    ),
]
KnownAt: TypeAlias = Annotated[
    str | None,
    Query(
        description="Known time: only what had been recorded by then. A time with its offset.",
        examples=["2026-08-01T00:00:00Z"],
    ),
]


def instant(text: str | None) -> Instant | None:
    """Read a moment; raise InvalidQuestion with the way to write it."""
    return None if text is None else moment(text)
