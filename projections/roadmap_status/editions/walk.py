"""The editions of one roadmap: its versions read, their items under ids that stay the same.

An id depends on all versions before, so the chain is walked from the first. What was read and
matched is kept, by the digests of the texts alone: a later question walks only what is new.
"""

import threading
from collections import OrderedDict
from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

import msgspec
from msgspec.structs import replace

from projections.roadmap_status.editions.identity import Match, match
from projections.roadmap_status.issues import Version
from projections.roadmap_status.items.item import Item, Roadmap
from projections.roadmap_status.items.parse import read_roadmap
from projections.roadmap_status.items.piecewise import read_piecewise
from projections.roadmap_status.reading import Reader
from projections.roadmap_status.words.phrases import Phrases
from projections.store.recent import Recent

_TEXTS_KEPT: Final = 64
_PIECES_KEPT: Final = 512
_CHAINS_KEPT: Final = 32
_NO_ITEM: Final = Item(title="")


class Edition(msgspec.Struct, frozen=True, kw_only=True):
    """One version, read; `matches` are its items in their walk."""

    version: Version
    roadmap: Roadmap
    matches: tuple[Match, ...]
    claimed: Mapping[str, Version]
    """By item id: the version since which it claims what it does."""


class _Chain(msgspec.Struct, frozen=True):
    """The ids of all versions walked so far; items are read again where they are asked for."""

    texts: tuple[str, ...] = ()
    ids: tuple[tuple[Match, ...], ...] = ()
    claims: tuple[Mapping[str, tuple[int, int]], ...] = ()
    """By item id: the place of the version since which it claims what it does, and a hash of it."""
    used: frozenset[str] = frozenset()


class EditionCache:
    """What was read and matched."""

    def __init__(self) -> None:
        self.texts: Recent[Hashable, Roadmap] = Recent(_TEXTS_KEPT)
        self.pieces: Recent[Hashable, Roadmap] = Recent(_PIECES_KEPT)
        self._chains: OrderedDict[Hashable, _Chain] = OrderedDict()
        self._lock = threading.Lock()

    def chain(self, key: Hashable, texts: Sequence[str]) -> _Chain:
        """Return the longest chain that is a beginning of these texts."""
        with self._lock:
            known = self._chains.get(key, _Chain())
        same = 0
        while same < min(len(known.texts), len(texts)) and known.texts[same] == texts[same]:
            same += 1
        ids = known.ids[:same]
        used = known.used if same == len(known.texts) else _ids_of(ids)
        return _Chain(known.texts[:same], ids, known.claims[:same], used)

    def keep(self, key: Hashable, chain: _Chain) -> None:
        """Keep a chain unless a longer one with the same beginning is kept."""
        with self._lock:
            known = self._chains.get(key)
            if known is None or known.texts[: len(chain.texts)] != chain.texts:
                self._chains[key] = chain
            self._chains.move_to_end(key)
            while len(self._chains) > _CHAINS_KEPT:
                self._chains.popitem(last=False)


@dataclass(frozen=True, slots=True, kw_only=True)
class Walk:
    """The editions of one roadmap, each made when it is asked for."""

    versions: tuple[Version, ...]
    _chain: _Chain
    _read: Callable[[str], Roadmap]

    def __len__(self) -> int:
        """Return how many editions there are."""
        return len(self.versions)

    def edition(self, at: int) -> Edition:
        """Return an edition by its place; negative ones count from the last."""
        version = self.versions[at]
        roadmap = self._read(version.text)
        bare = self._chain.ids[at]
        matches = tuple(
            replace(bare_match, item=item)
            for bare_match, item in zip(bare, roadmap.walk(), strict=True)
        )
        claims = self._chain.claims[at]
        claimed = {own: self.versions[place] for own, (place, _) in claims.items()}
        return Edition(version=version, roadmap=roadmap, matches=matches, claimed=claimed)

    def upto(self, moment: int) -> Edition | None:
        """Return the edition that stood at a moment, None before the first."""
        passed = [at for at, version in enumerate(self.versions) if version.at <= moment]
        return self.edition(passed[-1]) if passed else None


def walk(
    name: str,
    versions: Sequence[Version],
    texts: Mapping[str, str],
    reader: Reader,
    phrases: Phrases,
    cache: EditionCache,
) -> Walk:
    """Walk all versions of a roadmap; `name` tells its ids from those of other roadmaps."""
    words = (tuple(sorted(phrases.words.items())), tuple(sorted(phrases.marks.states.items())))
    manner = (reader, words, phrases.branches)

    def read(digest: str) -> Roadmap:
        return cache.texts.get((digest, manner), lambda: read_piecewise(texts[digest], piece))

    def piece(text: str) -> Roadmap:
        return cache.pieces.get((text, manner), lambda: read_roadmap(text, reader, phrases))

    wanted = tuple(version.text for version in versions)
    chain = cache.chain((name, manner), wanted)
    chain = _extended(chain, name, wanted[len(chain.texts) :], read)
    cache.keep((name, manner), chain)
    return Walk(versions=tuple(versions), _chain=chain, _read=read)


def _extended(
    chain: _Chain, name: str, more: Sequence[str], read: Callable[[str], Roadmap]
) -> _Chain:
    if not more:
        return chain
    ids, claims, used = list(chain.ids), list(chain.claims), set(chain.used)
    known = []
    if chain.ids:
        last = zip(chain.ids[-1], read(chain.texts[-1]).walk(), strict=True)
        known = [replace(match_of_item, item=item).known for match_of_item, item in last]
    for text in more:
        matches = match(name, known, read(text).items, used=used)
        known = [match.known for match in matches]
        used |= {match.id for match in matches}
        claims.append(_claimed_since(matches, claims[-1] if claims else {}, len(ids)))
        ids.append(tuple(replace(match, item=_NO_ITEM) for match in matches))
    return _Chain((*chain.texts, *more), tuple(ids), tuple(claims), frozenset(used))


def _claimed_since(
    matches: Iterable[Match], before: Mapping[str, tuple[int, int]], place: int
) -> dict[str, tuple[int, int]]:
    claims = {match.id: hash((match.item.claim, match.item.link_claims)) for match in matches}
    return {
        own: before[own] if own in before and before[own][1] == claim else (place, claim)
        for own, claim in claims.items()
    }


def _ids_of(ids: Iterable[tuple[Match, ...]]) -> frozenset[str]:
    return frozenset(match.id for matches in ids for match in matches)
