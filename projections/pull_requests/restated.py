"""How the state of some requests came to be known: all rows ever known, and their records."""

from collections import defaultdict
from collections.abc import Iterable, Mapping

import msgspec
from sqlalchemy import select

from events.identity import RepositoryKey
from events.instant import Instant
from projections.pull_requests import store
from projections.pull_requests.spans import StateSpan
from projections.pull_requests.tables import PullRequestTables
from projections.store.dialects import chunks
from projections.store.snapshot import Snapshot


class KnownState(msgspec.Struct, frozen=True, kw_only=True):
    """A state with the known interval [kf, kt) of its row."""

    kf: Instant
    kt: Instant
    span: StateSpan


class KnownRecord(msgspec.Struct, frozen=True, kw_only=True):
    """A record that showed something, known since K."""

    k: Instant
    record_id: str
    source: str


class KnownLife(msgspec.Struct, frozen=True, kw_only=True):
    """One request on the known axis. `commits` are (K, valid time) of pushes to it."""

    states: tuple[KnownState, ...] = ()
    commits: tuple[tuple[Instant, Instant], ...] = ()
    records: tuple[KnownRecord, ...] = ()


def known_lives(
    snapshot: Snapshot, repo: RepositoryKey, numbers: Iterable[int]
) -> dict[int, KnownLife]:
    """Return the lives of some requests; one of which nothing is stored is left out."""
    states: dict[int, list[KnownState]] = defaultdict(list)
    commits: dict[int, list[tuple[Instant, Instant]]] = defaultdict(list)
    sights: dict[int, list[KnownRecord]] = defaultdict(list)
    table, obs = (
        snapshot.tables(PullRequestTables).states,
        snapshot.tables(PullRequestTables).observations,
    )
    for chunk in chunks(sorted(set(numbers))):
        known = select(table).where(table.c.repo == repo, table.c.number.in_(chunk))
        for row in snapshot.connection.execute(known).mappings():
            state = KnownState(kf=row["kf"], kt=row["kt"], span=store.read_state(row))
            states[row["number"]].append(state)
        observed = select(
            obs.c.number, obs.c.k, obs.c.record_id, obs.c.source, obs.c.kind, obs.c.at
        ).where(obs.c.repo == repo, obs.c.number.in_(chunk))
        for number, k, record_id, source, kind, at in snapshot.connection.execute(observed):
            sights[number].append(KnownRecord(k=k, record_id=record_id, source=source))
            if kind == "synchronize":
                commits[number].append((k, at))
    return {
        number: KnownLife(
            states=tuple(states[number]),
            commits=tuple(commits[number]),
            records=tuple(sights[number]),
        )
        for number in states.keys() | sights.keys()
    }


def coverage_records(
    snapshot: Snapshot, repo: RepositoryKey, after: Instant, until: Instant
) -> Mapping[Instant, KnownRecord]:
    """Return, by K, the records about completeness that were recorded in (after, until].

    `source` is what they are: `census`, `gap`, `filled`, `conflict`, `created`.
    """
    table = snapshot.tables(PullRequestTables).coverage
    query = select(table.c.k, table.c.record_id, table.c.kind).where(
        table.c.repo == repo, table.c.k > after, table.c.k <= until
    )
    return {
        k: KnownRecord(k=k, record_id=record_id, source=kind)
        for k, record_id, kind in snapshot.connection.execute(query.order_by(table.c.k))
    }
