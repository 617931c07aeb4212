"""Folding sightings of names: the one with the greatest valid time is the current one."""

from collections.abc import Iterable, Sequence
from typing import ClassVar

import msgspec
from sqlalchemy import Connection, delete, select, update

from events.facts.base import Fact
from events.facts.repository import CensusObserved, RepositoryJoined, RepositoryObserved
from events.identity import RepositoryKey
from events.instant import INF, Instant
from projections.repositories.tables import RepositoryTables
from projections.store.base import Poisoned, Translated
from projections.store.observations import Row, insert_rows


class Sighting(msgspec.Struct, kw_only=True):
    """A name and default branch, and the span of valid times at which they were shown."""

    full_name: str
    default_branch: str
    first_at: Instant
    last_at: Instant


class Repositories:
    """One generation of the names of all repositories."""

    name: ClassVar[str] = "repositories"
    version: ClassVar[int] = 2

    def __init__(self, generation: int) -> None:
        self.generation = generation
        self.tables = RepositoryTables(generation)
        self.metadata = self.tables.metadata

    def apply(self, connection: Connection, batch: Sequence[Translated]) -> list[Poisoned]:
        """See `Projection.apply`."""
        for repo in {entry.repo for entry in batch}:
            entries = [entry for entry in batch if entry.repo == repo]
            self._apply(connection, repo, entries)
            self._write_heard(connection, repo, entries, INF)
        return []

    def refold(self, connection: Connection, entry: Translated) -> None:
        """See `Projection.refold`: a name seen late is known from now on only if it is newest."""
        self._apply(connection, entry.repo, [entry])
        self._write_heard(connection, entry.repo, [entry], entry.k)

    def _apply(
        self, connection: Connection, repo: RepositoryKey, entries: Iterable[Translated]
    ) -> None:
        names = _Names(repo, self._sightings(connection, repo), self._is_joined(connection, repo))
        for entry in entries:
            names.take(entry)
        self._write(connection, names)

    def _sightings(self, connection: Connection, repo: RepositoryKey) -> list[Sighting]:
        table = self.tables.sightings
        rows = connection.execute(select(table).where(table.c.repo == repo)).mappings()
        return [
            Sighting(**{name: row[name] for name in Sighting.__struct_fields__}) for row in rows
        ]

    def _write_heard(
        self,
        connection: Connection,
        repo: RepositoryKey,
        entries: Iterable[Translated],
        known_at: Instant,
    ) -> None:
        """Add what entries raise above what had been heard by K; later rows that do not exceed it
        any more go, so that the moments rise with K.
        """
        table = self.tables.heard
        mine = table.c.repo == repo
        before = select(table.c.at).where(mine, table.c.k <= known_at)
        until = connection.scalar(before.order_by(table.c.k.desc()).limit(1))
        rows = _raised(repo, entries, until)
        if rows:
            last = rows[-1]
            later = (table.c.k > last["k"]) & (table.c.at <= last["at"])
            connection.execute(delete(table).where(mine, later))
            insert_rows(connection, table, rows)

    def _is_joined(self, connection: Connection, repo: RepositoryKey) -> bool:
        table = self.tables.joined
        query = select(table.c.k).where(table.c.repo == repo).limit(1)
        return connection.scalar(query) is not None

    def _write(self, connection: Connection, names: "_Names") -> None:
        tables, repo = self.tables, names.repo
        if names.touched:
            connection.execute(delete(tables.sightings).where(tables.sightings.c.repo == repo))
            rows = [
                {"repo": repo, **msgspec.structs.asdict(sighting)}
                for sighting in names.sightings.values()
            ]
            insert_rows(connection, tables.sightings, rows)
        if names.ended_at is not None:
            # in the log's order that is the one row that still holds; a record that is understood
            # late ends what held at its time, and takes the place of what began since
            mine, ended_at = tables.names.c.repo == repo, names.ended_at
            connection.execute(delete(tables.names).where(mine, tables.names.c.kf >= ended_at))
            holds = mine & (tables.names.c.kt > ended_at)
            connection.execute(update(tables.names).where(holds).values(kt=ended_at))
        insert_rows(connection, tables.names, names.begun)
        insert_rows(connection, tables.joined, names.joined_rows)


class _Names:
    """The names of one repository while a batch is folded into them."""

    def __init__(self, repo: RepositoryKey, sightings: Iterable[Sighting], joined: bool) -> None:
        self.repo = repo
        self.sightings = {
            (sighting.full_name, sighting.default_branch): sighting for sighting in sightings
        }
        self.touched = False
        self.begun: list[Row] = []
        self.joined_rows: list[Row] = []
        #: When the stored row that still held came to its end.
        self.ended_at: Instant | None = None
        self._joined = joined
        self._current = None if joined else _current(self.sightings.values())

    def take(self, entry: Translated) -> None:
        """Fold one entry."""
        for fact in entry.facts:
            if isinstance(fact, RepositoryObserved):
                self.touched = True
                _see(self.sightings, fact)
            elif isinstance(fact, RepositoryJoined):
                self._joined = True
                self.joined_rows.append({"repo": self.repo, "k": entry.k, "into": fact.into})
        now = None if self._joined else _current(self.sightings.values())
        if now != self._current:
            self._end(entry.k)
            if now is not None:
                self.begun.append(_name_row(self.repo, entry.k, now))
            self._current = now

    def _end(self, k: Instant) -> None:
        if self.begun and self.begun[-1]["kt"] == INF:
            self.begun[-1]["kt"] = k
        elif not self.begun and self._current is not None:
            self.ended_at = k


def _raised(repo: RepositoryKey, entries: Iterable[Translated], until: Instant | None) -> list[Row]:
    """Return a row for each entry that was heard at a later moment than all before it."""
    rows = []
    for entry in entries:
        # a source whose clock is ahead has not heard the future
        moments = [min(at, entry.k) for at in map(_moment, entry.facts) if at is not None]
        latest = max(moments, default=None)
        if latest is not None and (until is None or latest > until):
            until = latest
            rows.append({"repo": repo, "k": entry.k, "at": latest})
    return rows


def _moment(fact: Fact) -> Instant | None:
    """Return the moment at which a source was seen to speak of the repository, if it is one."""
    return fact.at if isinstance(fact, RepositoryObserved | CensusObserved) else None


def _see(sightings: dict[tuple[str, str], Sighting], fact: RepositoryObserved) -> None:
    key = (fact.full_name, fact.default_branch or "")
    known = sightings.get(key)
    if known is None:
        sightings[key] = Sighting(
            full_name=key[0], default_branch=key[1], first_at=fact.at, last_at=fact.at
        )
    else:
        known.first_at = min(known.first_at, fact.at)
        known.last_at = max(known.last_at, fact.at)


def _current(sightings: Iterable[Sighting]) -> tuple[str, str] | None:
    """Return the newest name, and the newest default branch that was shown under any name."""
    ranked = sorted(
        sightings,
        key=lambda sighting: (sighting.last_at, sighting.full_name, sighting.default_branch),
    )
    if not ranked:
        return None
    branches = [sighting.default_branch for sighting in ranked if sighting.default_branch]
    return ranked[-1].full_name, branches[-1] if branches else ""


def _name_row(repo: RepositoryKey, k: Instant, now: tuple[str, str]) -> Row:
    return {
        "repo": repo,
        "kf": k,
        "kt": INF,
        "full_name": now[0],
        "lower_name": now[0].lower(),
        "default_branch": now[1],
    }
