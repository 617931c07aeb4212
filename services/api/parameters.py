"""Query parameters that several routes share, read into a `QuestionRequest` as they were typed."""

from typing import Annotated, TypeAlias

import msgspec
from fastapi import Depends, Header, Path, Query

from services.answers.questions.builder import QuestionRequest

_Zone: TypeAlias = Annotated[
    str | None,
    Query(alias="tz", description="The zone of the days.", examples=["Asia/Shanghai"]),
]
_Period: TypeAlias = Annotated[
    str | None,
    Query(
        description="A month, quarter, week, year, or FIRST..AFTER.",
        examples=["2026-07", "2026-Q3", "2026-W31", "2026-07-01..2026-08-01"],
    ),
]
Form: TypeAlias = Annotated[
    str, Query(alias="format", description="One of the media types of the answer: json, md, …")
]
Number: TypeAlias = Annotated[
    int, Path(ge=1, le=2**31 - 1, description="The number of a request or an issue.")
]
KnownTag: TypeAlias = Annotated[str | None, Header(alias="If-None-Match")]
"""The ETag of the answer that the caller has."""


def _asked(
    owner: str,
    name: str,
    as_of: Annotated[
        str | None,
        Query(
            description="Valid time: the world as it was then. A time with its offset.",
            examples=["2026-07-15T12:00:00Z"],
        ),
    ] = None,
    known_at: Annotated[
        str | None,
        Query(
            description="Known time: only what had been recorded by then. A time with its offset.",
            examples=["2026-08-01T00:00:00Z"],
        ),
    ] = None,
) -> QuestionRequest:
    return QuestionRequest(repository=f"{owner}/{name}", as_of=as_of, known_at=known_at)


Asked: TypeAlias = Annotated[QuestionRequest, Depends(_asked)]
"""A repository, as of when on both clocks."""


def _known(
    owner: str,
    name: str,
    known_at: Annotated[
        str | None,
        Query(
            description="Known time: only what had been recorded by then. A time with its offset.",
            examples=["2026-08-01T00:00:00Z"],
        ),
    ] = None,
) -> QuestionRequest:
    return QuestionRequest(repository=f"{owner}/{name}", known_at=known_at)


Known: TypeAlias = Annotated[QuestionRequest, Depends(_known)]
"""A repository, as known when: decisions hold for all valid times."""


def _between(
    asked: Asked,
    period: _Period = None,
    start: Annotated[
        str | None,
        Query(alias="from", description="The first day, or a time.", examples=["2026-07-01"]),
    ] = None,
    end: Annotated[
        str | None,
        Query(
            alias="to",
            description="The day after the last, or a time.",
            examples=["2026-08-01"],
        ),
    ] = None,
    zone: _Zone = None,
) -> QuestionRequest:
    return msgspec.structs.replace(asked, period=period, start=start, end=end, zone=zone)


Between: TypeAlias = Annotated[QuestionRequest, Depends(_between)]
"""A repository and a period, by its name or by its edges."""


def _named(
    between: Between,
    releases: Annotated[
        str | None,
        Query(
            description="Instead: what the second tag or alias brings against the first.",
            examples=["v1.2.0..v1.3.0"],
        ),
    ] = None,
) -> QuestionRequest:
    return msgspec.structs.replace(between, releases=releases)


Named: TypeAlias = Annotated[QuestionRequest, Depends(_named)]
"""A repository and a period, or two releases."""


def _waiting(
    known: Known,
    period: _Period = None,
    zone: _Zone = None,
) -> QuestionRequest:
    return msgspec.structs.replace(known, period=period, zone=zone)


Waiting: TypeAlias = Annotated[QuestionRequest, Depends(_waiting)]
"""A repository, as known when, and perhaps a period."""
