"""A process that appends to a log and prints each id once its append has returned.

`python -m tests.services.logs.writer_process LOG PREFIX COUNT`
"""

import random
import sys
import time
from pathlib import Path

from events.record import Record
from services.logs.sqlite import SqliteLog

KEYS = ("github.com/1", "github.com/2", "github.com/3")


def body_of(record_id: str) -> bytes:
    """Return the body that an id always has: some hundred bytes to some hundred kB."""
    source = random.Random(record_id)
    return source.randbytes(200) * source.choice([1, 10, 100, 500])


def record_of(record_id: str) -> Record:
    """Return the record that an id always has."""
    return Record(
        id=record_id,
        repository=KEYS[sum(record_id.encode()) % len(KEYS)],
        source="webhook",
        type="com.github.push",
        body=body_of(record_id),
    )


def main(path: str, prefix: str, count: str) -> None:
    """Append groups of changing size, up to `count` records."""
    log = SqliteLog(Path(path), clock=lambda: time.time_ns() // 1000, busy_timeout=60)
    written = 0
    while written < int(count):
        size = min(1 + written % 5, int(count) - written)
        group = [record_of(f"{prefix}-{written + n}") for n in range(size)]
        for appended in log.append(group):
            print(appended.record_id, flush=True)
        written += size


if __name__ == "__main__":
    main(*sys.argv[1:])
