"""The editions of one roadmap: its versions read, their items under ids that stay the same.

An id depends on all versions before, so the chain is walked from the first. What was read and
matched is kept, by the digests of the texts alone: a later question walks only what is new.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

import msgspec
from msgspec.structs import replace

from projections.roadmap_status.editions.identity import Match, match
from projections.roadmap_status.editions.kept import Chain, EditionCache
from projections.roadmap_status.issues import Version
from projections.roadmap_status.items.item import Item, Roadmap
from projections.roadmap_status.items.parse import read_roadmap
from projections.roadmap_status.items.piecewise import read_piecewise
from projections.roadmap_status.reading import Reader
from projections.roadmap_status.words.phrases import Phrases

_NO_ITEM: Final = Item(title="")


class Edition(msgspec.Struct, frozen=True, kw_only=True):
    """One version, read; `matches` are its items in their walk."""

    version: Version
    roadmap: Roadmap
    matches: tuple[Match, ...]
    claimed: Mapping[str, Version]
    """By item id: the version since which it claims what it does."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Walk:
    """The editions of one roadmap, each made when it is asked for."""

    versions: tuple[Version, ...]
    _chain: Chain
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
    chain: Chain, name: str, more: Sequence[str], read: Callable[[str], Roadmap]
) -> Chain:
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
    return Chain((*chain.texts, *more), tuple(ids), tuple(claims), frozenset(used))


def _claimed_since(
    matches: Iterable[Match], before: Mapping[str, tuple[int, int]], place: int
) -> dict[str, tuple[int, int]]:
    claims = {match.id: hash((match.item.claim, match.item.link_claims)) for match in matches}
    return {
        own: before[own] if own in before and before[own][1] == claim else (place, claim)
        for own, claim in claims.items()
    }
