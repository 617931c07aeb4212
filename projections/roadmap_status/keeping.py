"""Editions as they were read, kept in the read model until their roadmap is read otherwise."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Final

from sqlalchemy import Connection, delete, func, select

from events.identity import RepositoryKey
from projections.roadmap_status import queries
from projections.roadmap_status.editions.cache import MadeEdition
from projections.roadmap_status.editions.kept import pack_ids, unpack_ids
from projections.roadmap_status.tables import RoadmapTables
from projections.store.dialects import chunks, insert_absent
from projections.store.snapshot import Snapshot

_OTHERS: Final = 64
"""Editions of another walk (of an earlier K, of other links) that stay beside one that is kept."""


class KeptEditions:
    """The editions of a repository's roadmaps, as an `EditionStore`."""

    def __init__(self, snapshot: Snapshot, repo: RepositoryKey) -> None:
        self._snapshot, self._repo = snapshot, repo
        self._table = snapshot.tables(RoadmapTables).kept

    def texts(self, digests: Iterable[str]) -> Mapping[str, str]:
        """See `EditionStore.texts`."""
        return queries.texts_of(self._snapshot, self._repo, digests)

    def edition(self, name: str) -> bytes | None:
        """See `EditionStore.edition`."""
        table = self._table
        query = select(table.c.data).where(table.c.repo == self._repo, table.c.version == name)
        return self._snapshot.connection.scalar(query)

    def fresh(self, names: Sequence[str]) -> Mapping[str, frozenset[str]]:
        """See `EditionStore.fresh`."""
        table = self._table
        ids: dict[str, frozenset[str]] = {}
        for chunk in chunks(names):
            query = select(table.c.version, table.c.fresh).where(
                table.c.repo == self._repo, table.c.version.in_(chunk)
            )
            for name, data in self._snapshot.connection.execute(query):
                ids[name] = unpack_ids(data)
        return ids


def keep_editions(
    connection: Connection, tables: RoadmapTables, made: Iterable[MadeEdition]
) -> None:
    """Keep editions; where those of other walks of a roadmap pile up, let go of them."""
    table, walked = tables.kept, dict[tuple[RepositoryKey, int], tuple[str, ...]]()
    rows = []
    for edition in made:
        walked[edition.repo, edition.number] = edition.chain
        row = {"repo": edition.repo, "number": edition.number, "version": edition.name}
        rows.append({**row, "data": edition.data, "fresh": pack_ids(edition.fresh)})
    if rows:
        connection.execute(insert_absent(connection, table), rows)
    for (repo, number), chain in walked.items():
        mine = (table.c.repo == repo) & (table.c.number == number)
        kept = connection.scalar(select(func.count()).select_from(table).where(mine)) or 0
        if kept > 2 * len(chain) + _OTHERS:
            versions = connection.scalars(select(table.c.version).where(mine))
            for surplus in chunks(sorted(set(versions) - set(chain))):
                connection.execute(delete(table).where(mine, table.c.version.in_(surplus)))
