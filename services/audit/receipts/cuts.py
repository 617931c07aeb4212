"""Where K cuts a partition, by way of the log's port alone.

Stamps rise with positions, so a cut is found by halving: some twenty reads of one record, or one
read where K is as far as the projections have read. A log that derives its stamps (Kafka) is not
folded for this: at an older K, within one batch of a producer, the cut may be off by the records
that share its time.
"""

from collections.abc import Iterator

from events.instant import Instant
from events.log.port import START, Cursor, Log
from events.record import Entry
from services.logs.walk import entries


def last_known(log: Log, partition: str, known_at: Instant, read: Cursor = START) -> Entry | None:
    """Return the last entry recorded at or before K; None where there is none.

    `read` is how far a projection has read, with the true stamp of what it read last.
    """
    low, high = 0, log.ends().get(partition, 0)
    entry: Entry | None = None
    if read.position and read.recorded_at <= known_at:
        # its stamp is the one that was derived once, whatever the log would derive from here
        last = Cursor(read.position - 1, read.recorded_at - 1)
        entry, low = log.read(partition, last, limit=1)[0], read.position
        if entry.recorded_at == known_at:
            return entry
    while low < high:
        middle = (low + high) // 2
        batch = log.read(partition, Cursor(middle, 0), limit=1)
        if not batch or batch[0].recorded_at > known_at:
            high = middle
        else:
            # a log may skip positions: what is read lies at or after the position asked for
            entry, low = batch[0], batch[0].position + 1
    return entry


def between(log: Log, partition: str, after: Instant, until: Instant) -> Iterator[Entry]:
    """Yield the entries recorded in (after, until]."""
    before = last_known(log, partition, after)
    start = START if before is None else Cursor(before.position + 1, before.recorded_at)
    for entry in entries(log, partition, start):
        if entry.recorded_at > until:
            return
        yield entry
