"""`shipledger.git.formats`: a batch of commits that were judged by their differences.

What changes the format alone can be told only where the blobs are, so the judgement itself is what
is recorded, with the version of the rules that made it.
"""

from collections.abc import Sequence
from typing import Final

import msgspec

from events.errors import InvalidEvent
from events.facts.files import FormatJudgement, FormatsJudged
from events.identity import RepositoryKey, derived_id
from events.instant import Instant
from events.record import Record

FORMATS_TYPE: Final = "shipledger.git.formats"
_VERSION: Final = 1


class FormatsBody(msgspec.Struct, frozen=True, kw_only=True):
    """The body of `shipledger.git.formats`, version 1; `rules` is the version of the judge."""

    version: int
    rules: str
    judgements: tuple[FormatJudgement, ...]


def formats_record(
    repository: RepositoryKey, rules: str, judgements: Sequence[FormatJudgement], *, time: Instant
) -> Record:
    """Write a batch of judgements as a record; equal ones get equal ids."""
    body = msgspec.json.encode(
        FormatsBody(version=_VERSION, rules=rules, judgements=tuple(judgements))
    )
    return Record(
        id=derived_id(FORMATS_TYPE, repository, body),
        repository=repository,
        source="git",
        type=FORMATS_TYPE,
        body=body,
        time=time,
    )


def translate(record: Record) -> tuple[FormatsJudged, ...]:
    """Return what was judged; raise InvalidEvent for a version or a shape that is not known."""
    try:
        body = msgspec.json.decode(record.body, type=FormatsBody)
    except msgspec.MsgspecError as error:
        raise InvalidEvent(str(error)) from error
    if body.version != _VERSION:
        raise InvalidEvent(f"version {body.version} is not known to this program", path="version")
    return (FormatsJudged(rules=body.rules, judgements=body.judgements),)
