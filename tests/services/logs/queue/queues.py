"""Queues, and logs that take records from them, without a broker."""

from collections.abc import Sequence
from pathlib import Path

from prometheus_client import CollectorRegistry

from events.errors import LogUnavailable
from events.log.memory import MemoryLog
from events.log.port import START, Appended, Clock
from events.record import Record
from services.logs.queue import Forwarder, PositionFile
from services.logs.sqlite import SqliteLog
from services.runtime.telemetry import Metrics
from tests.services.intake.webhooks.gateway import SteppingClock

REPOS = ("github.com/1", "github.com/2", "github.com/3")


def record(number: int, *, repo: str | None = None, size: int = 20) -> Record:
    """Return a record; those of one repository are numbered in the order they are made."""
    return Record(
        id=f"D{number}",
        repository=repo or REPOS[number % len(REPOS)],
        source="webhook",
        type="com.github.push",
        body=bytes(size),
        attributes={"receivedat": "2026-03-07T10:00:00Z"},
    )


class Broker(MemoryLog):
    """Stores what is sent, however often, as Kafka does; it can be away, or lose its answers."""

    def __init__(self) -> None:
        super().__init__(SteppingClock())
        self.away = False
        self.loses_answers = False
        self.batches: list[int] = []

    def append(self, records: Sequence[Record]) -> list[Appended]:
        if self.away:
            raise LogUnavailable("the broker is away")
        self.batches.append(len(records))
        for each in records:
            self._store(each, 0)
        if self.loses_answers:
            raise LogUnavailable("no acknowledgement")
        return []

    def ids(self, repo: str) -> list[str]:
        """Return what was stored of a repository, repetitions included."""
        return [entry.record.id for entry in self.read(repo, START, limit=100_000)]


class Bench:
    """A queue in a folder with its forwarder; a new one on the same folder is a restart."""

    def __init__(
        self,
        folder: Path,
        broker: Broker,
        *,
        topic: str = "records",
        clock: Clock | None = None,
    ) -> None:
        self.queue = SqliteLog(folder / "queue.sqlite", clock=clock or SteppingClock())
        self.metrics = Metrics(CollectorRegistry())
        self.position = PositionFile(folder / "queue.forwarded", topic)
        self.forwarder = Forwarder(
            queue=self.queue, log=broker, position=self.position, metrics=self.metrics
        )

    def drain(self) -> None:
        """Forward until nothing waits."""
        while self.forwarder.forward():
            pass

    def close(self) -> None:
        """End, as a process does."""
        self.position.close()
        self.queue.close()

    def metric(self, name: str) -> float:
        """Return the value of a metric."""
        return self.metrics.registry.get_sample_value(f"shipledger_{name}") or 0
