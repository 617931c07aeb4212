"""Keeping git histories ready: whatever was read anew is kept, and the newest is read ahead.

Who asks then unpacks a history instead of reading it; who asks about what is not kept yet reads it
all the same, so nothing has to wait for this.
"""

import time
from collections.abc import Callable, Mapping
from contextlib import suppress
from typing import Final

from sqlalchemy import Engine

from events.errors import TransientError
from events.identity import RepositoryKey
from projections.engine import generations
from projections.engine.read_model import ReadModel
from projections.release_inclusion.history.attribution import Attribution
from projections.release_inclusion.inputs import Inputs, inputs_at
from projections.release_inclusion.keeping import is_kept, keep_history
from projections.release_inclusion.tables import ReleaseTables
from projections.release_inclusion.view import HistoryCache
from projections.repositories.branch_roles import BranchRoles
from projections.repositories.queries import RepositoryName
from projections.store.transaction import transaction
from services.stream.reading_ahead import ReadingAhead
from services.stream.stores import Stores

#: Seconds after which a history is kept that was carried on and not made anew.
_LONGEST: Final = 60.0


def keep_made(stores: Stores) -> None:
    """Keep what a command had to read; where the read model is busy, the next one reads it."""
    with suppress(TransientError):
        _keep(stores.engine, stores.histories.take_made())


def _keep(engine: Engine, made: Mapping[Inputs, Attribution]) -> None:
    if not made:
        return
    with transaction(engine) as connection:
        tables = generations.tables_of(connection, ReleaseTables)
        for inputs, attribution in made.items():
            keep_history(connection, tables, inputs, attribution)


class HistoryKeeper(ReadingAhead):
    """Reads the newest history of each repository ahead of the questions about it."""

    def __init__(
        self,
        *,
        engine: Engine,
        read_model: ReadModel,
        roles: Callable[[str], BranchRoles],
        histories: HistoryCache,
    ) -> None:
        """`roles` returns the configured branch roles of a repository by its full name."""
        super().__init__("history-keeper", engine=engine, read_model=read_model)
        self._roles, self._histories = roles, histories
        self._kept_at: dict[RepositoryKey, float] = {}

    def _read(self, name: RepositoryName) -> None:
        with self._read_model.snapshot() as snapshot:
            known_at = snapshot.watermark(name.repo).last_recorded
            roles = self._roles(name.full_name).with_default(name.default_branch)
            inputs = inputs_at(snapshot, name.repo, known_at, roles)
            if not inputs.has_commits or is_kept(snapshot, inputs):
                return
            attribution = self._histories.attribution(snapshot, inputs, known_at)
        # what was only carried on costs little to carry on again, up to a point
        made = self._histories.take_made()
        due = time.monotonic() - self._kept_at.get(name.repo, -_LONGEST) >= _LONGEST
        if made or due:
            _keep(self._engine, made or {inputs: attribution})
            self._kept_at[name.repo] = time.monotonic()
