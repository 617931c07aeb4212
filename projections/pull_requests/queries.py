"""Questions about pull requests at one (T, K). Intervals are half-open; times are instants.

A *bound* x means: after all events before x. A *point* T means: after all events up to and with T.
"""

from collections import defaultdict
from collections.abc import Iterable, Sequence

import msgspec
from sqlalchemy import ColumnElement, RowMapping, Table, and_, select, union_all

from events.identity import RepositoryKey
from events.instant import INF, Instant
from projections.pull_requests import store
from projections.pull_requests.bases import BaseSpan
from projections.pull_requests.observation import (
    Sighting,
)
from projections.pull_requests.spans import StateSpan
from projections.pull_requests.store import month_of
from projections.pull_requests.tables import PullRequestTables
from projections.store.dialects import chunks
from projections.store.schema import constant, endless
from projections.store.snapshot import Snapshot

CLOSED_STATES = ("closed", "closed_unknown")


class KnownSpan(msgspec.Struct, frozen=True, kw_only=True):
    """A span with the known interval of its row."""

    kf: Instant
    kt: Instant
    span: StateSpan | BaseSpan


def _at(table: Table, repo: RepositoryKey, known_at: Instant) -> ColumnElement[bool]:
    return and_(table.c.repo == repo, table.c.kf <= known_at, table.c.kt > known_at)


def spans_in(
    snapshot: Snapshot, repo: RepositoryKey, a: Instant, b: Instant, known_at: Instant
) -> list[tuple[int, StateSpan]]:
    """Return (number, span) of all that began in [a, b), and of closed ones that ended in it."""
    states = snapshot.tables(PullRequestTables).states
    known = _at(states, repo, known_at)
    began = select(states).where(known, states.c.vf >= a, states.c.vf < b)
    ended = select(states).where(
        known,
        states.c.state.in_([constant(state) for state in CLOSED_STATES]),
        states.c.vt >= a,
        states.c.vt < b,
        states.c.vf < a,
    )
    both = union_all(began, ended).subquery()
    rows = snapshot.connection.execute(select(both).order_by(both.c.number, both.c.vf)).mappings()
    spans = [(row["number"], store.read_state(row)) for row in rows]
    # spans of one instant come in the order in which they follow each other
    return sorted(spans, key=lambda numbered: (numbered[0], numbered[1].vf, numbered[1].vt))


def undated(
    snapshot: Snapshot, repo: RepositoryKey, known_at: Instant
) -> list[tuple[int, StateSpan]]:
    """Return the merges and closes that nothing dates."""
    states = snapshot.tables(PullRequestTables).states
    query = select(states).where(_at(states, repo, known_at), states.c.vf == INF)
    # sorted here: with an order by number, SQLite would walk the key of all that ever was
    rows = snapshot.connection.execute(query).mappings().all()
    spans = [(row["number"], store.read_state(row)) for row in rows]
    return sorted(spans, key=lambda numbered: numbered[0])


def open_before(
    snapshot: Snapshot, repo: RepositoryKey, bounds: Sequence[Instant], known_at: Instant
) -> list[list[tuple[int, StateSpan]]]:
    """Return, for each bound, (number, span) of the requests open just before it, ascending.

    No bound must lie after `known_at`, unless nothing was recorded after it: month rows reach no
    further than the row was known (`projections.period_ledger` cuts its periods so).
    """
    numbers = {n for bound in bounds for n in _ended_after(snapshot, repo, bound, known_at)}
    numbers |= _lasting(snapshot, repo, max(bounds))
    states = snapshot.tables(PullRequestTables).states
    rows: list[RowMapping] = []
    # two short steps: no planner knows how few rows of an ever growing history are open at once
    for chunk in chunks(sorted(numbers)):
        query = select(states).where(
            _at(states, repo, known_at), states.c.number.in_(chunk), states.c.state == "open"
        )
        rows += snapshot.connection.execute(query.order_by(states.c.number)).mappings()
    # with a bound on vf, SQLite would walk the index of all that ever began
    return [
        [(row["number"], store.read_state(row)) for row in rows if row["vf"] < bound <= row["vt"]]
        for bound in bounds
    ]


def _ended_after(
    snapshot: Snapshot, repo: RepositoryKey, bound: Instant, known_at: Instant
) -> set[int]:
    """Return the numbers open just before a bound by rows that have ended or been replaced."""
    months = snapshot.tables(PullRequestTables).months
    query = select(months.c.number).where(
        months.c.repo == repo,
        months.c.month == month_of(bound - 1),
        months.c.vf < bound,
        months.c.vt >= bound,
        months.c.kf <= known_at,
        months.c.kt > known_at,
    )
    return set(snapshot.connection.scalars(query))


