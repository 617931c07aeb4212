"""What was read from the contents of files: judged formats and patch ids, one record for a batch.

It can be told only where the blobs are, so what was found is recorded itself, with the rules or
the method by which it was found.
"""

from collections.abc import Sequence
from typing import Final, TypeVar

import msgspec

from events.errors import InvalidEvent
from events.facts.base import Fact
from events.facts.files import FormatJudgement, FormatsJudged, PatchesIdentified, PatchIdentity
from events.identity import RepositoryKey, derived_id
from events.instant import Instant
from events.record import Record

FORMATS_TYPE: Final = "shipledger.git.formats"
PATCHES_TYPE: Final = "shipledger.git.patches"
_VERSION: Final = 1


class FormatsBody(msgspec.Struct, frozen=True, kw_only=True):
    """The body of `shipledger.git.formats`, version 1; `rules` is the version of the judge."""

    version: int
    rules: str
    judgements: tuple[FormatJudgement, ...]


class PatchesBody(msgspec.Struct, frozen=True, kw_only=True):
    """The body of `shipledger.git.patches`, version 1; `method` is what made the ids."""

    version: int
    method: str
    patches: tuple[PatchIdentity, ...]


Body = TypeVar("Body", FormatsBody, PatchesBody)


def formats_record(
    repository: RepositoryKey, rules: str, judgements: Sequence[FormatJudgement], *, time: Instant
) -> Record:
    """Write a batch of judgements as a record; equal ones get equal ids."""
    body = FormatsBody(version=_VERSION, rules=rules, judgements=tuple(judgements))
    return _record(repository, FORMATS_TYPE, body, time)


def patches_record(
    repository: RepositoryKey, method: str, patches: Sequence[PatchIdentity], *, time: Instant
) -> Record:
    """Write a batch of patch ids as a record; equal ones get equal ids."""
    body = PatchesBody(version=_VERSION, method=method, patches=tuple(patches))
    return _record(repository, PATCHES_TYPE, body, time)


def _record(
    repository: RepositoryKey, kind: str, body: FormatsBody | PatchesBody, time: Instant
) -> Record:
    written = msgspec.json.encode(body)
    return Record(
        id=derived_id(kind, repository, written),
        repository=repository,
        source="git",
        type=kind,
        body=written,
        time=time,
    )


def translate(record: Record) -> tuple[Fact, ...] | None:
    """Return what a record states, None for one of another type.

    Raise InvalidEvent for a version or a shape that is not known.
    """
    if record.type == FORMATS_TYPE:
        formats = _body(record, FormatsBody)
        return (FormatsJudged(rules=formats.rules, judgements=formats.judgements),)
    if record.type == PATCHES_TYPE:
        patches = _body(record, PatchesBody)
        return (PatchesIdentified(method=patches.method, patches=patches.patches),)
    return None


def _body(record: Record, kind: type[Body]) -> Body:
    try:
        body = msgspec.json.decode(record.body, type=kind)
    except msgspec.MsgspecError as error:
        raise InvalidEvent(str(error)) from error
    if body.version != _VERSION:
        raise InvalidEvent(f"version {body.version} is not known to this program", path="version")
    return body
