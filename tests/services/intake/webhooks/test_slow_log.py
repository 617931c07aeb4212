"""A log that is slow, full or down: W14, and what a failed append leaves behind (nothing)."""

import asyncio
import threading
import time
from collections.abc import Sequence

import httpx
import pytest

from events.errors import LogUnavailable
from events.log.memory import MemoryLog
from events.log.port import Appended
from events.record import Record
from services.intake.webhooks import Limits
from tests.services.intake.webhooks.gateway import Gateway, SteppingClock, payload, request

BODY = payload("pull_request__closed_merged")


class TroubledLog(MemoryLog):
    """A log that takes `delay` seconds an append, and fails while `down`."""

    def __init__(self) -> None:
        super().__init__(SteppingClock())
        self.delay = 0.0
        self.down = False
        self.batches: list[int] = []
        self.entered = threading.Event()
        self.gate = threading.Event()
        self.gate.set()

    def append(self, records: Sequence[Record]) -> list[Appended]:
        self.batches.append(len(records))
        self.entered.set()
        self.gate.wait(timeout=20)
        time.sleep(self.delay)
        if self.down:
            raise LogUnavailable("the disk is full")
        if any(record.id == "poison" for record in records):
            raise ValueError("a record that this log cannot take")
        return super().append(records)


async def post_at_intervals(
    gateway: Gateway, ids: Sequence[str], seconds: float
) -> list[tuple[str, httpx.Response, float]]:
    async def one(place: int, delivery: str) -> tuple[str, httpx.Response, float]:
        await asyncio.sleep(place * seconds)
        started = time.monotonic()
        (reply,) = await gateway.send([request(BODY, delivery=delivery)])
        return delivery, reply, time.monotonic() - started

    return await asyncio.gather(*(one(*numbered) for numbered in enumerate(ids)))


async def send_behind_an_append(
    gateway: Gateway, log: TroubledLog, names: Sequence[str]
) -> list[httpx.Response]:
    """Send D0, hold its append until all others wait in the queue, then let go; D0 not included."""
    log.gate.clear()
    async with asyncio.timeout(20):
        first = asyncio.create_task(gateway.send([request(BODY, delivery="D0")]))
        while not log.entered.is_set():
            await asyncio.sleep(0.01)
        rest = [request(BODY, delivery=name) for name in names]
        sending = asyncio.create_task(gateway.send(rest))
        while gateway.metric("ingest_queue_records") < len(names):
            await asyncio.sleep(0.01)
        log.gate.set()
        await first
        return await sending


def test_under_a_slow_log_every_delivery_is_answered_in_time_and_none_is_lost() -> None:
    """W14, a hundred times faster: acks take longer than the sender waits, then it recovers."""
    log = TroubledLog()
    log.delay = 0.4
    limits = Limits(answer_seconds=0.25, queue_records=20)
    ids = [f"D{number}" for number in range(200)]
    with Gateway(log, limits=limits) as gateway:
        replies = asyncio.run(post_at_intervals(gateway, ids, 0.01))
        assert max(seconds for _, _, seconds in replies) < limits.answer_seconds + 3
        assert {reply.status_code for _, reply, _ in replies} <= {202, 503}
        assert max(log.batches) <= limits.queue_records
        kept = {record.id for record in gateway.records()}
        assert {name for name, reply, _ in replies if reply.status_code == 202} <= kept

        failed = [name for name, reply, _ in replies if reply.status_code == 503]
        assert failed
        unavailable = {"event": "pull_request", "outcome": "unavailable"}
        assert gateway.metric("deliveries_total", **unavailable) == len(failed)
        first = gateway.metric("ingest_unavailable_first_timestamp_seconds")
        assert 0 < first <= gateway.metric("ingest_unavailable_last_timestamp_seconds")

        log.delay = 0
        time.sleep(0.5)  # the last slow append ends
        again = asyncio.run(post_at_intervals(gateway, failed, 0.005))
        assert {reply.status_code for _, reply, _ in again} <= {200, 202}
        assert sorted(record.id for record in gateway.records()) == sorted(ids)
        assert gateway.metric("ingest_queue_records") == 0


