"""Dropping what is stored already: the same record id at two positions of a log counts once."""

from collections import defaultdict
from collections.abc import Sequence

from sqlalchemy import Connection, Table, select

from events.identity import RepositoryKey
from projections.store.base import Translated
from projections.store.dialects import chunks


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
                    table.c.repo == repo, table.c.record_id.in_(ids)
                )
                known |= {(repo, record_id) for record_id in connection.scalars(stored)}
    fresh = []
    for entry in batch:
        if (entry.repo, entry.record_id) not in known:
            known.add((entry.repo, entry.record_id))
            fresh.append(entry)
    return fresh
