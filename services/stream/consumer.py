"""Faust's consumer, told by the database where to start and what to say to Kafka.

This leans on the inside of faust-streaming 0.15.3 (pinned): `seek_to_committed` is what Faust
calls after each rebalance, and its answer decides where the streams go on. Kafka's own committed
offsets are for those who watch a group with Kafka's tools: they are what the database says, so they
may lag and never lead, and losing them loses nothing.
"""

import asyncio
from collections.abc import AsyncIterator, Callable, Iterable, Mapping
from typing import Any, Final

import structlog
from faust.transport.drivers.aiokafka import AIOKafkaConsumerThread, ensure_aiokafka_TP
from faust.transport.drivers.aiokafka import Consumer as AioKafkaConsumer
from faust.types import TP

from events.errors import BrokenLog
from events.log.port import BATCH_BYTES
from services.stream.feed import Feed

#: Bytes of bodies that may wait in memory between Kafka and the database.
HELD_BYTES: Final = 2 * BATCH_BYTES
POLL_SECONDS: Final = 0.02

_logger = structlog.get_logger(__name__)


class HeldPartition:
    """Counts the bytes handed to the stream and not applied yet.

    What was applied is known from the positions, so messages that Faust throws away on the way, as
    it does at a rebalance, are not counted for ever: they come again under the same position.
    """

    def __init__(self, limit: int = HELD_BYTES) -> None:
        self._limit = limit
        self._sizes: dict[tuple[int, int], int] = {}
        self._total = 0

    def add(self, partition: int, position: int, size: int) -> None:
        """Count a message."""
        self._total += size - self._sizes.get((partition, position), 0)
        self._sizes[partition, position] = size

    def full(self, positions: Mapping[int, int]) -> bool:
        """Tell whether more has to wait; `positions` are the next ones, by partition."""
        if self._total < self._limit:
            return False
        self._sizes = {
            (partition, position): size
            for (partition, position), size in self._sizes.items()
            if position >= positions.get(partition, position + 1)
        }
        self._total = sum(self._sizes.values())
        return self._total >= self._limit


class _Thread(AIOKafkaConsumerThread):  # type: ignore[misc]  # Faust is not followed by mypy
    """Where aiokafka runs. A commit that fails is no reason to end: the database has the truth."""

    async def _commit(self, offsets: Mapping[Any, int]) -> bool:
        try:
            return await self._tell(offsets)
        except Exception as error:
            _logger.warning("worker.commit_failed", error=f"{type(error).__name__}: {error}")
            return False

    async def _tell(self, offsets: Mapping[Any, int]) -> bool:
        mine = self.assignment()
        committable = {ensure_aiokafka_TP(tp): at for tp, at in offsets.items() if tp in mine}
        if committable:
            await self._ensure_consumer().commit(committable)
        return bool(committable)


class DatabaseConsumer(AioKafkaConsumer):  # type: ignore[misc]  # as above
    """`on_fault` ends the process: what it is told cannot be gone on from."""

    def __init__(
        self, *given: Any, feed: Feed, on_fault: Callable[[BaseException], None], **named: Any
    ) -> None:
        self._feed = feed
        self._on_fault = on_fault
        self._held = HeldPartition()
        super().__init__(*given, **named)

    def _new_consumer_thread(self) -> _Thread:
        return _Thread(self, loop=self.loop, beacon=self.beacon)

    async def seek_to_committed(self) -> Mapping[Any, int]:
        """Go to where the database says the projection stands; called after each rebalance."""
        try:
            async with asyncio.timeout(0.8 * self.app.conf.broker_request_timeout):
                return await self._seek_to_database()
        except Exception as error:
            # Faust would go on from Kafka's offsets, or not go on and not say so.
            self._on_fault(error)
            raise

    async def _seek_to_database(self) -> Mapping[Any, int]:
        by_number = {tp.partition: tp for tp in self.assignment()}
        if not by_number:
            return {}
        starts = await self._feed.start_from(by_number)
        positions = {by_number[number]: position for number, position in starts.items()}
        begins = await self.earliest_offsets(*positions)
        for tp, position in positions.items():
            if begins[tp] > position:
                raise BrokenLog(
                    f"{tp.topic} {tp.partition}: the log begins at {begins[tp]}, and records from "
                    f"{position} on were not projected to {self._feed.projection.name} yet; "
                    "restore the log, or rebuild the projection and accept the gap"
                )
        await self.seek_wait(positions)
        return positions

    def _filter_committable_offsets(self, tps: Iterable[Any]) -> dict[Any, int]:
        super()._filter_committable_offsets(tps)  # it keeps Faust's own lists short
        positions = {tp: self._feed.assigned.get(tp.partition, 0) for tp in self.assignment()}
        return {tp: at for tp, at in positions.items() if at > (self._committed_offset[tp] or 0)}

    async def on_partitions_revoked(self, revoked: set[TP]) -> None:
        """Forget what other workers get now."""
        self._feed.revoked(tp.partition for tp in revoked)
        await super().on_partitions_revoked(revoked)

    async def on_partitions_assigned(self, assigned: set[TP], generation_id: int = 0) -> None:
        """Note that the group has spoken, also where it gives us nothing to do."""
        await super().on_partitions_assigned(assigned, generation_id)
        self._feed.joined = True

    async def getmany(self, timeout: float) -> AsyncIterator[tuple[Any, Any]]:
        """Give messages as long as there is room for their bytes."""
        async for tp, message in super().getmany(timeout):
            while (
                self._held.full(self._feed.assigned) and self.flow_active and not self.should_stop
            ):
                await asyncio.sleep(POLL_SECONDS)
            self._held.add(message.partition, message.offset, len(message.value or b""))
            yield tp, message
