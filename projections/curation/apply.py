"""Keeping decisions, recorded themes and published editions as they were stated, with their K."""

from collections.abc import Sequence
from typing import ClassVar

from sqlalchemy import Connection

from events.facts.editions import EditionPublished, TellingDecided, ThemesAssigned
from projections.curation.assigning import about
from projections.curation.tables import CurationTables
from projections.store.base import Poisoned, Translated
from projections.store.dedup import take_earlier, unseen
from projections.store.observations import Row, insert_rows, rows_of_kind


class Curation:
    """One generation of what editions are told by beside the facts."""

    name: ClassVar[str] = "curation"
    version: ClassVar[int] = 2

    def __init__(self, generation: int) -> None:
        self.generation = generation
        self.tables = CurationTables(generation)
        self.metadata = self.tables.metadata
        self._stored = (self.tables.decisions, self.tables.themes, self.tables.editions)

    def apply(self, connection: Connection, batch: Sequence[Translated]) -> list[Poisoned]:
        """See `Projection.apply`."""
        tables = self.tables
        batch = unseen(connection, self._stored, batch)
        for table, rows in (
            (tables.decisions, rows_of_kind(batch, TellingDecided, _decision)),
            (tables.themes, rows_of_kind(batch, ThemesAssigned, _themes)),
            (tables.editions, rows_of_kind(batch, EditionPublished, _edition)),
        ):
            insert_rows(connection, table, rows)
        return []

    def refold(self, connection: Connection, entry: Translated) -> None:
        """See `Projection.refold`: rows carry their own K, so a late one is like any other."""
        take_earlier(connection, self._stored, entry)
        self.apply(connection, [entry])


def _decision(fact: TellingDecided) -> Row:
    return {"kind": fact.kind}


def _themes(fact: ThemesAssigned) -> Row:
    return {"inputs": fact.inputs, "about": about(fact)}


def _edition(fact: EditionPublished) -> Row:
    return {"vf": fact.start, "vt": fact.end}
