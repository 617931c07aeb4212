"""What was read and matched of roadmaps, kept for the questions that follow.

It imports nothing that reads: who asks about something else waits for no Markdown.
"""

import threading
from collections import OrderedDict
from collections.abc import Hashable, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Final

import msgspec

from projections.store.recent import Recent

if TYPE_CHECKING:
    from projections.roadmap_status.editions.identity import Match
    from projections.roadmap_status.items.item import Roadmap

_TEXTS_KEPT: Final = 64
_PIECES_KEPT: Final = 512
_CHAINS_KEPT: Final = 32


class Chain(msgspec.Struct, frozen=True):
    """The ids of all versions walked so far; items are read again where they are asked for."""

    texts: tuple[str, ...] = ()
    ids: "tuple[tuple[Match, ...], ...]" = ()
    claims: tuple[Mapping[str, tuple[int, int]], ...] = ()
    """By item id: the place of the version since which it claims what it does, and a hash of it."""
    used: frozenset[str] = frozenset()


class EditionCache:
    """What was read and matched."""

    def __init__(self) -> None:
        self.texts: Recent[Hashable, Roadmap] = Recent(_TEXTS_KEPT)
        self.pieces: Recent[Hashable, Roadmap] = Recent(_PIECES_KEPT)
        self._chains: OrderedDict[Hashable, Chain] = OrderedDict()
        self._lock = threading.Lock()

    def chain(self, key: Hashable, texts: Sequence[str]) -> Chain:
        """Return the longest chain that is a beginning of these texts."""
        with self._lock:
            known = self._chains.get(key, Chain())
        same = 0
        while same < min(len(known.texts), len(texts)) and known.texts[same] == texts[same]:
            same += 1
        ids = known.ids[:same]
        used = known.used if same == len(known.texts) else _ids_of(ids)
        return Chain(known.texts[:same], ids, known.claims[:same], used)

    def keep(self, key: Hashable, chain: Chain) -> None:
        """Keep a chain unless a longer one with the same beginning is kept."""
        with self._lock:
            known = self._chains.get(key)
            if known is None or known.texts[: len(chain.texts)] != chain.texts:
                self._chains[key] = chain
            self._chains.move_to_end(key)
            while len(self._chains) > _CHAINS_KEPT:
                self._chains.popitem(last=False)


def _ids_of(ids: "Iterable[tuple[Match, ...]]") -> frozenset[str]:
    return frozenset(match.id for matches in ids for match in matches)
