"""Sending with a bound: what is in flight is limited, acknowledgements come as futures.

A record that was not acknowledged in time may still be stored, and a record that is sent again may
be stored twice; readers drop the second by its id. After a failure the client is thrown away: its
state after lost acknowledgements is not something to build on.
"""

import threading
import time
from collections.abc import Sequence
from concurrent.futures import Future
from typing import Any

from kafka import KafkaProducer
from kafka import errors as kafka_errors

from events.errors import LogUnavailable
from services.config.kafka import KafkaSettings
from services.logs.kafka.clients import build, end_now, translated
from services.logs.kafka.codec import Message


class Budget:
    """Counts records and bytes in flight; one record above the bound may go alone.

    kafka-python itself has no such bound.
    """

    def __init__(self, records: int, size: int) -> None:
        self._records = records
        self._size = size
        self._used_records = 0
        self._used_size = 0
        self._changed = threading.Condition()

    def acquire(self, size: int, deadline: float) -> bool:
        """Take room for one record, waiting for it until the deadline (monotonic)."""
        with self._changed:
            while not self._fits(size):
                remaining = deadline - time.monotonic()
                if remaining <= 0:
                    return False
                self._changed.wait(remaining)
            self._used_records += 1
            self._used_size += size
            return True

    def release(self, size: int) -> None:
        """Give the room of one record back."""
        with self._changed:
            self._used_records -= 1
            self._used_size -= size
            self._changed.notify_all()

    @property
    def used(self) -> tuple[int, int]:
        """Return the records and bytes in flight."""
        with self._changed:
            return self._used_records, self._used_size

    def _fits(self, size: int) -> bool:
        if self._used_records == 0:
            return True
        return self._used_records < self._records and self._used_size + size <= self._size


class Gathering:
    """Collects the offsets of one append until all are there, or one has failed."""

    def __init__(self, count: int) -> None:
        self.future: Future[list[int]] = Future()
        self.future.set_running_or_notify_cancel()  # what is sent can't be called back
        self._offsets = [-1] * count
        self._missing = count
        self._failed = False
        self._lock = threading.Lock()

    def acknowledged(self, nth: int, offset: int) -> None:
        """Note that one record is stored."""
        with self._lock:
            self._offsets[nth] = offset
            self._missing -= 1
            complete = self._missing == 0
        if complete:
            self.future.set_result(self._offsets)

    def failed(self, error: BaseException) -> None:
        """Note that one record is, as far as we know, not stored."""
        with self._lock:
            if self._failed or self._missing == 0:
                return
            self._failed = True
        unavailable = LogUnavailable(f"appending: {type(error).__name__}: {error}")
        unavailable.__cause__ = error
        self.future.set_exception(unavailable)


class BoundedProducer:
    """Builds its client when first needed, in the thread that needs it; safe for threads."""

    def __init__(self, settings: KafkaSettings) -> None:
        self._settings = settings
        self._budget = Budget(settings.in_flight_records, settings.in_flight_bytes)
        self._client: Any = None
        self._building = threading.Lock()
        self._changing = threading.Lock()
        self._ending: threading.Thread | None = None

    @property
    def in_flight(self) -> tuple[int, int]:
        """Return the records and bytes sent and not yet acknowledged."""
        return self._budget.used

    def send(self, messages: Sequence[tuple[int, Message]], deadline: float) -> Gathering:
        """Hand messages with their partitions to the client, in order; may block for room.

        Who waits for the result no longer calls `failed` on it, which ends the client.
        """
        client = self._connected(deadline)
        gathering = Gathering(len(messages))
        gathering.future.add_done_callback(lambda future: self._drop_after_failure(client, future))
        for nth, (partition, message) in enumerate(messages):
            if gathering.future.done():
                break  # what follows a failed record must not be stored before it
            if not self._budget.acquire(message.size, deadline):
                error = TimeoutError("too much is in flight without an acknowledgement")
                gathering.failed(error)
                break
            try:
                self._send_one(client, partition, message, gathering, nth)
            except (kafka_errors.KafkaError, OSError) as error:
                self._budget.release(message.size)
                gathering.failed(error)
                break
        return gathering

    def _send_one(
        self, client: Any, partition: int, message: Message, gathering: Gathering, nth: int
    ) -> None:
        future = client.send(
            self._settings.topic,
            value=message.value,
            key=message.key,
            headers=message.headers,
            partition=partition,
        )
        size = message.size

        def acknowledged(metadata: Any) -> None:
            self._budget.release(size)
            gathering.acknowledged(nth, metadata.offset)

        def failed(error: BaseException) -> None:
            self._budget.release(size)
            gathering.failed(error)

        future.add_callback(acknowledged)
        future.add_errback(failed)

    def close(self) -> None:
        """Wait for what is in flight, within the append timeout, and close."""
        client = self._client
        seconds = self._settings.append_timeout
        if client is not None and self._forget(client):
            try:
                client.close(timeout=seconds)
            except kafka_errors.KafkaTimeoutError:
                end_now(client, seconds)
        if self._ending is not None:
            self._ending.join(seconds)

    def _connected(self, deadline: float) -> Any:
        remaining = deadline - time.monotonic()
        if remaining <= 0 or not self._building.acquire(timeout=remaining):
            raise LogUnavailable("appending: no connection in time")
        try:
            client = self._client
            if client is None:
                with translated("connecting"):
                    client = build(KafkaProducer, self._settings.producer_options(remaining))
                self._client = client
            return client
        finally:
            self._building.release()

    def _forget(self, client: Any) -> bool:
        """Let the next append build a new client; tell whether this one was still in use."""
        with self._changing:
            if self._client is not client:
                return False
            self._client = None
            return True

    def _drop_after_failure(self, client: Any, future: "Future[list[int]]") -> None:
        if future.exception() is not None and self._forget(client):
            # In a thread of its own: this one may be the client's, which closing waits for.
            seconds = self._settings.append_timeout
            self._ending = threading.Thread(
                target=end_now, args=(client, seconds), name="kafka-log-end", daemon=True
            )
            self._ending.start()
