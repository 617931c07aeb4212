"""Keeping decisions, recorded themes and published editions as they were stated, with their K."""

from collections.abc import Callable, Iterable, Sequence
from typing import Any, ClassVar, TypeVar

import msgspec
from sqlalchemy import Connection, insert

from events.facts.base import Fact
from events.facts.editions import EditionPublished, TellingDecided, ThemesAssigned
from projections.curation.tables import CurationTables
from projections.store.base import Poisoned, Translated
from projections.store.dedup import unseen

_Rows = list[dict[str, Any]]
F = TypeVar("F", bound=Fact)


class Curation:
    """One generation of what editions are told by beside the facts."""

    name: ClassVar[str] = "curation"
    version: ClassVar[int] = 1

    def __init__(self, generation: int) -> None:
        self.generation = generation
        self.tables = CurationTables(generation)
        self.metadata = self.tables.metadata

    def apply(self, connection: Connection, batch: Sequence[Translated]) -> list[Poisoned]:
        """See `Projection.apply`."""
        tables = self.tables
        batch = unseen(connection, (tables.decisions, tables.themes, tables.editions), batch)
        for table, rows in (
            (tables.decisions, _rows(batch, TellingDecided, lambda one: {"kind": one.kind})),
            (tables.themes, _rows(batch, ThemesAssigned, lambda one: {"inputs": one.inputs})),
            (
                tables.editions,
                _rows(batch, EditionPublished, lambda one: {"vf": one.start, "vt": one.end}),
            ),
        ):
            if rows:
                connection.execute(insert(table), rows)
        return []

    def refold(self, connection: Connection, entry: Translated) -> None:
        """See `Projection.refold`: rows carry their own K, so a late one is like any other."""
        self.apply(connection, [entry])


def _rows(batch: Iterable[Translated], kind: type[F], own: Callable[[F], dict[str, Any]]) -> _Rows:
    return [
        {
            "repo": entry.repo,
            "record_id": entry.record_id,
            "idx": idx,
            "k": entry.k,
            **own(fact),
            "fields": msgspec.json.encode(fact).decode(),
        }
        for entry in batch
        for idx, fact in enumerate(entry.facts)
        if isinstance(fact, kind)
    ]
