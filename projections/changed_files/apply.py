"""Folding file lists, judgements and patch ids into rows: each is kept as stated, with its K."""

from collections.abc import Iterable, Iterator, Sequence
from typing import ClassVar

import msgspec
from sqlalchemy import Connection

from events.facts.files import FilesObserved, FormatsJudged, PatchesIdentified
from projections.changed_files.tables import ChangedFilesTables
from projections.store.base import Poisoned, Translated
from projections.store.dedup import take_earlier, unseen
from projections.store.observations import Row, insert_rows, rows_of_kind


class ChangedFiles:
    """One generation of what is recorded of changed files."""

    name: ClassVar[str] = "changed_files"
    version: ClassVar[int] = 2

    def __init__(self, generation: int) -> None:
        self.generation = generation
        self.tables = ChangedFilesTables(generation)
        self.metadata = self.tables.metadata
        self._stored = (self.tables.lists, self.tables.formats, self.tables.patches)

    def apply(self, connection: Connection, batch: Sequence[Translated]) -> list[Poisoned]:
        """See `Projection.apply`."""
        tables = self.tables
        batch = unseen(connection, self._stored, batch)
        insert_rows(connection, tables.lists, rows_of_kind(batch, FilesObserved, _list))
        insert_rows(connection, tables.formats, list(_formats(batch)))
        insert_rows(connection, tables.patches, list(_patches(batch)))
        return []

    def refold(self, connection: Connection, entry: Translated) -> None:
        """See `Projection.refold`: rows carry their own K, so a late one is like any other."""
        take_earlier(connection, self._stored, entry)
        self.apply(connection, [entry])


def _list(fact: FilesObserved) -> Row:
    return {"number": fact.number, "at": fact.at}


def _formats(batch: Iterable[Translated]) -> Iterator[Row]:
    for entry in batch:
        for fact in entry.facts:
            if isinstance(fact, FormatsJudged):
                for row in _each(entry, fact.judgements):
                    yield {**row, "rules": fact.rules}


def _patches(batch: Iterable[Translated]) -> Iterator[Row]:
    for entry in batch:
        for fact in entry.facts:
            if isinstance(fact, PatchesIdentified):
                for row in _each(entry, fact.patches):
                    yield {**row, "method": fact.method}


def _each(entry: Translated, values: Iterable[msgspec.Struct]) -> Iterator[Row]:
    """Yield a row for each of the values that one fact lists, by its place in the list."""
    for idx, value in enumerate(values):
        record = {"repo": entry.repo, "record_id": entry.record_id, "idx": idx, "k": entry.k}
        yield record | msgspec.structs.asdict(value)
