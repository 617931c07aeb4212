"""What is known at K of numbers as such: which were shown whole, and which was opened first.

Asked of blocks of a thousand numbers (`reach.py`), and of the numbers of a block only where the
block itself does not decide.
"""

from collections.abc import Iterable, Iterator

import msgspec
from sqlalchemy import func, select

from events.identity import RepositoryKey
from events.instant import INF, Instant
from projections.pull_requests.reach import in_block
from projections.pull_requests.tables import BLOCK, PullRequestTables
from projections.store.dialects import chunks
from projections.store.snapshot import Snapshot


class Stretch(msgspec.Struct, frozen=True, kw_only=True):
    """Numbers that follow each other, and those of them that were shown whole, ascending.

    `numbers` is None where they were not looked up; `lacking` tells how many there are not.
    """

    start: int
    stop: int
    numbers: tuple[int, ...] | None = None
    lacking: int = 0


def stretches(
    snapshot: Snapshot,
    repo: RepositoryKey,
    start: int,
    end: int,
    known_at: Instant,
    *,
    enough: int,
) -> Iterator[Stretch]:
    """Yield the stretches of [start, end) of which anything was shown whole by K, ascending.

    Which numbers lack is looked up until `enough` of them were.
    """
    if start >= end:
        return
    table, known = snapshot.tables(PullRequestTables).blocks, 0
    query = select(table.c.block, table.c.numbers, table.c.last_k).where(
        table.c.repo == repo,
        table.c.block >= start // BLOCK,
        table.c.block <= (end - 1) // BLOCK,
        table.c.first_k <= known_at,
    )
    at = start
    for block, numbers, last_k in snapshot.connection.execute(query.order_by(table.c.block)).all():
        first, stop = max(start, block * BLOCK, 1), min(end, (block + 1) * BLOCK)
        known += first - at
        at = stop
        lacking = BLOCK - (block == 0) - numbers
        whole = first <= max(block * BLOCK, 1) and stop == (block + 1) * BLOCK
        if last_k <= known_at and whole and (not lacking or known >= enough):
            yield Stretch(start=first, stop=stop, lacking=lacking)
        else:
            here = _numbers(snapshot, repo, first, stop, known_at)
            known += stop - first - len(here)
            yield Stretch(start=first, stop=stop, numbers=here)


def _numbers(
    snapshot: Snapshot, repo: RepositoryKey, start: int, stop: int, known_at: Instant
) -> tuple[int, ...]:
    table = snapshot.tables(PullRequestTables).whole
    query = select(table.c.number).where(
        table.c.repo == repo,
        table.c.number.between(start, stop - 1),
        table.c.k <= known_at,
    )
    return tuple(snapshot.connection.scalars(query.order_by(table.c.number)))


def shown_among(
    snapshot: Snapshot, repo: RepositoryKey, numbers: Iterable[int], known_at: Instant
) -> set[int]:
    """Return those of some numbers that were shown whole by K."""
    table, shown = snapshot.tables(PullRequestTables).whole, set[int]()
    for chunk in chunks(sorted(set(numbers))):
        query = select(table.c.number).where(
            table.c.repo == repo, table.c.number.in_(chunk), table.c.k <= known_at
        )
        shown.update(snapshot.connection.scalars(query))
    return shown


def highest_shown(snapshot: Snapshot, repo: RepositoryKey, known_at: Instant) -> int | None:
    """Return the highest number that was shown whole by K; None where none was."""
    blocks, whole = (
        snapshot.tables(PullRequestTables).blocks,
        snapshot.tables(PullRequestTables).whole,
    )
    query = select(blocks.c.block).where(blocks.c.repo == repo, blocks.c.first_k <= known_at)
    block = snapshot.connection.scalar(query.order_by(blocks.c.block.desc()).limit(1))
    if block is None:
        return None
    highest = select(func.max(whole.c.number)).where(
        in_block(whole, repo, block), whole.c.k <= known_at
    )
    number: int | None = snapshot.connection.scalar(highest)
    return number


def first_opened_from(
    snapshot: Snapshot, repo: RepositoryKey, bound: Instant, known_at: Instant
) -> int | None:
    """Return the lowest number that was opened at or after a bound, as known at K."""
    blocks, states = (
        snapshot.tables(PullRequestTables).blocks,
        snapshot.tables(PullRequestTables).states,
    )
    last = -1
    while True:
        query = select(blocks.c.block).where(
            blocks.c.repo == repo,
            blocks.c.block > last,
            blocks.c.opened_k <= known_at,
            blocks.c.opened_until >= bound,
        )
        block = snapshot.connection.scalar(query.order_by(blocks.c.block).limit(1))
        if block is None:
            return None
        lowest = select(func.min(states.c.number)).where(
            in_block(states, repo, block),
            states.c.kf <= known_at,
            states.c.kt > known_at,
            states.c.enter == "opened",
            states.c.vf >= bound,
            states.c.vf < INF,
        )
        number: int | None = snapshot.connection.scalar(lowest)
        if number is not None:
            return number
        last = block


def last_landed(snapshot: Snapshot, repo: RepositoryKey, known_at: Instant) -> Instant | None:
    """Return when the newest commit that lands a request was made, as known at K."""
    table = snapshot.tables(PullRequestTables).landed
    query = select(table.c.at).where(table.c.repo == repo, table.c.k <= known_at)
    return snapshot.connection.scalar(query.order_by(table.c.k.desc()).limit(1))
