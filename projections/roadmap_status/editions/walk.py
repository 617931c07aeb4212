"""The editions of one roadmap: its versions read, their items under ids that stay the same.

An id depends on all versions before, so the editions are walked from the first. Each is remembered,
and kept in the read model, under a name for all that it was made from (`kept.py`): a later question
unpacks the one that it asks for, and walks only what is new.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final, Protocol

import msgspec

from events.identity import RepositoryKey
from projections.roadmap_status.editions.cache import EditionCache, MadeEdition
from projections.roadmap_status.editions.identity import Match, match
from projections.roadmap_status.editions.kept import (
    ReadEdition,
    identity_of,
    manner_of,
    names_of,
    pack,
    unpack,
)
from projections.roadmap_status.issues import Version
from projections.roadmap_status.items.item import Roadmap
from projections.roadmap_status.items.parse import read_roadmap
from projections.roadmap_status.items.piecewise import read_piecewise
from projections.roadmap_status.reading import Reader
from projections.roadmap_status.words.phrases import Phrases


class Edition(msgspec.Struct, frozen=True, kw_only=True):
    """One version, read; `matches` are its items in their walk."""

    version: Version
    roadmap: Roadmap
    matches: tuple[Match, ...]
    claimed: Mapping[str, Version]
    """By item id: the version since which it claims what it does."""


class EditionStore(Protocol):
    """Where the texts of one roadmap are, and what is kept of its editions."""

    def texts(self, digests: Iterable[str]) -> Mapping[str, str]:
        """Return texts by their digests."""

    def edition(self, name: str) -> bytes | None:
        """Return an edition that is kept."""

    def fresh(self, names: Sequence[str]) -> Mapping[str, frozenset[str]]:
        """Return, of those editions that are kept, the ids that they were the first to have."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Walk:
    """The editions of one roadmap, each found when it is asked for."""

    versions: tuple[Version, ...]
    _read: Callable[[int], ReadEdition]

    def __len__(self) -> int:
        """Return how many editions there are."""
        return len(self.versions)

    def edition(self, at: int) -> Edition:
        """Return an edition by its place; negative ones count from the last."""
        version = self.versions[at]
        read = self._read(at % len(self.versions))
        return Edition(
            version=version,
            roadmap=read.roadmap,
            matches=read.matches,
            claimed={own: self.versions[place] for own, place in read.claimed.items()},
        )

    def upto(self, moment: int) -> Edition | None:
        """Return the edition that stood at a moment, None before the first."""
        passed = [at for at, version in enumerate(self.versions) if version.at <= moment]
        return self.edition(passed[-1]) if passed else None


def walk(
    repo: RepositoryKey,
    number: int,
    versions: Sequence[Version],
    reader: Reader,
    phrases: Phrases,
    *,
    store: EditionStore,
    cache: EditionCache,
) -> Walk:
    """Walk all versions of a roadmap."""
    texts = tuple(version.text for version in versions)
    chain = _Chain((repo, number), texts, (reader, phrases), store, cache)
    return Walk(versions=tuple(versions), _read=chain.read)


class _Chain:
    """The editions of some texts that follow each other."""

    def __init__(
        self,
        of: tuple[RepositoryKey, int],
        texts: tuple[str, ...],
        manner: tuple[Reader, Phrases],
        store: EditionStore,
        cache: EditionCache,
    ) -> None:
        self._of, self._texts = of, texts
        self._reader, self._phrases = manner
        self._store, self._cache = store, cache
        # the name tells the ids of a roadmap from those of others
        self._roadmap = f"{of[0]}#{of[1]}"
        self._manner = manner_of(*manner)
        self._names = tuple(names_of(self._roadmap, self._manner, texts))

    def read(self, at: int) -> ReadEdition:
        """Return the edition at a place: from memory, as it is kept, or read anew."""
        return self._cache.editions.get(self._names[at], lambda: self._find(at))

    def _find(self, at: int) -> ReadEdition:
        made = self._cache.made(self._names[at])
        kept = self._store.edition(self._names[at]) if made is None else made.data
        return self._made(at) if kept is None else unpack(kept)

    def _made(self, at: int) -> ReadEdition:
        """Read on from the last edition before it that is known, with all ids that were used."""
        known, used = self._known_before(at)
        edition = self.read(known - 1) if known else _NONE
        texts = self._store.texts(self._texts[known : at + 1])
        for place in range(known, at + 1):
            roadmap = read_piecewise(texts[self._texts[place]], self._piece)
            edition = _next(self._roadmap, edition, roadmap, place, used)
            used |= edition.fresh
            self._remember(place, edition)
        self._cache.used.get(self._names[at], lambda: used)
        return edition

    def _known_before(self, at: int) -> tuple[int, frozenset[str]]:
        """Return how many editions need not be read, and the ids that they used."""
        remembered, used = self._remembered(at)
        if remembered == at:
            return remembered, used
        fresh = dict(self._store.fresh(self._names[:at]))
        waiting = (self._cache.made(name) for name in self._names[:at] if name not in fresh)
        fresh |= {made.name: made.fresh for made in waiting if made is not None}
        kept = next((n for n, name in enumerate(self._names[:at]) if name not in fresh), at)
        if kept <= remembered:
            return remembered, used
        return kept, frozenset().union(*(fresh[name] for name in self._names[:kept]))

    def _remembered(self, at: int) -> tuple[int, frozenset[str]]:
        for place in range(at, 0, -1):
            used = self._cache.used.known(self._names[place - 1])
            if used is not None:
                return place, used
        return 0, frozenset()

    def _piece(self, text: str) -> Roadmap:
        def read() -> Roadmap:
            return read_roadmap(text, self._reader, self._phrases)

        return self._cache.pieces.get((text, self._manner), read)

    def _remember(self, place: int, edition: ReadEdition) -> None:
        name = self._names[place]
        self._cache.editions.get(name, lambda: edition)
        self._cache.add_made(
            MadeEdition(
                repo=self._of[0],
                number=self._of[1],
                name=name,
                chain=self._names,
                fresh=edition.fresh,
                data=pack(edition),
            )
        )


_NONE: Final = ReadEdition(Roadmap(), (), {}, frozenset())


def _next(
    name: str, before: ReadEdition, roadmap: Roadmap, place: int, used: frozenset[str]
) -> ReadEdition:
    """Give ids to the items of a text that follows an edition."""
    old = before.matches
    matches = match(name, [known.known for known in old], roadmap.items, used=used)
    claims = {known.id: (known.item.claim, known.item.link_claims) for known in old}
    claimed = {
        own.id: before.claimed[own.id]
        if claims.get(own.id) == (own.item.claim, own.item.link_claims)
        else place
        for own in matches
    }
    ids = frozenset(own.id for own in matches)
    return ReadEdition(roadmap, tuple(map(identity_of, matches)), claimed, ids - used)
