"""All commits of a repository that are known at one K."""

from collections.abc import Iterator
from typing import Final

import msgspec
from sqlalchemy import func, select

from events.facts.git import Commit
from events.identity import RepositoryKey
from events.instant import Instant
from projections.release_inclusion.tables import ReleaseTables
from projections.store.snapshot import Snapshot

_ROWS: Final = 1000
"""Rows that are read at once."""


def shas_at(snapshot: Snapshot, repo: RepositoryKey, known_at: Instant) -> set[str]:
    """Return the SHAs of the commits known at K."""
    table = snapshot.tables(ReleaseTables).commits
    query = select(table.c.sha).where(table.c.repo == repo, table.c.k <= known_at)
    return set(snapshot.connection.scalars(query))


def commits_at(snapshot: Snapshot, repo: RepositoryKey, known_at: Instant) -> Iterator[Commit]:
    """Yield the commits known at K, without their paths, in the order in which they were seen
    first; of each the last sight. One at a time, as the messages of a history are long.
    """
    table = snapshot.tables(ReleaseTables).commits
    known = (table.c.repo == repo, table.c.k <= known_at)
    again = select(table.c.sha).where(*known).group_by(table.c.sha).having(func.count() > 1)
    last = {
        row.sha: row.fields
        for row in snapshot.connection.execute(
            select(table.c.sha, table.c.fields)
            .where(*known, table.c.sha.in_(again))
            .order_by(table.c.k)
        )
    }
    query = select(table.c.sha, table.c.fields).where(*known).order_by(table.c.k, table.c.sha)
    decoder = msgspec.json.Decoder(Commit)
    seen: set[str] = set()
    for row in snapshot.connection.execute(query).yield_per(_ROWS):
        if row.sha in last:
            if row.sha not in seen:
                seen.add(row.sha)
                yield decoder.decode(last[row.sha])
        else:
            yield decoder.decode(row.fields)
