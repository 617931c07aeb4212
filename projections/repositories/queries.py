"""Which repository does a name mean, and until when was something heard of it?"""

import msgspec
from sqlalchemy import select

from events.errors import NotFound
from events.identity import RepositoryKey
from events.instant import INF, Instant
from projections.repositories.tables import RepositoryTables
from projections.store.snapshot import Snapshot


class RepositoryName(msgspec.Struct, frozen=True, kw_only=True):
    """A repository as it is known: `default_branch` is empty where no source showed it."""

    repo: RepositoryKey
    full_name: str
    default_branch: str


def find(snapshot: Snapshot, full_name: str) -> RepositoryName:
    """Return the repository that bears a name now, else the one that bore it last.

    A repository that was joined into another one bears no name any more.

    `full_name` may be a repository key too. Raise NotFound where nothing of the name was recorded.
    """
    names, sightings = (
        snapshot.tables(RepositoryTables).names,
        snapshot.tables(RepositoryTables).sightings,
    )
    query = select(names.c.repo, names.c.full_name, names.c.default_branch, names.c.kt)
    wanted = (names.c.lower_name == full_name.lower()) | (names.c.repo == full_name.lower())
    rows = snapshot.connection.execute(query.where(wanted)).all()
    if not rows:
        raise NotFound(
            f"nothing was recorded of {full_name}; `shipledger repositories` lists what is there"
        )
    candidates = {row.repo for row in rows}
    if len(candidates) == 1:
        return current(snapshot, candidates.pop())
    latest = (
        select(sightings.c.repo, sightings.c.last_at)
        .where(sightings.c.repo.in_(candidates))
        .order_by(sightings.c.last_at)
    )
    last_at = {row.repo: row.last_at for row in snapshot.connection.execute(latest)}
    best = max(rows, key=lambda row: (row.kt == INF, last_at[row.repo], row.repo))
    return current(snapshot, best.repo)


def current(snapshot: Snapshot, repo: RepositoryKey) -> RepositoryName:
    """Return the current name of a repository."""
    return named_at(snapshot, repo, INF - 1)


def named_at(snapshot: Snapshot, repo: RepositoryKey, known_at: Instant) -> RepositoryName:
    """Return the name and default branch as known at K, or the first ones known afterwards."""
    names = snapshot.tables(RepositoryTables).names
    rows = snapshot.connection.execute(
        select(names).where(names.c.repo == repo).order_by(names.c.kf)
    ).all()
    if not rows:
        raise NotFound(f"nothing was recorded of {repo}")
    known = [row for row in rows if row.kf <= known_at] or rows[:1]
    row = known[-1]
    return RepositoryName(repo=repo, full_name=row.full_name, default_branch=row.default_branch)


def heard_until(snapshot: Snapshot, repo: RepositoryKey, known_at: Instant) -> Instant | None:
    """Return the latest moment of any delivery, listing or fetch that was recorded by K."""
    heard = snapshot.tables(RepositoryTables).heard
    query = (
        select(heard.c.at)
        .where(heard.c.repo == repo, heard.c.k <= known_at)
        .order_by(heard.c.k.desc())
        .limit(1)
    )
    return snapshot.connection.scalar(query)


def former_names(snapshot: Snapshot, repo: RepositoryKey, known_at: Instant) -> frozenset[str]:
    """Return every `owner/name` the repository was known under by K, in lower case."""
    names = snapshot.tables(RepositoryTables).names
    query = select(names.c.lower_name).where(names.c.repo == repo, names.c.kf <= known_at)
    return frozenset(snapshot.connection.scalars(query))


def listing(snapshot: Snapshot) -> list[RepositoryName]:
    """Return every repository under its current name."""
    names = snapshot.tables(RepositoryTables).names
    query = select(names).where(names.c.kt == INF).order_by(names.c.lower_name, names.c.repo)
    return [
        RepositoryName(repo=row.repo, full_name=row.full_name, default_branch=row.default_branch)
        for row in snapshot.connection.execute(query)
    ]
