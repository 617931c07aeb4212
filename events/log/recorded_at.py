"""The known-time axis: one stamp a record, strictly increasing within a partition."""

from events.instant import Instant


def next_recorded_at(append_time: Instant, previous: Instant) -> Instant:
    """Return the stamp of the next record of a partition.

    `append_time` is the wall time at which it was appended, `previous` the stamp before it (0 for
    the first). Clocks step back and brokers stamp whole batches alike; two records must not share
    a stamp, so the later one is moved forward by one microsecond.
    """
    return max(append_time, previous + 1)
