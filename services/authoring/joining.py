"""Joining two repositories: what was recorded under one key goes on under another.

Nothing joins by itself, since names are reused. The records of the first are copied forward into
the second under derived ids, recorded now, so what was known before stays as it was, and copying
again adds only what is new.
"""

from collections.abc import Callable
from typing import Final

import msgspec

from events.errors import InvalidQuestion, NotFound
from events.facts.repository import RepositoryJoined
from events.identity import RepositoryKey, derived_id, is_repository
from events.instant import Instant
from events.log.port import Log
from events.record import Record
from events.sources.authored import author
from services.logs.walk import entries

JOINED: Final = "shipledger.joined"
_BATCH: Final = 200
_KEY_EXAMPLE: Final = "write a key as `shipledger repositories` lists it, such as github.com/1001"


class Joined(msgspec.Struct, frozen=True, kw_only=True):
    """What a join did; records that were copied before are not counted as `copied`."""

    source: RepositoryKey
    target: RepositoryKey
    records: int
    copied: int


def join(
    log: Log,
    source: RepositoryKey,
    target: RepositoryKey,
    at: Instant,
    partition_of: Callable[[RepositoryKey], str] = str,
) -> Joined:
    """Copy all records of `source` into `target`, then close `source`: its name means `target` now.

    Raise InvalidQuestion for keys that are none or equal, NotFound where `source` has no records.
    """
    for key in (source, target):
        if not is_repository(key):
            raise InvalidQuestion(f"{key!r} is no key of a repository; {_KEY_EXAMPLE}")
    if source == target:
        raise InvalidQuestion(f"{source} cannot be joined to itself")
    records = copied = 0
    batch: list[Record] = []
    for entry in entries(log, partition_of(source)):
        if entry.record.repository != source or entry.record.type == JOINED:
            continue
        records += 1
        batch.append(_copy(entry.record, target))
        if len(batch) == _BATCH:
            copied += _append(log, batch)
            batch = []
    if not records:
        raise NotFound(f"nothing was recorded under {source}; {_KEY_EXAMPLE}")
    copied += _append(log, batch)
    _close(log, source, target, at)
    return Joined(source=source, target=target, records=records, copied=copied)


def _close(log: Log, source: RepositoryKey, target: RepositoryKey, at: Instant) -> None:
    closing = author(
        source,
        RepositoryJoined(into=target, at=at),
        time=at,
        record_id=derived_id("joined into", source, target),
    )
    log.append([closing])


def _copy(record: Record, target: RepositoryKey) -> Record:
    return msgspec.structs.replace(
        record,
        id=derived_id("joined", record.repository, record.id),
        repository=target,
        attributes={
            **record.attributes,
            "joinedfrom": record.repository,
            "joinedid": record.id,
        },
    )


def _append(log: Log, batch: list[Record]) -> int:
    return sum(appended.outcome == "stored" for appended in log.append(batch))
