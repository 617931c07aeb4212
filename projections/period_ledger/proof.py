"""What is known of the completeness of a period: what its counts can be proven by.

A census or a creation is an anchor from which numbers are followed; gaps, conflicts and records
that were set aside are named doubts.
"""

from collections.abc import Mapping, Sequence
from typing import Final

import msgspec
from sqlalchemy import select

from events.facts.base import Fact
from events.facts.operations import ConflictObserved
from events.facts.repository import CensusObserved, GapFilled, GapObserved
from events.identity import RepositoryKey, host_of
from events.instant import Instant, format_instant
from projections.period_ledger.counting import Activity, Counted
from projections.period_ledger.quality import LISTED, Doubt, Missing, Proof, missing
from projections.pull_requests.numbers import (
    first_opened_from,
    highest_shown,
    last_landed,
    shown_among,
    stretches,
)
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
    highest = highest_shown(snapshot, repo, known_at)
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
        shown=highest is not None or bool(censuses) or created,
        anchored=created or bool(censuses),
        b=b,
        heard=heard_until(snapshot, repo, known_at),
        landed=last_landed(snapshot, repo, known_at),
        unexplained=_unexplained(
            *(snapshot, repo, b, known_at),
            max(censuses, key=lambda census: census.at, default=None),
            highest,
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
    snapshot: Snapshot,
    repo: RepositoryKey,
    b: Instant,
    known_at: Instant,
    census: CensusObserved | None,
    highest: int | None,
) -> Missing:
    """Return the numbers that may have been opened before the end, and of which nothing is known.

    Numbers rise with time: after the first number opened at or after the end, none matters.
    """
    following = first_opened_from(snapshot, repo, b, known_at)
    end = (highest or 0) + 1 if following is None else following
    start = 1 if census is None else census.highest_number + 1
    listed = {n for n in (() if census is None else census.open_numbers) if not start <= n < end}
    return missing(
        stretches(snapshot, repo, start, end, known_at, enough=LISTED),
        start,
        end,
        also=listed - shown_among(snapshot, repo, listed, known_at),
    )


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
