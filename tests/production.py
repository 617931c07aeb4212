"""Production for tests: a topic and a database of a test's own, and processes that use them.

A process keeps what it wrote in a file, and `Supervised` starts it again when it ends, as a
supervisor in production has to.
"""

import itertools
import os
import signal
import threading
import time
import uuid
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any, Final

import httpx
from sqlalchemy import Engine, create_engine, func, select
from sqlalchemy.exc import SQLAlchemyError
from sqlalchemy.pool import NullPool

from projections.engine import generations
from projections.engine.read_model import ReadModel
from projections.store.schema import checkpoints, dead_letters
from services.logs.kafka import KafkaSettings, partition_of
from tests.forked import Forked
from tests.places import ROOT
from tests.service_process import environment

WORKER: Final = ("-m", "tests.services.stream.worker_process", "60")


def wait_until(true: Callable[[], bool], seconds: float, *, every: float = 0.1) -> None:
    """Ask until the answer is yes; fail when the time is over."""
    deadline = time.monotonic() + seconds
    while not true():
        assert time.monotonic() < deadline, f"not so after {seconds} s"
        time.sleep(every)


@dataclass(frozen=True, slots=True, kw_only=True)
class Site:
    """One topic, one database, one folder."""

    bootstrap: str
    database: str
    folder: Path
    topic: str
    partitions: int

    @staticmethod
    def new(bootstrap: str, database: str, folder: Path, *, partitions: int = 4) -> "Site":
        """Return a site whose topic does not exist yet."""
        topic = f"t-{uuid.uuid4().hex[:12]}"
        config = folder / "shipledger.toml"
        config.write_text(f'[kafka]\ntopic = "{topic}"\npartitions = {partitions}\n')
        return Site(
            bootstrap=bootstrap,
            database=database,
            folder=folder,
            topic=topic,
            partitions=partitions,
        )

    @property
    def kafka(self) -> KafkaSettings:
        """How to reach the topic."""
        return KafkaSettings(
            bootstrap=self.bootstrap, topic=self.topic, partitions=self.partitions, read_timeout=10
        )

    def environment(self, data: str = "data") -> dict[str, str]:
        """Return the environment of the processes of this site."""
        return environment(
            self.folder / data,
            SHIPLEDGER_CONFIG=str(self.folder / "shipledger.toml"),
            SHIPLEDGER_KAFKA=self.bootstrap,
            SHIPLEDGER_DATABASE=self.database,
            SHIPLEDGER_LOG_LEVEL="INFO",
        )

    def engine(self) -> Engine:
        """Return an engine that keeps no connection open."""
        options = {"options": "-c TimeZone=UTC"}
        return create_engine(self.database, poolclass=NullPool, connect_args=options)

    def read_model(self) -> ReadModel:
        """Return the read model as questions see it."""
        return ReadModel(self.engine(), self.partition_of)

    def partition_of(self, repository: str) -> str:
        """Return the partition of a repository."""
        return str(partition_of(repository, self.partitions))

    def repository_in(self, partition: int) -> str:
        """Return the key of a repository that lies in a partition."""
        keys = (f"github.com/{number}" for number in itertools.count(1001))
        return next(key for key in keys if self.partition_of(key) == str(partition))

    def applied(self) -> dict[str, int]:
        """Return how many records each projection has taken in; empty while nobody can tell."""
        try:
            with self.engine().connect() as connection:
                active = {(one.name, one.generation) for one in generations.active(connection)}
                rows = connection.execute(
                    select(
                        checkpoints.c.projection,
                        checkpoints.c.generation,
                        func.sum(checkpoints.c.next_position),
                    ).group_by(checkpoints.c.projection, checkpoints.c.generation)
                )
                return {row[0]: int(row[2]) for row in rows if (row[0], row[1]) in active}
        except SQLAlchemyError:
            return {}

    def has_applied(self, records: int) -> bool:
        """Tell whether every projection has taken in so many records."""
        applied = self.applied()
        return bool(applied) and all(count == records for count in applied.values())

    def letters(self, projection: str = "pull_requests") -> list[tuple[int, str]]:
        """Return (position, reason) of what a projection has set aside."""
        query = select(dead_letters.c.position, dead_letters.c.reason).where(
            dead_letters.c.projection == projection
        )
        with self.engine().connect() as connection:
            found = connection.execute(query.order_by(dead_letters.c.position))
            return [(row[0], row[1]) for row in found]


class Process:
    """A process of the program; it prints its address first."""

    def __init__(self, command: Sequence[str], given: dict[str, str], log: Path) -> None:
        self._log = log
        _, module, *arguments = command
        stdout, told = os.pipe()
        with log.open("ab") as written:
            self.child = Forked(
                module, arguments, env=given, cwd=ROOT, stdout=told, stderr=written.fileno()
            )
        os.close(told)
        with os.fdopen(stdout) as said:
            line = said.readline()
        words = [word for word in line.split() if word.startswith("http://")]
        self.address = words[0] if words else ""

    @property
    def log(self) -> str:
        """What it, and its earlier selves, wrote to standard error."""
        return self._log.read_text(errors="replace")

    @property
    def running(self) -> bool:
        """Whether it lives."""
        return self.child.poll() is None

    def get(self, path: str) -> tuple[int, Any]:
        """Ask it; a status of 0 means that nobody answers."""
        try:
            reply = httpx.get(f"{self.address}{path}", timeout=5)
        except httpx.HTTPError:
            return 0, None
        is_json = reply.headers.get("content-type") == "application/json"
        return reply.status_code, reply.json() if is_json else reply.text

    def metric(self, name: str) -> float:
        """Return the sum of a metric over its labels."""
        _, text = self.get("/metrics")
        lines = [line for line in str(text).splitlines() if line.startswith(f"shipledger_{name}")]
        return sum(float(line.rpartition(" ")[2]) for line in lines)

    @property
    def ready(self) -> bool:
        """Whether it says that it does its work."""
        return self.get("/readyz")[0] == 200

    def kill(self) -> None:
        """End it without any notice (kill -9)."""
        self.child.kill()
        self.child.wait(10)

    def stop(self, seconds: float = 30) -> int:
        """End it in order; return its exit code."""
        self.child.send_signal(signal.SIGTERM)
        return self.child.wait(seconds)


def worker(site: Site, name: str = "worker", *, stall: float = 60, only: str = "") -> Process:
    """Start a worker with short timeouts."""
    command = [*WORKER[:2], str(stall), *([only] if only else [])]
    return Process(command, site.environment(), site.folder / f"{name}.log")


class Supervised:
    """Starts a process again whenever it ends, until `stop`."""

    def __init__(self, command: Sequence[str], given: dict[str, str], log: Path) -> None:
        self._start: Callable[[], Process] = partial(Process, command, given, log)
        self.process = self._start()
        self.exits: list[int] = []
        self._stopping = threading.Event()
        self._thread = threading.Thread(target=self._supervise, daemon=True)
        self._thread.start()

    def _supervise(self) -> None:
        while not self._stopping.wait(0.2):
            code = self.process.child.poll()
            if code is not None:
                self.exits.append(code)
                self.process = self._start()

    def kill(self) -> None:
        """End it without any notice; it comes back."""
        self.process.child.kill()

    def stop(self) -> int:
        """End it in order and for good; return its exit code."""
        self._stopping.set()
        self._thread.join()
        return self.process.stop() if self.process.running else self.process.child.wait()
