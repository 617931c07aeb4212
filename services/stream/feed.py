"""One projection as a worker feeds it: which partitions, how far, what is under way, what is wrong.

Faust calls it from the event loop, the watch reads it from a thread of its own; every value that
both touch is replaced whole. The database work runs in threads, so heartbeats go on meanwhile.
"""

import asyncio
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import partial
from typing import Final, NamedTuple, TypeVar

import structlog
from sqlalchemy import Engine

from events.errors import TransientError
from events.log.port import BATCH_BYTES, BATCH_RECORDS
from projections.engine.runner import AppliedBatch
from projections.store.base import Projection
from services.logs.kafka.entries import PartitionName, Stored
from services.runtime.loop import Backoff
from services.runtime.telemetry.metrics import Metrics
from services.stream.fold import Folded, fold, stand
from services.stream.observer import MetricsObserver

POLL_SECONDS: Final = 0.02

_logger = structlog.get_logger(__name__)
Result = TypeVar("Result")


class UnderWay(NamedTuple):
    """A batch that is being applied since a moment (monotonic seconds)."""

    partition: int
    since: float
    appended_ms: int


class Feed:
    """Brings the records of the assigned partitions into one generation of a projection."""

    def __init__(
        self, engine: Engine, projection: Projection, topic: str, partitions: int, metrics: Metrics
    ) -> None:
        """Take where to write to, and the topic with its number of partitions."""
        self.projection: Final = projection
        self._engine = engine
        self._topic = topic
        self._count = partitions
        self._metrics = metrics
        self._observer = MetricsObserver(metrics)
        #: Partition -> next position, of the partitions that this worker has now.
        self.assigned: Mapping[int, int] = {}
        #: Whether the consumer group has ever told which partitions those are.
        self.joined = False
        self.under_way: UnderWay | None = None
        #: When anything last went forward (monotonic seconds).
        self.progressed: float = time.monotonic()
        self.fault: str | None = None
        self._stopping = False

    @property
    def group(self) -> str:
        """The consumer group: one for each generation, so that none disturbs another.

        The topic is part of it: two installations may share a broker.
        """
        return f"{self._topic}.{self.projection.name}.g{self.projection.generation}"

    async def start_from(self, partitions: Iterable[int]) -> Mapping[int, int]:
        """Return the position to start from in partitions that were assigned, from the database."""
        numbers = sorted(partitions)
        look = partial(stand, self._engine, self.projection, numbers)
        cursors = await self._insist("stand", look)
        self._set({number: cursor.position for number, cursor in cursors.items()})
        self.progressed = time.monotonic()
        _logger.info("worker.assigned", group=self.group, positions=dict(self.assigned))
        return self.assigned

    def revoked(self, partitions: Iterable[int]) -> None:
        """Note that partitions went to somebody else; what is under way is ended all the same."""
        revoked = set(partitions)
        self._set({number: at for number, at in self.assigned.items() if number not in revoked})

    async def take(self, messages: Sequence[tuple[int, Stored]]) -> None:
        """Apply (partition, message) pairs, in order within each partition.

        A database that is away is waited for, with growing pauses; nothing is skipped.
        """
        for partition, batch in batches(messages):
            if self._stopping:
                return
            self.under_way = UnderWay(partition, time.monotonic(), batch[0].appended_ms)
            where = PartitionName(self._topic, self._count, partition)
            started = time.perf_counter()
            folded = await self._insist(
                "fold", partial(fold, self._engine, self.projection, where, batch)
            )
            self._measure(folded, time.perf_counter() - started)
            if partition in self.assigned:
                self._set({**self.assigned, partition: folded.position})
            self.under_way = None
            self.progressed = time.monotonic()

    async def stop(self, seconds: float) -> bool:
        """Begin no more batches; tell whether the one under way was ended in that time."""
        self._stopping = True
        deadline = time.monotonic() + seconds
        while self.under_way is not None and time.monotonic() < deadline:
            await asyncio.sleep(POLL_SECONDS)
        return self.under_way is None

    async def _insist(self, doing: str, call: Callable[[], Result]) -> Result:
        """Call in a thread until the database is there."""
        backoff = Backoff(0.1, 10.0)
        while True:
            try:
                result = await asyncio.to_thread(call)
            except TransientError as error:
                pause = backoff.next()
                self.fault = f"{self.projection.name}: trying again: {error}"
                self._metrics.worker_retries.labels(self.projection.name).inc()
                _logger.warning(
                    "worker.retry", doing=doing, group=self.group, error=str(error), seconds=pause
                )
                await asyncio.sleep(pause)
            else:
                self.fault = None
                return result

    def _set(self, assigned: Mapping[int, int]) -> None:
        self.assigned = assigned
        self._metrics.worker_partitions.labels(self.projection.name).set(len(assigned))

    def _measure(self, folded: Folded, seconds: float) -> None:
        self._observer.batch(
            AppliedBatch(
                projection=self.projection.name,
                records=folded.applied,
                poisoned=folded.poisoned,
                contradictions=folded.contradictions,
                seconds=seconds,
            )
        )
        self._metrics.worker_dropped.labels(self.projection.name).inc(folded.dropped)
        if folded.poisoned:
            _logger.warning(
                "worker.set_aside",
                group=self.group,
                records=folded.poisoned,
                advice="see `shipledger deadletters list`",
            )


def batches(messages: Iterable[tuple[int, Stored]]) -> Iterator[tuple[int, list[Stored]]]:
    """Cut what came into batches of one partition, bounded in records and bytes.

    A record above the bound is a batch of its own.
    """
    by_partition: dict[int, list[Stored]] = {}
    for partition, message in messages:
        by_partition.setdefault(partition, []).append(message)
    for partition, stored in by_partition.items():
        batch: list[Stored] = []
        size = 0
        for message in stored:
            size += len(message.value or b"")
            if batch and (size > BATCH_BYTES or len(batch) == BATCH_RECORDS):
                yield partition, batch
                batch, size = [], len(message.value or b"")
            batch.append(message)
        yield partition, batch
