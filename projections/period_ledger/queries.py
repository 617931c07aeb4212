"""The ledger of one repository for one period, as of T, as known at K."""

from collections.abc import Sequence

import msgspec
from sqlalchemy import func, select

from events.identity import RepositoryKey
from events.instant import INF, Instant
from projections.period_ledger.counting import Activity, Counted, LedgerEntry, balance_gap, count
from projections.period_ledger.proof import prove
from projections.period_ledger.quality import (
    Doubt,
    Proof,
    Quality,
    doubts,
    known_until,
    qualities,
    shown_counts,
)
from projections.pull_requests import queries as pull_requests
from projections.pull_requests.spans import StateSpan
from projections.pull_requests.tables import PullRequestTables
from projections.repositories.branch_roles import BranchRoles, group_of, without_role
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
    """What is missing for the ledger to balance (0: it does); None while any count of it is no
    more than a lower bound: such counts prove neither that it balances nor that it does not."""
    doubts: tuple[Doubt, ...]
    known_until: Instant
    """Up to where something is known: `b`, or a moment before it, after which nothing was heard;
    from git alone, after which no request landed."""


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
    numbers = [number for number, _ in undated]
    proof = prove(snapshot, repo, activity, counted, numbers, known_at)
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
        balance=balance_gap(counted.counts) if set(quality.values()) == {"exact"} else None,
        doubts=doubts(proof),
        known_until=known_until(proof, activity.a),
    )


def _activity(
    snapshot: Snapshot, repo: RepositoryKey, a: Instant, b: Instant, known_at: Instant
) -> Activity:
    spans = pull_requests.spans_in(snapshot, repo, a, b, known_at)
    at_start, at_end = pull_requests.open_before(snapshot, repo, (a, b), known_at)
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


def reach(
    snapshot: Snapshot, repo: RepositoryKey, known_at: Instant
) -> tuple[Instant | None, Instant | None]:
    """Return when the first and the last dated event of any request took place, as known at K."""
    states = snapshot.tables(PullRequestTables).states
    query = select(func.min(states.c.vf), func.max(states.c.vf)).where(
        states.c.repo == repo, states.c.vf < INF, states.c.kf <= known_at, states.c.kt > known_at
    )
    first, last = snapshot.connection.execute(query).one()
    return first, last
