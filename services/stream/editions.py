"""Keeping the editions of roadmaps ready: what was read anew is kept, the newest is read ahead.

Who asks then unpacks one edition instead of reading all texts before it; who asks about what is not
kept yet reads it all the same, so nothing has to wait for this.
"""

import time
from collections.abc import Callable, Hashable, Iterator
from contextlib import suppress
from typing import Final

from sqlalchemy import Engine

from events.errors import InvalidQuestion, TransientError
from events.identity import RepositoryKey
from events.instant import Instant
from projections.engine import generations
from projections.engine.read_model import ReadModel
from projections.repositories.queries import RepositoryName, listing
from projections.roadmap_status.context import Convention, RoadmapContext
from projections.roadmap_status.editions.walk import EditionCache, Walk
from projections.roadmap_status.keeping import keep_editions
from projections.roadmap_status.tables import RoadmapTables
from projections.store.dialects import exclusively
from projections.store.snapshot import Snapshot
from projections.store.transaction import passing_faults, transaction
from services.runtime.loop import BackgroundLoop, Backoff
from services.stream.stores import Stores

#: Seconds between two looks.
_PAUSE: Final = 2.0
#: Of the time, the part that may go into reading ahead: one in so many.
_SHARE: Final = 5
#: Seconds to wait at the end for a round that is under way.
_LAST_ROUND: Final = 5.0
#: Editions that are read before they are written: each some ten kilobytes.
_AT_ONCE: Final = 100


def keep_made(stores: Stores) -> None:
    """Keep what a command had to read; where the read model is busy, the next one reads it."""
    with suppress(TransientError):
        keep_read(stores.engine, stores.editions)


def keep_read(engine: Engine, editions: EditionCache) -> None:
    """Keep what was read anew since this was asked last."""
    made = editions.take_made()
    if made:
        with transaction(engine) as connection:
            keep_editions(connection, generations.tables_of(connection, RoadmapTables), made)


class EditionKeeper(BackgroundLoop):
    """Reads the newest editions of each repository's roadmaps ahead of the questions about them."""

    def __init__(
        self,
        *,
        engine: Engine,
        read_model: ReadModel,
        convention: Callable[[str], Convention],
        editions: EditionCache,
    ) -> None:
        """`convention` returns what is configured of the roadmaps of a repository by its name."""
        super().__init__("edition-keeper", backoff=Backoff(1.0, 60.0), last_round=_LAST_ROUND)
        self._engine, self._read_model, self._convention = engine, read_model, convention
        self._editions = editions
        self._read: dict[RepositoryKey, Hashable] = {}

    def _round(self) -> float:
        begun = time.monotonic()
        # of several workers one reads ahead at a time, and the next finds it kept
        with (
            suppress(InvalidQuestion),
            passing_faults(),
            exclusively(self._engine, "keep editions"),
        ):
            self._read_ahead()
        return max(_PAUSE, _SHARE * (time.monotonic() - begun))

    def _read_ahead(self) -> None:
        with self._read_model.snapshot() as snapshot:
            names = listing(snapshot)
        for name in names:
            # what is written is written with no snapshot open: a rebuild may wait for its end
            while not self._read_some(name):
                keep_read(self._engine, self._editions)

    def _read_some(self, name: RepositoryName) -> bool:
        """Have some editions of a repository read; tell whether nothing waits for being kept."""
        with self._read_model.snapshot() as snapshot:
            known_at = snapshot.watermark(name.repo).last_recorded
            reached = snapshot.reached(name.repo)
            if self._read.get(name.repo) != reached:
                for walk in self._walks(snapshot, name, known_at):
                    for at in (*range(_AT_ONCE, len(walk), _AT_ONCE), len(walk)):
                        walk.edition(at - 1)
                        if self._editions.waiting:
                            return False
                self._read[name.repo] = reached
        return True

    def _walks(self, snapshot: Snapshot, name: RepositoryName, known_at: Instant) -> Iterator[Walk]:
        context = RoadmapContext(
            *(snapshot, name.repo, known_at, known_at),
            view=None,
            default_branch=name.default_branch,
            convention=self._convention(name.full_name),
            cache=self._editions,
        )
        walks = (context.walk(roadmap.number) for roadmap in context.roadmaps)
        return (walk for walk in walks if len(walk))
