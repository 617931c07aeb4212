"""Records that are stamped later than the clock says: whoever stamped them had a clock ahead.

Stamps rise within a partition, so once one lies in the future, all that follow do too, each a
microsecond after the last, until time has caught up. Nothing is lost and the order is right, but
"known at" a moment in between finds none of them. A clock that is merely a little off is no matter.
"""

from sqlalchemy import Connection, func, select

from events.instant import DAY, SECOND, Instant, format_instant
from projections.store.progress import CLOCK_TOLERANCE
from projections.store.schema import checkpoints


def ahead(last_recorded: Instant, now: Instant) -> Instant:
    """Return how far a stamp lies in the future, 0 where it does not."""
    return max(0, last_recorded - now)


def ahead_of_clock(partition: str, last_recorded: Instant, now: Instant) -> str | None:
    """Say how far the records of a partition are stamped ahead; None where they are not."""
    distance = ahead(last_recorded, now)
    if distance <= CLOCK_TOLERANCE:
        return None
    far = f"{distance / DAY:,.1f} days" if distance >= DAY else f"{distance // SECOND:,} s"
    return (
        f"{partition}: records are stamped up to {format_instant(last_recorded)}, {far} ahead of "
        f"this clock ({format_instant(now)}): a clock was ahead when they were recorded, or this "
        "one is behind; see `The clock was wrong` in docs/operations.md"
    )


def stamped_ahead(connection: Connection, now: Instant) -> list[str]:
    """Say of each partition of the read model whose records are stamped ahead how far they are."""
    table = checkpoints.c
    query = (
        select(table.partition, func.max(table.last_recorded))
        .where(table.last_recorded > now)
        .group_by(table.partition)
        .order_by(table.partition)
    )
    told = (ahead_of_clock(partition, last, now) for partition, last in connection.execute(query))
    return [text for text in told if text is not None]
