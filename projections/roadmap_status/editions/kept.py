"""One edition as it was read, as bytes, so that what was read once is unpacked and not read again.

An edition is named by all that it was read from: the texts up to its own, how links and words are
read, and the rules. Equal names mean equal editions, whoever asks and at whatever (T, K).
"""

import hashlib
import zlib
from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from itertools import accumulate
from pathlib import Path
from typing import Final

import msgspec

import events
from projections.roadmap_status.editions.identity import Match
from projections.roadmap_status.editions.pairing import Method
from projections.roadmap_status.items.item import Item, Roadmap
from projections.roadmap_status.reading import Reader
from projections.roadmap_status.words.phrases import Phrases
from projections.store.sources import digest_of_sources

_LIBRARIES: Final = ("markdown-it-py", "msgspec", "rapidfuzz")
"""What reads texts, keeps what was read, and compares titles."""
_QUICK: Final = 1
"""Texts of items repeat themselves: the quickest level makes a tenth of them."""


class Identity(msgspec.Struct, frozen=True, array_like=True):
    """A `Match` without its item."""

    id: str
    method: Method
    score: float
    parent: str | None
    before: str
    shared: tuple[str, ...]
    split_from: str | None

    def match(self, item: Item) -> Match:
        """Return the match of an item."""
        return Match(
            id=self.id,
            item=item,
            method=self.method,
            score=self.score,
            parent=self.parent,
            before=self.before,
            shared=self.shared,
            split_from=self.split_from,
        )


class ReadEdition(msgspec.Struct, frozen=True):
    """A text that was read, and which of the items of before its items are."""

    roadmap: Roadmap
    ids: tuple[Identity, ...]
    claimed: Mapping[str, int]
    """By item id: the place of the edition since which it claims what it does."""
    fresh: frozenset[str]
    """The ids that no edition before had."""

    @property
    def matches(self) -> tuple[Match, ...]:
        """Return the items in their walk, under their ids."""
        items = zip(self.ids, self.roadmap.walk(), strict=True)
        return tuple(identity.match(item) for identity, item in items)


def identity_of(match: Match) -> Identity:
    """Return what a match says beside its item."""
    return Identity(
        match.id,
        match.method,
        match.score,
        match.parent,
        match.before,
        match.shared,
        match.split_from,
    )


_decoder: Final = msgspec.msgpack.Decoder(ReadEdition)
_ids: Final = msgspec.msgpack.Decoder(frozenset[str])


def pack(edition: ReadEdition) -> bytes:
    """Return an edition as bytes."""
    return zlib.compress(msgspec.msgpack.encode(edition), _QUICK)


def unpack(data: bytes) -> ReadEdition:
    """Return what was packed."""
    return _decoder.decode(zlib.decompress(data))


def pack_ids(ids: Iterable[str]) -> bytes:
    """Return ids as bytes."""
    return zlib.compress(msgspec.msgpack.encode(sorted(ids)), _QUICK)


def unpack_ids(data: bytes) -> frozenset[str]:
    """Return the ids that were packed."""
    return _ids.decode(zlib.decompress(data))


def manner_of(reader: Reader, phrases: Phrases) -> str:
    """Return the name of how texts are read (SHA-256)."""
    how = (
        rules_version(),
        sorted(reader.names),
        reader.host,
        sorted(reader.roadmaps),
        sorted(phrases.words.items()),
        sorted(phrases.marks.states.items()),
        sorted(phrases.branches),
    )
    return hashlib.sha256(msgspec.msgpack.encode(how)).hexdigest()


def names_of(roadmap: str, manner: str, texts: Iterable[str]) -> Iterator[str]:
    """Yield the name of each edition of a roadmap; `texts` are the digests of theirs, in order."""
    first = hashlib.sha256(f"{roadmap}\0{manner}".encode()).hexdigest()
    names = accumulate(texts, _next, initial=first)
    next(names)
    return names


def _next(name: str, text: str) -> str:
    return hashlib.sha256(f"{name}\0{text}".encode()).hexdigest()


@cache
def rules_version() -> str:
    """Return the name of the rules that read texts and give ids."""
    folders = (Path(__file__).parents[1], Path(events.__path__[0]))
    return digest_of_sources(folders, libraries=_LIBRARIES)
