"""Folding sightings of names: the one with the greatest valid time is the current one."""

from collections.abc import Iterable, Sequence
from typing import Any, ClassVar

import msgspec
from sqlalchemy import Connection, bindparam, delete, insert, select, update

from events.facts.repository import RepositoryObserved
from events.identity import RepositoryKey
from events.instant import INF, Instant
from projections.base import Poisoned, Translated
from projections.repositories.tables import RepositoryTables


class Sighting(msgspec.Struct, kw_only=True):
    """A name and default branch, and the span of valid times at which they were shown."""

    full_name: str
    default_branch: str
    first_at: Instant
    last_at: Instant


class Repositories:
    """One generation of the names of all repositories."""

    name: ClassVar[str] = "repositories"
    version: ClassVar[int] = 1

    def __init__(self, generation: int) -> None:
        self.generation = generation
        self.tables = RepositoryTables(generation)
        self.metadata = self.tables.metadata

    def apply(self, connection: Connection, batch: Sequence[Translated]) -> list[Poisoned]:
        """See `Projection.apply`."""
        for repo in {entry.repo for entry in batch}:
            self._apply(connection, repo, [entry for entry in batch if entry.repo == repo])
        return []

    def refold(self, connection: Connection, entry: Translated) -> None:
        """See `Projection.refold`: a name seen late is known from now on only if it is newest."""
        self.apply(connection, [entry])

    def _apply(
        self, connection: Connection, repo: RepositoryKey, entries: Iterable[Translated]
    ) -> None:
        sightings, names = self.tables.sightings, self.tables.names
        rows = connection.execute(select(sightings).where(sightings.c.repo == repo)).mappings()
        seen = {
            (row["full_name"], row["default_branch"]): Sighting(
                full_name=row["full_name"],
                default_branch=row["default_branch"],
                first_at=row["first_at"],
                last_at=row["last_at"],
            )
            for row in rows
        }
        before = _current(seen.values())
        begun: list[dict[str, Any]] = []
        touched = False
        for entry in entries:
            facts = [fact for fact in entry.facts if isinstance(fact, RepositoryObserved)]
            touched |= bool(facts)
            for fact in facts:
                _see(seen, fact)
            now = _current(seen.values())
            if now != before and now is not None:
                if begun:
                    begun[-1]["kt"] = entry.k
                begun.append(_name_row(repo, entry.k, now))
                before = now
        if not touched:
            return
        connection.execute(delete(sightings).where(sightings.c.repo == repo))
        connection.execute(
            insert(sightings),
            [{"repo": repo, **msgspec.structs.asdict(one)} for one in seen.values()],
        )
        if begun:
            connection.execute(
                update(names)
                .where(names.c.repo == repo, names.c.kt == INF)
                .values(kt=bindparam("known_until")),
                {"known_until": begun[0]["kf"]},
            )
            connection.execute(insert(names), begun)


def _see(seen: dict[tuple[str, str], Sighting], fact: RepositoryObserved) -> None:
    key = (fact.full_name, fact.default_branch or "")
    known = seen.get(key)
    if known is None:
        seen[key] = Sighting(
            full_name=key[0], default_branch=key[1], first_at=fact.at, last_at=fact.at
        )
    else:
        known.first_at = min(known.first_at, fact.at)
        known.last_at = max(known.last_at, fact.at)


def _current(seen: Iterable[Sighting]) -> tuple[str, str] | None:
    """Return the newest name, and the newest default branch that was shown under any name."""
    ranked = sorted(seen, key=lambda one: (one.last_at, one.full_name, one.default_branch))
    if not ranked:
        return None
    branches = [one.default_branch for one in ranked if one.default_branch]
    return ranked[-1].full_name, branches[-1] if branches else ""


def _name_row(repo: RepositoryKey, k: Instant, now: tuple[str, str]) -> dict[str, Any]:
    return {
        "repo": repo,
        "kf": k,
        "kt": INF,
        "full_name": now[0],
        "lower_name": now[0].lower(),
        "default_branch": now[1],
    }
