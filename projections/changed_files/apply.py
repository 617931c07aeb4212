"""Folding file lists, judgements and patch ids into rows: each is kept as stated, with its K."""

from collections.abc import Iterable, Sequence
from typing import Any, ClassVar

import msgspec
from sqlalchemy import Connection, insert

from events.facts.files import FilesObserved, FormatsJudged, PatchesIdentified
from projections.changed_files.tables import ChangedFilesTables
from projections.store.base import Poisoned, Translated
from projections.store.dedup import unseen

_Rows = list[dict[str, Any]]


class ChangedFiles:
    """One generation of what is recorded of changed files."""

    name: ClassVar[str] = "changed_files"
    version: ClassVar[int] = 2

    def __init__(self, generation: int) -> None:
        self.generation = generation
        self.tables = ChangedFilesTables(generation)
        self.metadata = self.tables.metadata

    def apply(self, connection: Connection, batch: Sequence[Translated]) -> list[Poisoned]:
        """See `Projection.apply`."""
        tables = self.tables
        batch = unseen(connection, (tables.lists, tables.formats, tables.patches), batch)
        for table, rows in (
            (tables.lists, _lists(batch)),
            (tables.formats, _formats(batch)),
            (tables.patches, _patches(batch)),
        ):
            if rows:
                connection.execute(insert(table), rows)
        return []

    def refold(self, connection: Connection, entry: Translated) -> None:
        """See `Projection.refold`: rows carry their own K, so a late one is like any other."""
        self.apply(connection, [entry])


def _lists(batch: Iterable[Translated]) -> _Rows:
    return [
        {
            "repo": entry.repo,
            "record_id": entry.record_id,
            "idx": idx,
            "number": fact.number,
            "k": entry.k,
            "at": fact.at,
            "fields": msgspec.json.encode(fact).decode(),
        }
        for entry in batch
        for idx, fact in enumerate(entry.facts)
        if isinstance(fact, FilesObserved)
    ]


def _formats(batch: Iterable[Translated]) -> _Rows:
    return [
        {
            "repo": entry.repo,
            "record_id": entry.record_id,
            "idx": idx,
            "sha": each.sha,
            "k": entry.k,
            "rules": fact.rules,
            "format_only": each.format_only,
            "because": each.because,
        }
        for entry in batch
        for fact in entry.facts
        if isinstance(fact, FormatsJudged)
        for idx, each in enumerate(fact.judgements)
    ]


def _patches(batch: Iterable[Translated]) -> _Rows:
    return [
        {
            "repo": entry.repo,
            "record_id": entry.record_id,
            "idx": idx,
            "sha": each.sha,
            "since": each.since,
            "k": entry.k,
            "method": fact.method,
            "patch": each.patch,
        }
        for entry in batch
        for fact in entry.facts
        if isinstance(fact, PatchesIdentified)
        for idx, each in enumerate(fact.patches)
    ]
