"""Reading one partition in order, exactly as far as asked.

One consumer a partition stays where it is between reads, so that a rebuild streams. What was
fetched and not yet asked for waits here; it is bounded by one fetch.
"""

import threading
import time
from collections import deque
from collections.abc import Callable
from typing import Any

from kafka import KafkaConsumer, TopicPartition
from kafka.errors import KafkaTimeoutError

from events.errors import BrokenLog, LogUnavailable
from services.config.kafka import KafkaSettings
from services.logs.kafka.clients import build, translated
from services.logs.kafka.entries import Stored


class PartitionReader:
    """Safe for threads, which take turns; `end` asks the broker for the partition's end."""

    def __init__(self, settings: KafkaSettings, partition: int, end: Callable[[], int]) -> None:
        self._settings = settings
        self._partition = TopicPartition(settings.topic, partition)
        self._name = f"{settings.topic} {partition}"
        self._ask_end = end
        self._end = 0
        self._consumer: Any = None
        self._position = 0
        self._waiting: deque[Any] = deque()
        self._lock = threading.Lock()

    def read(self, position: int, limit: int, max_bytes: int) -> list[Stored]:
        """Return the messages from `position` on; see `events.log.port.Log.read`."""
        with self._lock:
            try:
                with translated(f"reading {self._name} at {position}"):
                    self._go_to(position)
                    return self._take(limit, max_bytes)
            except BaseException:
                self._drop()
                raise

    def close(self) -> None:
        """Close the consumer."""
        with self._lock:
            self._drop()

    def _go_to(self, position: int) -> None:
        if position != self._position:
            self._waiting.clear()
            self._position = position
            if self._consumer is not None:
                self._consumer.seek(self._partition, position)

    def _take(self, limit: int, max_bytes: int) -> list[Stored]:
        batch: list[Stored] = []
        size = 0
        while len(batch) < limit and (self._waiting or self._fetch(limit)):
            message = self._waiting[0]
            if message.offset != self._position:
                raise BrokenLog(
                    f"{self._name}: {self._position} is gone, the next is {message.offset}"
                )
            size += len(message.value or b"")
            if batch and size > max_bytes:
                break
            self._waiting.popleft()
            self._position += 1
            batch.append(_stored(message))
        return batch

    def _fetch(self, limit: int) -> bool:
        """Get more messages; tell whether there are any before the end of the partition."""
        if self._position >= self._end:
            self._end = self._ask_end()
            if self._position > self._end:
                raise BrokenLog(
                    f"{self._name}: position {self._position} lies beyond the end, {self._end}"
                )
            if self._position == self._end:
                return False
        consumer = self._connected()
        deadline = time.monotonic() + self._settings.read_timeout
        while time.monotonic() < deadline:
            polled = consumer.poll(timeout_ms=1000, max_records=limit)
            for message in polled.get(self._partition, ()):
                self._waiting.append(message)
            if self._waiting:
                return True
        raise KafkaTimeoutError(f"nothing came in {self._settings.read_timeout} s")

    def _connected(self) -> Any:
        if self._consumer is None:
            options = self._settings.consumer_options(self._settings.read_timeout)
            consumer = build(KafkaConsumer, options)
            self._consumer = consumer
            consumer.assign([self._partition])
            consumer.seek(self._partition, self._position)
        return self._consumer

    def _drop(self) -> None:
        consumer, self._consumer = self._consumer, None
        self._waiting.clear()
        self._end = 0
        if consumer is not None:
            consumer.close(timeout_ms=1000)


class PartitionEnds:
    """Asks for the ends of all partitions, on a connection of its own.

    A broker answers one connection's requests in order: behind a consumer's waiting fetch, this
    question would take as long as that fetch waits.
    """

    def __init__(self, settings: KafkaSettings) -> None:
        self._settings = settings
        self._partitions = [
            TopicPartition(settings.topic, number) for number in range(settings.partitions)
        ]
        self._consumer: Any = None
        self._lock = threading.Lock()

    def ends(self, timeout: float) -> dict[int, int]:
        """Return the position after the last message of every partition."""
        if not self._lock.acquire(timeout=timeout):
            raise LogUnavailable("asking for the ends: no turn in time")
        try:
            with translated("asking for the ends"):
                if self._consumer is None:
                    options = self._settings.consumer_options(timeout)
                    self._consumer = build(KafkaConsumer, options)
                offsets = self._consumer.end_offsets(self._partitions, timeout_ms=timeout * 1000)
                return {partition.partition: end for partition, end in offsets.items()}
        except BaseException:
            self._drop()
            raise
        finally:
            self._lock.release()

    def close(self) -> None:
        """Close the consumer."""
        with self._lock:
            self._drop()

    def _drop(self) -> None:
        consumer, self._consumer = self._consumer, None
        if consumer is not None:
            consumer.close(timeout_ms=1000)


def _stored(message: Any) -> Stored:
    return Stored(
        message.offset, message.timestamp, message.key, message.value, list(message.headers)
    )
