"""A process that may not write files above a size, appends until that fails, and goes on after.

`python -m tests.services.logs.limited_process LOG`; prints what happened, one word a line.
"""

import resource
import sys
from pathlib import Path

from events.errors import LogUnavailable
from services.logs.sqlite import SqliteLog
from tests.services.logs.writer_process import record_of

_LIMIT = 300_000


def main(path: str) -> None:
    """Meet the limit, lift it, append again."""
    log = SqliteLog(Path(path), clock=lambda: 0)
    _, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (_LIMIT, hard))
    stored = 0
    try:
        while True:
            log.append([record_of(f"a{stored}"), record_of(f"b{stored}")])
            stored += 2
    except LogUnavailable:
        print("unavailable")
    held = sum(log.ends().values())
    resource.setrlimit(resource.RLIMIT_FSIZE, (hard, hard))
    log.append([record_of("after")])
    log.close()
    print("whole" if held == stored else "torn")
    print(stored)


if __name__ == "__main__":
    main(*sys.argv[1:])