def test_a_failed_append_is_answered_503_and_the_redelivery_is_stored() -> None:
    """The part of W02 that is ingestion's: "seen" is what is durable, and nothing else."""
    log = TroubledLog()
    log.down = True
    with Gateway(log) as gateway:
        failed = gateway.post(BODY)
        assert (failed.status_code, failed.json()["error"]) == (503, "log_unavailable")
        assert failed.headers["Retry-After"] == "30"
        assert "the disk is full" in failed.json()["message"]
        assert gateway.records() == []
        log.down = False
        outcomes = [gateway.post(BODY).json()["outcome"] for _ in range(2)]
        assert outcomes == ["stored", "duplicate"]
        assert len(gateway.records()) == 1


def test_deliveries_that_gather_during_an_append_are_stored_by_the_next_one() -> None:
    log = TroubledLog()
    names = [f"D{number}" for number in range(1, 20)]
    with Gateway(log) as gateway:
        replies = asyncio.run(send_behind_an_append(gateway, log, names))
        assert {reply.status_code for reply in replies} == {202}
        assert log.batches == [1, 19]
        assert len(gateway.records()) == 20


def test_one_append_is_bounded_in_records_and_in_bytes() -> None:
    names = [f"D{number}" for number in range(1, 8)]
    by_records, by_bytes = TroubledLog(), TroubledLog()
    with Gateway(by_records, limits=Limits(batch_records=3)) as gateway:
        asyncio.run(send_behind_an_append(gateway, by_records, names))
    with Gateway(by_bytes, limits=Limits(batch_bytes=2 * len(BODY))) as gateway:
        asyncio.run(send_behind_an_append(gateway, by_bytes, names))
    assert by_records.batches == [1, 3, 3, 1]
    assert by_bytes.batches == [1, 2, 2, 2, 1]


def test_a_full_queue_refuses_at_once_and_takes_again_when_there_is_room() -> None:
    log = TroubledLog()
    log.gate.clear()
    limits = Limits(answer_seconds=0.3, queue_records=1)
    with Gateway(log, limits=limits) as gateway:
        stuck = [request(BODY, delivery=f"D{number}") for number in range(4)]
        replies = asyncio.run(gateway.send(stuck))
        assert {reply.status_code for reply in replies} == {503}
        assert {reply.json()["error"] for reply in replies} == {"log_too_slow", "log_unavailable"}
        assert gateway.metric("ingest_queue_records") == 0, "who gave up leaves nothing behind"
        log.gate.set()
        assert gateway.post(BODY, delivery="D9").status_code == 202


def test_one_record_that_the_log_cannot_take_does_not_take_others_with_it() -> None:
    log = TroubledLog()
    with Gateway(log) as gateway:
        replies = asyncio.run(send_behind_an_append(gateway, log, ["D1", "D2", "poison", "D3"]))
        assert [reply.status_code for reply in replies] == [202, 202, 500, 202]
        assert replies[2].json()["error"] == "internal_error"
        assert [record.id for record in gateway.records()] == ["D0", "D1", "D2", "D3"]


def test_closing_appends_what_waits_and_takes_no_more() -> None:
    log = TroubledLog()
    with Gateway(log) as gateway:
        gateway.post(BODY, delivery="D1")
    refused = gateway.post(BODY, delivery="D2")
    assert (refused.status_code, refused.json()["error"]) == (503, "log_unavailable")
    assert len(gateway.records()) == 1


@pytest.mark.parametrize("started", [True, False])
def test_closing_is_harmless_whether_started_or_not(started: bool) -> None:
    gateway = Gateway()
    if started:
        gateway.ingest.start()
    gateway.ingest.close()
    gateway.ingest.close()
