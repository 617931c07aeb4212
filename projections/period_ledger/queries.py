"""The ledger of one repository for one period, as of T, as known at K."""

from collections.abc import Mapping, Sequence
from typing import Final

import msgspec
from sqlalchemy import select

from events.facts.base import Fact
from events.facts.operations import ConflictObserved
from events.facts.repository import CensusObserved, GapFilled, GapObserved
from events.identity import RepositoryKey, host_of
from events.instant import INF, Instant, format_instant
from projections.period_ledger.counting import Activity, Counted, LedgerEntry, balance_gap, count
from projections.period_ledger.quality import (
    Doubt,
    Missing,
    Proof,
    Quality,
    doubts,
    missing,
    qualities,
    shown_counts,
)
from projections.period_ledger.reach import last_landed
from projections.pull_requests import queries as pull_requests
from projections.pull_requests.tables import PullRequestTables
from projections.pull_requests.timeline import StateSpan
from projections.repositories.branch_roles import BranchRoles, group_of, without_role
from projections.repositories.queries import heard_until
from projections.store.schema import dead_letters
from projections.store.snapshot import Snapshot


class Ledger(msgspec.Struct, frozen=True, kw_only=True):
    """The answer for [a, b): counts (None: unknown), their quality, doubts and evidence."""

    a: Instant
    b: Instant
    counts: dict[str, int | None]
    quality: dict[str, Quality]
    by_base: dict[str, dict[str, int | None]]
    entries: dict[str, tuple[LedgerEntry, ...]]
    events: dict[str, int | None]
    undated: tuple[LedgerEntry, ...]
    balance: int | None
    """What is missing for the ledger to balance (0: it does); None where that is unknown."""
    doubts: tuple[Doubt, ...]


def ledger(
    snapshot: Snapshot,
    repo: RepositoryKey,
    a: Instant,
    b: Instant,
    known_at: Instant,
    roles: BranchRoles,
) -> Ledger:
    """Count the period; `b` is already cut by T and by the end of knowledge."""
    activity = _activity(snapshot, repo, a, b, known_at)
    bases = {span.base for spans in activity.bases.values() for span in spans}
    heads = pull_requests.heads_among(snapshot, repo, without_role(bases, roles), known_at)
    counted = count(activity, lambda base: group_of(base, roles, heads))
    undated = pull_requests.undated(snapshot, repo, known_at)
    proof = _proof(snapshot, repo, activity, counted, [number for number, _ in undated], known_at)
    return _answer(activity, counted, undated, proof)


def _answer(
    activity: Activity, counted: Counted, undated: Sequence[tuple[int, StateSpan]], proof: Proof
) -> Ledger:
    quality = qualities(proof)
    known = "unknown" not in quality.values()
    proven = {name for name, value in quality.items() if value != "unknown"}
    moved = {"retargeted_in", "retargeted_out"} if known else set[str]()
    return Ledger(
        a=activity.a,
        b=activity.b,
        counts=shown_counts(counted.counts, quality),
        quality=quality,
        by_base={
            group: {name: value if name in proven | moved else None for name, value in row.items()}
            for group, row in counted.by_base.items()
        },
        entries={
            name: entries if name in proven else () for name, entries in counted.entries.items()
        },
        events={name: value if known else None for name, value in counted.events.items()},
        undated=tuple(
            LedgerEntry(
                number=number,
                at=INF,
                base=None,
                record_id=span.record_id,
                evidence=span.evidence,
                flags=span.flags,
            )
            for number, span in undated
        ),
        balance=balance_gap(counted.counts) if known and not undated else None,
        doubts=doubts(proof),
    )


def _activity(
    snapshot: Snapshot, repo: RepositoryKey, a: Instant, b: Instant, known_at: Instant
) -> Activity:
    spans = pull_requests.spans_in(snapshot, repo, a, b, known_at)
    at_start = pull_requests.open_before(snapshot, repo, a, known_at)
    at_end = pull_requests.open_before(snapshot, repo, b, known_at)
    numbers = {number for number, _ in spans} | {n for n, _ in at_start} | {n for n, _ in at_end}
    return Activity(
        a=a,
        b=b,
        spans=spans,
        open_at_start=dict(at_start),
        open_at_end=dict(at_end),
        bases=pull_requests.bases_of(snapshot, repo, numbers, known_at),
        commits=pull_requests.commits_given(snapshot, repo, a, b, known_at),
    )


def _proof(
    snapshot: Snapshot,
    repo: RepositoryKey,
    activity: Activity,
    counted: Counted,
    undated: Sequence[int],
    known_at: Instant,
) -> Proof:
    a, b = activity.a, activity.b
    coverage = _coverage(snapshot, repo, known_at)
    explained = pull_requests.explained_numbers(snapshot, repo, known_at)
    censuses = [
        fact
        for _, fact in coverage
        if isinstance(fact, CensusObserved) and fact.complete and fact.at <= a
    ]
    created = any(kind == "created" for kind, _ in coverage)
    unresolved = {entry.number for entry in counted.entries["closed_unknown"]}
    unresolved |= {number for number, span in activity.spans if "ambiguous" in span.flags}
    return Proof(
        shown=bool(explained) or bool(censuses) or created,
        anchored=created or bool(censuses),
        b=b,
        heard=heard_until(snapshot, repo, known_at),
        landed=last_landed(snapshot, repo, known_at),
        unexplained=_unexplained(
            explained,
            max(censuses, key=lambda census: census.at, default=None),
            pull_requests.first_opened_from(snapshot, repo, b, known_at),
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
