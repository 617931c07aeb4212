"""Which numbers were shown whole, when the last ones were opened, and up to where landings reach.

The quality of a report asks for these at any K. They are noted by the thousand numbers, so that a
report of a long history looks at blocks, and at the numbers of those blocks alone that decide.
"""

from collections import defaultdict
from collections.abc import Iterable, Sequence
from typing import Final

from sqlalchemy import ColumnElement, Connection, Table, delete, func, select

from events.facts.base import Trust
from events.identity import RepositoryKey
from events.instant import INF, Instant
from projections.pull_requests.store import Histories
from projections.pull_requests.tables import BLOCK, PullRequestTables
from projections.store.dialects import chunks
from projections.store.observations import Row, insert_rows

LANDING: Final = "merge_commit"
HIGHEST: Final = 2**63 - 1
"""The highest number that is stored."""


def note_batch(
    connection: Connection, tables: PullRequestTables, rows: Sequence[Row], histories: Histories
) -> None:
    """Note what a batch shows: its observations, in the order of the log, and its spans."""
    whole: dict[RepositoryKey, dict[int, Instant]] = defaultdict(dict)
    for row in rows:
        if row["is_issue"] or row["trust"] >= Trust.ARCHIVE_FULL:
            whole[row["repo"]].setdefault(row["number"], row["k"])
    stale: dict[RepositoryKey, set[int]] = defaultdict(set)
    for (repo, number), history in histories.items():
        if history.begins_opening:
            stale[repo].add(number)
    for repo, numbers in whole.items():
        known = _whole_among(connection, tables, repo, numbers)
        fresh = {number: k for number, k in numbers.items() if number not in known}
        _insert_whole(connection, tables, repo, fresh)
        stale[repo] |= fresh.keys()
    for repo, touched in stale.items():
        _renew_blocks(connection, tables, repo, touched)
    for repo in {row["repo"] for row in rows}:
        _note_landings(connection, tables, repo, [row for row in rows if row["repo"] == repo], INF)


def note_again(
    connection: Connection,
    tables: PullRequestTables,
    repo: RepositoryKey,
    numbers: Iterable[int],
    rows: Sequence[Row] = (),
) -> None:
    """Note some numbers anew from what is stored; `rows` are observations that came in between."""
    numbers, table, observed = sorted(set(numbers)), tables.whole, tables.observations
    shown = observed.c.is_issue | (observed.c.trust >= int(Trust.ARCHIVE_FULL))
    for chunk in chunks(numbers):
        connection.execute(delete(table).where(table.c.repo == repo, table.c.number.in_(chunk)))
        query = select(observed.c.number, func.min(observed.c.k)).where(
            observed.c.repo == repo, observed.c.number.in_(chunk), shown
        )
        first = connection.execute(query.group_by(observed.c.number))
        _insert_whole(connection, tables, repo, dict(iter(first)))
    _renew_blocks(connection, tables, repo, numbers)
    for row in rows:
        _note_landings(connection, tables, repo, [row], row["k"])


def _whole_among(
    connection: Connection, tables: PullRequestTables, repo: RepositoryKey, numbers: Iterable[int]
) -> set[int]:
    table, known = tables.whole, set[int]()
    for chunk in chunks(sorted(numbers)):
        query = select(table.c.number).where(table.c.repo == repo, table.c.number.in_(chunk))
        known.update(connection.scalars(query))
    return known


def _insert_whole(
    connection: Connection,
    tables: PullRequestTables,
    repo: RepositoryKey,
    numbers: dict[int, Instant],
) -> None:
    rows = [{"repo": repo, "number": number, "k": k} for number, k in sorted(numbers.items())]
    insert_rows(connection, tables.whole, rows)


def _renew_blocks(
    connection: Connection, tables: PullRequestTables, repo: RepositoryKey, numbers: Iterable[int]
) -> None:
    """Count again what is known of the blocks of some numbers."""
    table, states, whole = tables.blocks, tables.states, tables.whole
    rows = []
    blocks = sorted({number // BLOCK for number in numbers})
    for block in blocks:
        inside = in_block(whole, repo, block)
        query = select(func.count(), func.min(whole.c.k), func.max(whole.c.k)).where(inside)
        count, first, last = connection.execute(query).one()
        opened = select(func.min(states.c.kf), func.max(states.c.vf)).where(
            in_block(states, repo, block), states.c.enter == "opened", states.c.vf < INF
        )
        opened_k, until = connection.execute(opened).one()
        if count or until is not None:
            row = {"repo": repo, "block": block, "numbers": count, "first_k": first}
            row |= {"last_k": last, "opened_k": opened_k, "opened_until": until}
            rows.append(row)
    for chunk in chunks(blocks):
        connection.execute(delete(table).where(table.c.repo == repo, table.c.block.in_(chunk)))
    insert_rows(connection, table, rows)


def in_block(table: Table, repo: RepositoryKey, block: int) -> ColumnElement[bool]:
    """Return the condition of the rows of a block."""
    last = min(block * BLOCK + BLOCK - 1, HIGHEST)
    return (table.c.repo == repo) & table.c.number.between(block * BLOCK, last)


def _note_landings(
    connection: Connection,
    tables: PullRequestTables,
    repo: RepositoryKey,
    rows: Iterable[Row],
    known_at: Instant,
) -> None:
    """Note landings later than all that were known by K; later notes that these reach go."""
    landings = sorted((row["k"], row["at"]) for row in rows if row["kind"] == LANDING)
    if not landings:
        return
    table = tables.landed
    mine = table.c.repo == repo
    query = select(table.c.at).where(mine, table.c.k <= known_at).order_by(table.c.k.desc())
    until = connection.scalar(query.limit(1))
    raised: dict[Instant, Instant] = {}
    for k, at in landings:
        if until is None or at > until:
            raised[k] = until = at
    if raised:
        k, at = max(raised.items())
        outdone = (table.c.k > k) & (table.c.at <= at) | table.c.k.in_(sorted(raised))
        connection.execute(delete(table).where(mine, outdone))
        insert_rows(connection, table, [{"repo": repo, "k": k, "at": raised[k]} for k in raised])
