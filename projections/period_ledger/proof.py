"""What is known of the completeness of a period: what its counts can be proven by.

A census or a creation is an anchor from which numbers are followed; gaps, conflicts and records
that were set aside are named doubts.
"""

from collections.abc import Mapping, Sequence
from typing import Final, cast

import msgspec
from sqlalchemy import func, select

from events.facts.base import Fact, Trust
from events.facts.operations import ConflictObserved
from events.facts.repository import CensusObserved, GapFilled, GapObserved
from events.identity import RepositoryKey, host_of
from events.instant import INF, Instant, format_instant
from projections.period_ledger.counting import Activity, Counted
from projections.period_ledger.quality import Doubt, Missing, Proof, missing
from projections.pull_requests.tables import PullRequestTables
from projections.repositories.queries import heard_until
from projections.store.schema import dead_letters
from projections.store.snapshot import Snapshot


def prove(
    snapshot: Snapshot,
    repo: RepositoryKey,
    activity: Activity,
    counted: Counted,
    undated: Sequence[int],
    known_at: Instant,
) -> Proof:
    """Return what the quality of a period's counts rests on, as known at K."""
    a, b = activity.a, activity.b
    coverage = _coverage(snapshot, repo, known_at)
    explained = _explained_numbers(snapshot, repo, known_at)
    censuses = [
        fact
        for _, fact in coverage
        if isinstance(fact, CensusObserved) and fact.complete and fact.at <= a
    ]
    created = any(kind == "created" for kind, _ in coverage)
    unresolved = {entry.number for entry in counted.entries["closed_unknown"]}
    unresolved |= {number for number, span in activity.spans if "ambiguous" in span.flags}
    standing = (*activity.open_at_start.items(), *activity.open_at_end.items(), *activity.spans)
    unresolved |= {number for number, span in standing if "end_not_seen" in span.flags}
    return Proof(
        shown=bool(explained) or bool(censuses) or created,
        anchored=created or bool(censuses),
        b=b,
        heard=heard_until(snapshot, repo, known_at),
        landed=_last_landed(snapshot, repo, known_at),
        unexplained=_unexplained(
            explained,
            max(censuses, key=lambda census: census.at, default=None),
            _first_opened_from(snapshot, repo, b, known_at),
        ),
        unresolved=sorted(unresolved),
        undated=undated,
        gaps=[
            _gap(fact)
            for _, fact in coverage
            if isinstance(fact, GapObserved) and fact.start < b and fact.end > a
        ],
        set_aside=_set_aside(snapshot, repo, known_at),
        conflicts=[
            Doubt(
                kind="conflict",
                says="one delivery id came with two different bodies; the first one counts",
                numbers=fact.numbers,
                evidence=(fact.record_id,),
            )
            for _, fact in coverage
            if isinstance(fact, ConflictObserved)
        ],
    )


def _unexplained(
    explained: set[int], census: CensusObserved | None, next_number: int | None
) -> Missing:
    """Return the numbers that may have been opened before the end, and of which nothing is known.

    Numbers rise with time: after the first number opened at or after the end, none matters.
    """
    end = next_number if next_number is not None else max(explained, default=0) + 1
    start = 1 if census is None else census.highest_number + 1
    listed = () if census is None else census.open_numbers
    return missing(explained, start, end, also=listed)


_COVERAGE: Final[Mapping[str, type[Fact]]] = {
    "census": CensusObserved,
    "gap": GapObserved,
    "filled": GapFilled,
    "conflict": ConflictObserved,
}


def _coverage(
    snapshot: Snapshot, repo: RepositoryKey, known_at: Instant
) -> list[tuple[str, Fact | None]]:
    """Return what is known of completeness: of this repository, and gaps of its whole host.

    Gaps that were filled by K are left out.
    """
    table = snapshot.tables(PullRequestTables).coverage
    rows = snapshot.connection.execute(
        select(table.c.kind, table.c.record_id, table.c.fields)
        .where(table.c.repo.in_((repo, host_of(repo))), table.c.k <= known_at)
        .order_by(table.c.at, table.c.record_id, table.c.idx)
    )
    coverage = [
        (kind, record_id, msgspec.json.decode(fields, type=_COVERAGE[kind]))
        if kind in _COVERAGE
        else (kind, record_id, None)
        for kind, record_id, fields in rows
    ]
    filled = {fact.gap for _, _, fact in coverage if isinstance(fact, GapFilled)}
    return [(kind, fact) for kind, record_id, fact in coverage if record_id not in filled]


def _gap(fact: GapObserved) -> Doubt:
    span = f"{format_instant(fact.start)} to {format_instant(fact.end)}"
    return Doubt(
        kind="notice" if fact.harmless else "gap",
        says=f"{fact.reason} ({span})",
        start=fact.start,
        end=fact.end,
        numbers=fact.touches,
    )


def _set_aside(snapshot: Snapshot, repo: RepositoryKey, known_at: Instant) -> list[Doubt]:
    """Name the records of the repository that could not be read: they may concern any period."""
    query = select(dead_letters).where(
        dead_letters.c.projection == "pull_requests",
        dead_letters.c.generation == snapshot.generation("pull_requests"),
        dead_letters.c.repo == repo,
        dead_letters.c.recorded_at <= known_at,
    )
    rows = snapshot.connection.execute(query.order_by(dead_letters.c.position))
    return [
        Doubt(
            kind="set_aside",
            says=f"record {row.record_id} was set aside: {row.path} {row.reason}".replace(
                "  ", " "
            ),
            numbers=tuple(msgspec.json.decode(row.numbers, type=list[int])),
            evidence=(row.record_id,),
        )
        for row in rows
    ]


def _last_landed(snapshot: Snapshot, repo: RepositoryKey, known_at: Instant) -> Instant | None:
    """Return when the newest commit that lands a request was made, as known at K."""
    observations = snapshot.tables(PullRequestTables).observations
    query = (
        select(observations.c.at)
        .where(
            observations.c.repo == repo,
            observations.c.kind == "merge_commit",
            observations.c.k <= known_at,
        )
        .order_by(observations.c.at.desc())
        .limit(1)
    )
    return snapshot.connection.scalar(query)


def _explained_numbers(snapshot: Snapshot, repo: RepositoryKey, known_at: Instant) -> set[int]:
    """Return the numbers that a full object showed to be a pull request or an issue."""
    obs = snapshot.tables(PullRequestTables).observations
    query = select(obs.c.number).distinct()
    query = query.where(
        obs.c.repo == repo,
        obs.c.k <= known_at,
        obs.c.is_issue | (obs.c.trust >= Trust.ARCHIVE_FULL),
    )
    return set(snapshot.connection.scalars(query))


def _first_opened_from(
    snapshot: Snapshot, repo: RepositoryKey, bound: Instant, known_at: Instant
) -> int | None:
    """Return the lowest number that was opened at or after a bound, as known at K."""
    states = snapshot.tables(PullRequestTables).states
    query = select(func.min(states.c.number)).where(
        states.c.repo == repo,
        states.c.kf <= known_at,
        states.c.kt > known_at,
        states.c.enter == "opened",
        states.c.vf >= bound,
        states.c.vf < INF,
    )
    return cast(int | None, snapshot.connection.scalar(query))
