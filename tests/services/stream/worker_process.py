"""`shipledger worker` with timeouts short enough for tests; it is told by the environment.

`python -m tests.services.stream.worker_process STALL_SECONDS [PROJECTION …]`; prints the address of
its HTTP server once it listens.
"""

import asyncio
import dataclasses
import sys

from services.config import settings
from services.processes.worker import open_worker
from services.runtime.serving import address_of, listen
from services.runtime.telemetry import configure_logging
from services.stream.app import Tuning
from services.stream.worker import Worker

QUICK = Tuning(session=3, heartbeat=0.5, request=20)


def main() -> None:
    """Run until SIGTERM."""
    stall_seconds, *only = sys.argv[1:]
    chosen = settings.load()
    configure_logging("json", level=chosen.log_level)
    with open_worker(chosen, tuple(only)) as parts, listen("127.0.0.1", 0) as listening:
        print(address_of(listening), flush=True)
        quick = dataclasses.replace(parts, tuning=QUICK, stall_seconds=float(stall_seconds))
        asyncio.run(Worker(quick).run(listening))


if __name__ == "__main__":
    main()