def _lasting(snapshot: Snapshot, repo: RepositoryKey, bound: Instant) -> set[int]:
    """Return the numbers that are open now, and were opened before a bound."""
    states = snapshot.tables(PullRequestTables).states
    query = select(states.c.number, states.c.vf).where(
        states.c.repo == repo,
        states.c.state == constant("open"),
        states.c.vt == endless(),
        states.c.kt == endless(),
    )
    # compared here: with a bound on vf, SQLite would walk the index of all that ever began
    return {number for number, vf in snapshot.connection.execute(query) if vf < bound}


def bases_of(
    snapshot: Snapshot, repo: RepositoryKey, numbers: Iterable[int], known_at: Instant
) -> dict[int, list[BaseSpan]]:
    """Return the bases of some numbers as known at K, oldest first."""
    table = snapshot.tables(PullRequestTables).bases
    bases: dict[int, list[BaseSpan]] = defaultdict(list)
    for chunk in chunks(sorted(set(numbers))):
        query = select(table).where(_at(table, repo, known_at), table.c.number.in_(chunk))
        for row in snapshot.connection.execute(query.order_by(table.c.vf)).mappings():
            bases[row["number"]].append(store.read_base(row))
    return bases


def states_of(
    snapshot: Snapshot, repo: RepositoryKey, number: int, known_at: Instant
) -> list[StateSpan]:
    """Return the states of one number as known at K, in the order in which they follow."""
    table = snapshot.tables(PullRequestTables).states
    query = select(table).where(_at(table, repo, known_at), table.c.number == number)
    rows = snapshot.connection.execute(query).mappings()
    return sorted((store.read_state(row) for row in rows), key=lambda span: (span.vf, span.vt))


def known_history(snapshot: Snapshot, repo: RepositoryKey, number: int) -> list[KnownSpan]:
    """Return every row of one number that was ever known, by the time it became known."""
    rows_known: list[KnownSpan] = []
    for table in (
        snapshot.tables(PullRequestTables).states,
        snapshot.tables(PullRequestTables).bases,
    ):
        query = select(table).where(table.c.repo == repo, table.c.number == number)
        for row in snapshot.connection.execute(query).mappings():
            is_state = table is snapshot.tables(PullRequestTables).states
            span = store.read_state(row) if is_state else store.read_base(row)
            rows_known.append(KnownSpan(kf=row["kf"], kt=row["kt"], span=span))
    return sorted(rows_known, key=lambda row: (row.kf, row.kt, row.span.vf, row.span.vt))


def sightings_of(
    snapshot: Snapshot, repo: RepositoryKey, numbers: Iterable[int], known_at: Instant
) -> dict[int, list[Sighting]]:
    """Return what was observed of some numbers and known at K."""
    obs = snapshot.tables(PullRequestTables).observations
    sightings: dict[int, list[Sighting]] = defaultdict(list)
    for chunk in chunks(sorted(set(numbers))):
        query = select(*(obs.c[name] for name in ("number", *store.SEEN))).where(
            obs.c.repo == repo, obs.c.number.in_(chunk), obs.c.k <= known_at
        )
        rows = snapshot.connection.execute(query.order_by(obs.c.number, obs.c.k, obs.c.idx))
        for number, *row in rows.all():
            sightings[number].append(store.seen(*row))
    return sightings


def commits_given(
    snapshot: Snapshot, repo: RepositoryKey, a: Instant, b: Instant, known_at: Instant
) -> dict[int, list[Instant]]:
    """Return, by number, when requests were given commits after their opening, in [a, b)."""
    obs = snapshot.tables(PullRequestTables).observations
    query = select(obs.c.number, obs.c.at).where(
        obs.c.repo == repo,
        obs.c.kind == "synchronize",
        obs.c.at >= a,
        obs.c.at < b,
        obs.c.k <= known_at,
    )
    moments: dict[int, list[Instant]] = defaultdict(list)
    for number, at in snapshot.connection.execute(query.order_by(obs.c.at)):
        moments[number].append(at)
    return moments


def heads_among(
    snapshot: Snapshot, repo: RepositoryKey, branches: Iterable[str], known_at: Instant
) -> set[str]:
    """Return those branches that are some request's own branch, as known at K."""
    obs = snapshot.tables(PullRequestTables).observations
    heads: set[str] = set()
    for chunk in chunks(sorted(set(branches))):
        query = (
            select(obs.c.head)
            .distinct()
            .where(obs.c.repo == repo, obs.c.head.in_(chunk), obs.c.k <= known_at)
        )
        heads |= {head for head in snapshot.connection.scalars(query) if head is not None}
    return heads
