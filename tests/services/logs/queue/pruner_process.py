"""A process that fills a queue and prunes it as fast as it can, and prints what was acknowledged.

`python -m tests.services.logs.queue.pruner_process QUEUE PREFIX`: everything counts as forwarded.
"""

import sys
import time
from pathlib import Path

from prometheus_client import CollectorRegistry

from services.logs.queue import Pruner, QueueRetention
from services.logs.sqlite import SqliteLog
from services.runtime.telemetry import Metrics
from tests.services.logs.writer_process import record_of


def main(path: str, prefix: str) -> None:
    """Go on until killed."""

    def clock() -> int:
        return time.time_ns() // 1000

    queue = SqliteLog(Path(path), clock=clock)
    pruner = Pruner(
        queue=queue,
        forwarded=lambda: sum(queue.ends().values()),
        retention=QueueRetention(held_seconds=0, remembered_seconds=3600),
        clock=clock,
        metrics=Metrics(CollectorRegistry()),
    )
    written = 0
    while True:
        group = [record_of(f"{prefix}-{written + n}") for n in range(3)]
        queue.append(group)
        written += len(group)
        for each in group:
            print(each.id, flush=True)
        pruner.round()


if __name__ == "__main__":
    main(*sys.argv[1:])
