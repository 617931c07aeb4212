"""Keeping the editions of roadmaps ready: what was read anew is kept, the newest is read ahead.

Who asks then unpacks one edition instead of reading all texts before it; who asks about what is not
kept yet reads it all the same, so nothing has to wait for this.
"""

from collections.abc import Callable, Hashable, Iterator
from contextlib import suppress
from typing import Final

from sqlalchemy import Engine

from events.errors import TransientError
from events.identity import RepositoryKey
from events.instant import Instant
from projections.engine import generations
from projections.engine.read_model import ReadModel
from projections.repositories.queries import RepositoryName
from projections.roadmap_status.context import Convention, RoadmapContext
from projections.roadmap_status.editions.cache import EditionCache
from projections.roadmap_status.editions.walk import Walk
from projections.roadmap_status.keeping import keep_editions
from projections.roadmap_status.tables import RoadmapTables
from projections.store.snapshot import Snapshot
from projections.store.transaction import transaction
from services.stream.reading_ahead import ReadingAhead
from services.stream.stores import Stores

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


class EditionKeeper(ReadingAhead):
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
        super().__init__("edition-keeper", engine=engine, read_model=read_model)
        self._convention, self._editions = convention, editions
        self._reached: dict[RepositoryKey, Hashable] = {}

    def _read(self, name: RepositoryName) -> None:
        # what is written is written with no snapshot open: a rebuild may wait for its end
        while not self._read_some(name):
            keep_read(self._engine, self._editions)

    def _read_some(self, name: RepositoryName) -> bool:
        """Have some editions of a repository read; tell whether nothing waits for being kept."""
        with self._read_model.snapshot() as snapshot:
            known_at = snapshot.watermark(name.repo).last_recorded
            reached = snapshot.reached(name.repo)
            if self._reached.get(name.repo) != reached:
                for walk in self._walks(snapshot, name, known_at):
                    for at in (*range(_AT_ONCE, len(walk), _AT_ONCE), len(walk)):
                        walk.edition(at - 1)
                        if self._editions.waiting:
                            return False
                self._reached[name.repo] = reached
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
