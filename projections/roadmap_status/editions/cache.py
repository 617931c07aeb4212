"""What was read and matched of roadmaps last, kept for the questions that follow.

It imports nothing that reads: who asks about something else waits for no Markdown.
"""

import threading
from collections.abc import Sequence
from typing import TYPE_CHECKING, Final

import msgspec

from events.identity import RepositoryKey
from projections.store.recent import Recent

if TYPE_CHECKING:
    from projections.roadmap_status.editions.kept import ReadEdition
    from projections.roadmap_status.items.item import Roadmap

_EDITIONS: Final = 64
_PIECES: Final = 512
_USED: Final = 32
_MADE: Final = 256
"""Editions that wait for being kept; of those that were made before, others make them again."""


class MadeEdition(msgspec.Struct, frozen=True, kw_only=True):
    """An edition that was read anew; `chain` names those of its roadmap that were walked."""

    repo: RepositoryKey
    number: int
    name: str
    chain: tuple[str, ...]
    fresh: frozenset[str]
    data: bytes


class EditionCache:
    """What was read and matched last. Safe for several threads."""

    def __init__(self) -> None:
        self.editions: Recent[str, ReadEdition] = Recent(_EDITIONS)
        self.pieces: Recent[tuple[str, str], Roadmap] = Recent(_PIECES)
        self.used: Recent[str, frozenset[str]] = Recent(_USED)
        self._made: dict[str, MadeEdition] = {}
        self._lock = threading.Lock()

    def add_made(self, made: MadeEdition) -> None:
        """Remember an edition for whoever may write."""
        with self._lock:
            self._made[made.name] = made
            while len(self._made) > _MADE:
                del self._made[next(iter(self._made))]

    def made(self, name: str) -> MadeEdition | None:
        """Return an edition that waits for being kept."""
        with self._lock:
            return self._made.get(name)

    @property
    def waiting(self) -> bool:
        """Whether any edition waits for being kept."""
        return bool(self._made)

    def take_made(self) -> Sequence[MadeEdition]:
        """Return what was read since it was not kept: whoever may write keeps it."""
        with self._lock:
            made, self._made = self._made, {}
        return tuple(made.values())
