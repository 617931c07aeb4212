"""Dropping what is stored already: the same record id at two positions of a log counts once.

The first position counts. Where that one was set aside and a later one was understood, a second try
of the first one takes the place of the later one.
"""

from collections import defaultdict
from collections.abc import Sequence

from sqlalchemy import Connection, Row, Table, delete, select

from events.identity import RepositoryKey
from projections.store.base import Translated
from projections.store.dialects import among, chunks


def unseen(
    connection: Connection, tables: Sequence[Table], batch: Sequence[Translated]
) -> list[Translated]:
    """Return the entries of which none of the tables (by repo and record_id) holds a row."""
    wanted: dict[RepositoryKey, set[str]] = defaultdict(set)
    for entry in batch:
        wanted[entry.repo].add(entry.record_id)
    known: set[tuple[RepositoryKey, str]] = set()
    for repo, record_ids in wanted.items():
        for ids in chunks(sorted(record_ids)):
            for table in tables:
                stored = select(table.c.record_id).where(
                    table.c.repo == repo, among(connection, table.c.record_id, ids)
                )
                known |= {(repo, record_id) for record_id in connection.scalars(stored)}
    fresh = []
    for entry in batch:
        if (entry.repo, entry.record_id) not in known:
            known.add((entry.repo, entry.record_id))
            fresh.append(entry)
    return fresh


def take_earlier(
    connection: Connection, tables: Sequence[Table], entry: Translated
) -> list[Row[tuple[object, ...]]]:
    """Delete, and return, what a later copy of an entry has left in tables (by repo and record_id).

    What the entry states is known since the entry, and not since the copy.
    """
    taken: list[Row[tuple[object, ...]]] = []
    for table in tables:
        later = (
            (table.c.repo == entry.repo)
            & (table.c.record_id == entry.record_id)
            & (table.c.k > entry.k)
        )
        rows = connection.execute(select(table).where(later)).all()
        if rows:
            connection.execute(delete(table).where(later))
            taken += rows
    return taken
