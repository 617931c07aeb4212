"""The log on one Kafka topic.

It promises what `events.log.port.Log` promises, with two limits that come from Kafka: an append
that fails may have stored some of its records, and a record sent twice is stored twice (readers
drop the second by its id). `recorded_at` is the broker's time, made to rise by a fold that starts
from the cursor, so it is the same for every reader and every batch size.
"""

import asyncio
import threading
import time
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from typing import Final

from events.errors import ConfigurationError, InvalidEvent, LogUnavailable, NotFound
from events.identity import RepositoryKey
from events.log.port import BATCH_BYTES, BATCH_RECORDS, Appended, Cursor
from events.record import Entry, Record
from services.config.kafka import RECORD_BYTES, KafkaSettings
from services.logs.kafka.codec import Message, encode, partition_of
from services.logs.kafka.entries import PartitionName, entries_of
from services.logs.kafka.producer import BoundedProducer, Gathering
from services.logs.kafka.reader import PartitionEnds, PartitionReader
from services.logs.kafka.topic import ensure_topic, partitions_of

#: How often `wait` asks whether something was appended.
LOOK_SECONDS: Final = 0.05


class KafkaLog:
    """Partition = the number of a Kafka partition, as text; connects when first used."""

    def __init__(self, settings: KafkaSettings, *, grown: bool = False) -> None:
        """`grown`: only to be read, by `open_grown`."""
        self._settings = settings
        self._grown = grown
        self._producer = BoundedProducer(settings)
        self._ends = PartitionEnds(settings)
        self._readers = {
            str(number): PartitionReader(settings, number, self._end_of(number))
            for number in range(settings.partitions)
        }
        self._checked = grown
        self._checking = threading.Lock()
        self._told: dict[int, int] = {}
        self._stands: dict[int, int] = {}
        # One thread: appends are handed over in the order in which they were asked for.
        self._submitter = ThreadPoolExecutor(1, thread_name_prefix="kafka-log-append")

    def prepare(self, timeout: float | None = None) -> None:
        """Make or check the topic, once; raise ConfigurationError where it is not as it must be.

        Every method does it at its first use; a process calls it at its start, to fail there.
        """
        if self._checked:
            return
        timeout = self._settings.read_timeout if timeout is None else timeout
        if not self._checking.acquire(timeout=timeout):
            raise LogUnavailable("looking at the topic: no turn in time")
        try:
            if not self._checked:
                ensure_topic(self._settings, timeout)
                self._checked = True
        finally:
            self._checking.release()

    @property
    def partitions(self) -> tuple[str, ...]:
        """Return the names of all partitions, also of those without records."""
        return tuple(self._readers)

    @property
    def in_flight(self) -> tuple[int, int]:
        """Return the records and bytes sent and not yet acknowledged."""
        return self._producer.in_flight

    def partition_of(self, repository: RepositoryKey) -> str:
        """Return the partition that holds a repository's records."""
        return str(partition_of(repository, self._settings.partitions))

    # Appending

    def append(self, records: Sequence[Record]) -> list[Appended]:
        """See `Log.append`; raise InvalidEvent, before anything is sent, for one too large."""
        deadline = self._deadline()
        messages = self._messages(records)
        if not messages:
            return []
        gathering = self._submit(messages, deadline)
        try:
            offsets = gathering.future.result(deadline - time.monotonic())
        except TimeoutError as error:
            gathering.failed(error)
            raise self._late() from error
        return _appended(records, messages, offsets)

    async def append_async(self, records: Sequence[Record]) -> list[Appended]:
        """Do what `append` does without blocking the event loop."""
        deadline = self._deadline()
        messages = self._messages(records)
        if not messages:
            return []
        loop = asyncio.get_running_loop()
        gathering = None
        try:
            async with asyncio.timeout_at(loop.time() + deadline - time.monotonic()):
                gathering = await loop.run_in_executor(
                    self._submitter, self._submit, messages, deadline
                )
                offsets = await asyncio.wrap_future(gathering.future)  # by call_soon_threadsafe
        except TimeoutError as error:
            if gathering is not None:
                gathering.failed(error)
            raise self._late() from error
        return _appended(records, messages, offsets)

    def _submit(self, messages: Sequence[tuple[int, Message]], deadline: float) -> Gathering:
        self.prepare(max(0.0, deadline - time.monotonic()))
        return self._producer.send(messages, deadline)

    def _messages(self, records: Sequence[Record]) -> list[tuple[int, Message]]:
        if self._grown:
            raise ConfigurationError(f"topic {self._settings.topic} was grown; it is only read")
        messages = []
        for record in records:
            message = encode(record)
            if message.size > RECORD_BYTES:
                raise InvalidEvent(f"{record.id}: {message.size} bytes are more than a log takes")
            partition = partition_of(record.repository, self._settings.partitions)
            messages.append((partition, message))
        return messages

    def _deadline(self) -> float:
        return time.monotonic() + self._settings.append_timeout

    def _late(self) -> LogUnavailable:
        return LogUnavailable(f"not acknowledged within {self._settings.append_timeout} s")

    # Reading

    def read(
        self,
        partition: str,
        cursor: Cursor,
        *,
        limit: int = BATCH_RECORDS,
        max_bytes: int = BATCH_BYTES,
    ) -> list[Entry]:
        """See `Log.read`."""
        self.prepare()
        reader = self._readers.get(partition)
        if reader is None:
            raise NotFound(f"{self._settings.topic} has no partition {partition}")
        stored = reader.read(cursor.position, limit, max_bytes)
        count = 0 if self._grown else self._settings.partitions
        where = PartitionName(self._settings.topic, count, int(partition))
        entries = list(entries_of(where, stored, cursor.recorded_at))
        self._stands[int(partition)] = cursor.position + len(entries)
        return entries

    def ends(self) -> dict[str, int]:
        """See `Log.ends`."""
        self.prepare()
        self._told = self._ends.ends(self._settings.read_timeout)
        return {str(number): end for number, end in sorted(self._told.items()) if end > 0}

    def wait(self, timeout: float) -> None:
        """See `Log.wait`: asks until there is more than `ends` last told, or `read` last gave."""
        deadline = time.monotonic() + timeout
        before = self._told
        while (remaining := deadline - time.monotonic()) > 0:
            time.sleep(min(LOOK_SECONDS, remaining))
            try:
                ends = self._ends.ends(max(remaining, LOOK_SECONDS))
            except LogUnavailable:
                continue  # the next read says so
            before = before or ends
            if ends != before or any(ends[n] > at for n, at in self._stands.items()):
                self._told = ends
                return

    def close(self) -> None:
        """See `Log.close`."""
        self._submitter.shutdown()
        self._producer.close()
        self._ends.close()
        for reader in self._readers.values():
            reader.close()

    def _end_of(self, number: int) -> Callable[[], int]:
        return lambda: self._ends.ends(self._settings.read_timeout)[number]


def open_grown(settings: KafkaSettings) -> KafkaLog:
    """Open a topic to which partitions were added, to copy it into another one.

    Records of one repository lie in two of its partitions, in the order of `recorded_at`.
    """
    count = partitions_of(settings, settings.read_timeout)
    return KafkaLog(replace(settings, partitions=count), grown=True)


def _appended(
    records: Sequence[Record], messages: Sequence[tuple[int, Message]], offsets: Sequence[int]
) -> list[Appended]:
    return [
        Appended(record_id=record.id, partition=str(partition), position=offset, outcome="stored")
        for record, (partition, _), offset in zip(records, messages, offsets, strict=True)
    ]
