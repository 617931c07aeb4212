"""When the queue takes nothing more: W02 and W14, with the limits as the reason."""

import asyncio
import re
from collections.abc import Mapping
from pathlib import Path

import httpx
import pytest
from prometheus_client import CollectorRegistry

from events.instant import DAY, SECOND
from services.intake.webhooks import Ingest, Secrets
from services.logs.queue import QueueLimits, Room
from services.logs.queue import room as room_module
from services.logs.sqlite import SqliteLog
from services.processes.ingest import ingest_app
from services.runtime.telemetry import Metrics
from tests.services.intake.webhooks.gateway import SECRET, payload, request
from tests.services.logs.queue.queues import record
from tests.worlds import SetClock

BODY = payload("pull_request__closed_merged")


class Yard:
    """A queue whose forwarder is as far as a test says, behind the HTTP side of ingestion."""

    def __init__(self, folder: Path, limits: QueueLimits) -> None:
        self.clock = SetClock(1_780_000_000 * SECOND)
        self.queue = SqliteLog(folder / "queue.sqlite", clock=self.clock)
        self.forwarded = 0
        self.metrics = Metrics(CollectorRegistry())
        self.room = Room(
            queue=self.queue,
            folder=folder,
            forwarded=lambda: self.forwarded,
            limits=limits,
            clock=self.clock,
            metrics=self.metrics,
        )
        self.ingest = Ingest(
            log=self.queue,
            clock=self.clock,
            secrets=Secrets([SECRET]),
            metrics=self.metrics,
            lacking_room=self.room.lacking,
        )
        self.app = ingest_app(self.ingest, self.room, self.metrics)

    def ask(
        self, method: str, path: str, body: bytes = b"", headers: Mapping[str, str] | None = None
    ) -> httpx.Response:
        """Send one request."""

        async def send() -> httpx.Response:
            transport = httpx.ASGITransport(app=self.app)
            async with httpx.AsyncClient(transport=transport, base_url="http://yard") as client:
                return await client.request(method, path, content=body, headers=headers)

        return asyncio.run(send())


@pytest.fixture(autouse=True)
def _measured_each_time(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(room_module, "_FRESH", -1.0)


def test_what_waits_is_measured_from_the_queue(tmp_path: Path) -> None:
    yard = Yard(tmp_path, QueueLimits())
    yard.queue.append([record(n) for n in range(5)])
    yard.clock.now += 60 * SECOND
    yard.queue.append([record(5)])
    waiting = yard.room.measure()
    assert (waiting.records, waiting.seconds) == (6, 60)
    yard.forwarded = 5
    waiting = yard.room.measure()
    assert (waiting.records, waiting.seconds) == (1, 0)
    assert waiting.free_bytes > 0
    sample = yard.metrics.registry.get_sample_value
    assert sample("shipledger_forward_waiting_records") == 1
    assert sample("shipledger_forward_waiting_seconds") == 0
    assert (sample("shipledger_queue_disk_free_bytes") or 0) > 0
    yard.queue.close()


def test_rows_and_bytes_of_the_queue_are_scraped(tmp_path: Path) -> None:
    yard = Yard(tmp_path, QueueLimits())
    yard.queue.append([record(n) for n in range(5)])
    yard.forwarded = 5
    yard.queue.prune(before=5, recorded_before=yard.clock.now + DAY)
    text = yard.ask("GET", "/metrics").text
    assert "shipledger_queue_records 1.0\n" in text
    assert "shipledger_queue_remembered_records 4.0\n" in text
    (used,) = re.findall(r"^shipledger_queue_bytes (\S+)$", text, re.MULTILINE)
    assert 0 < float(used) < 1e6
    yard.queue.close()


@pytest.mark.parametrize(
    ("limits", "says"),
    [
        (QueueLimits(records=2), "2 records wait to be forwarded"),
        (QueueLimits(age_seconds=30), "has waited 60 s to be forwarded"),
        (QueueLimits(free_bytes=2**62), "bytes are free on the disk"),
    ],
)
def test_beyond_a_limit_deliveries_are_answered_503_until_there_is_room(
    tmp_path: Path, limits: QueueLimits, says: str
) -> None:
    yard = Yard(tmp_path, limits)
    yard.queue.append([record(0), record(1)])
    yard.clock.now += 60 * SECOND
    body, headers = request(BODY, delivery="D2")
    assert isinstance(body, bytes)
    yard.ingest.start()
    refused = yard.ask("POST", "/webhooks/github", body, headers)
    assert (refused.status_code, refused.json()["error"]) == (503, "queue_full")
    assert says in refused.json()["message"]
    assert refused.headers["Retry-After"] == "30"
    state = yard.ask("GET", "/readyz")
    assert state.status_code == 503
    assert says in state.json()["reasons"][0]
    assert "shipledger_ready 0.0" in yard.ask("GET", "/metrics").text
    assert yard.ask("GET", "/healthz").status_code == 200
    if limits.free_bytes < 2**62:
        yard.forwarded = 2
        replies = [yard.ask("POST", "/webhooks/github", body, headers) for _ in range(2)]
        assert [each.json()["outcome"] for each in replies] == ["stored", "duplicate"]
        assert yard.ask("GET", "/readyz").json() == {"ready": True, "reasons": []}
        assert "shipledger_ready 1.0" in yard.ask("GET", "/metrics").text
    yard.ingest.close()
    yard.queue.close()
