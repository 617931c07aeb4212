"""Records that Shipledger writes itself, other than those of git: versioned JSON bodies.

Their golden files in `tests/payloads/authored/` are never changed: a new shape is a new version
with a function here that reads the old one.
"""

from typing import Final

import msgspec

from events.errors import InvalidEvent
from events.facts.base import Fact
from events.facts.curation import MentionDecided, ReleaseAliasDecided
from events.facts.editions import EditionPublished, TellingDecided, ThemesAssigned
from events.facts.operations import ConfigurationRecorded, Ticked
from events.facts.repository import (
    ArchiveRead,
    CensusObserved,
    GapFilled,
    GapObserved,
    RepositoryJoined,
)
from events.facts.roadmap import DriftAcknowledged, RoadmapImported, RoadmapItemDecided
from events.identity import RepositoryKey, derived_id
from events.instant import Instant
from events.record import Record, Source

_TYPES: Final[dict[str, tuple[Source, type[Fact]]]] = {
    "shipledger.census": ("census", CensusObserved),
    "shipledger.gap": ("census", GapObserved),
    "shipledger.joined": ("curation", RepositoryJoined),
    "shipledger.release_alias": ("curation", ReleaseAliasDecided),
    "shipledger.mention": ("curation", MentionDecided),
    "shipledger.roadmap": ("curation", RoadmapImported),
    "shipledger.roadmap_item": ("curation", RoadmapItemDecided),
    "shipledger.drift_acknowledged": ("curation", DriftAcknowledged),
    "shipledger.gap_filled": ("census", GapFilled),
    "shipledger.archive_read": ("census", ArchiveRead),
    "shipledger.configuration": ("configuration", ConfigurationRecorded),
    "shipledger.themes": ("configuration", ThemesAssigned),
    "shipledger.telling": ("curation", TellingDecided),
    "shipledger.edition": ("publication", EditionPublished),
    "shipledger.tick": ("tick", Ticked),
}
_NAMES: Final = {fact: (name, source) for name, (source, fact) in _TYPES.items()}
_VERSION: Final = 1


def author(
    repository: RepositoryKey, fact: Fact, *, time: Instant, record_id: str | None = None
) -> Record:
    """Write a fact of our own as a record; equal facts get equal ids unless one is given."""
    name, source = _NAMES[type(fact)]
    body = msgspec.json.encode({"version": _VERSION, **msgspec.to_builtins(fact)})
    return Record(
        id=record_id or derived_id(name, repository, body),
        repository=repository,
        source=source,
        type=name,
        body=body,
        time=time,
    )


def translate(record: Record) -> tuple[Fact, ...] | str:
    """Read a record of our own back."""
    known = _TYPES.get(record.type)
    if known is None:
        return f"unknown record type {record.type}"
    try:
        body = msgspec.json.decode(record.body, type=dict[str, msgspec.Raw])
        version = msgspec.json.decode(body.get("version", b"0"), type=int)
        if version != _VERSION:
            raise InvalidEvent(
                f"version {version} of {record.type} is newer than this program", path="version"
            )
        return (msgspec.json.decode(record.body, type=known[1]),)
    except msgspec.MsgspecError as error:
        raise InvalidEvent(str(error)) from error
