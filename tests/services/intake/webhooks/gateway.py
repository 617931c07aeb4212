"""A webhook address to send to, put together as in production but for the log and the clock."""

import asyncio
import json
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import asynccontextmanager
from types import TracebackType
from typing import Any, Final, Self

import httpx
from fastapi import FastAPI
from prometheus_client import CollectorRegistry

from events.facts.base import Fact
from events.instant import SECOND, parse_instant
from events.log.memory import MemoryLog
from events.log.port import START, Log
from events.record import JSON, Record
from events.translate import translate
from services.intake.webhooks import (
    Ingest,
    Limits,
    Policy,
    Secrets,
    deliveries_first,
    webhook_router,
)
from services.intake.webhooks.ingest import WEBHOOK_PATH
from services.intake.webhooks.signature import sign
from services.runtime.telemetry.metrics import Metrics
from tests import places

SECRET: Final = "a secret of the tests"
PAYLOADS: Final = places.PAYLOADS / "github"

Body = bytes | AsyncIterator[bytes]


class SteppingClock:
    """A clock that moves by one second at each look, and further when it is told to."""

    def __init__(self, start: str = "2026-03-07T10:00:00Z") -> None:
        self.now = parse_instant(start)

    def __call__(self) -> int:
        self.now += SECOND
        return self.now

    def advance(self, seconds: int) -> None:
        """Let time pass."""
        self.now += seconds * SECOND


def application(ingest: Ingest) -> FastAPI:
    """Return an application that does nothing but receive deliveries."""

    @asynccontextmanager
    async def lifespan(_: FastAPI) -> AsyncIterator[None]:
        ingest.start()
        try:
            yield
        finally:
            ingest.close()

    app = FastAPI(title="Shipledger ingestion", lifespan=lifespan)
    app.include_router(webhook_router(ingest))
    return app


class Gateway:
    """The application, its log and its metrics; `with` starts and closes ingestion."""

    def __init__(
        self,
        log: Log | None = None,
        *,
        secrets: Secrets | None = None,
        limits: Limits | None = None,
        policy: Policy | None = None,
        clock: SteppingClock | None = None,
    ) -> None:
        self.clock = clock or SteppingClock()
        self.log = log or MemoryLog(self.clock)
        self.registry = CollectorRegistry()
        self.ingest = Ingest(
            log=self.log,
            clock=self.clock,
            secrets=secrets or Secrets([SECRET]),
            metrics=Metrics(self.registry),
            limits=limits,
            policy=policy,
        )
        #: What stands behind the short way.
        self.behind = application(self.ingest)
        self.app = deliveries_first(self.ingest, self.behind)

    def __enter__(self) -> Self:
        self.ingest.start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.ingest.close()

    def post(
        self,
        body: Body | None = None,
        headers: Mapping[str, str | None] | None = None,
        **delivery: Any,
    ) -> httpx.Response:
        """Send one delivery; see `request` for what can be said about it."""
        return asyncio.run(self.send([request(body, headers, **delivery)]))[0]

    async def send(
        self, requests: Sequence[tuple[Body, Mapping[str, str]]]
    ) -> list[httpx.Response]:
        """Send deliveries at the same time."""
        transport = httpx.ASGITransport(app=self.app, raise_app_exceptions=False)
        async with httpx.AsyncClient(transport=transport, base_url="http://ingest") as client:
            return await asyncio.gather(
                *(
                    client.post(WEBHOOK_PATH, content=body, headers=headers, timeout=60)
                    for body, headers in requests
                )
            )

    def records(self, partition: str | None = None) -> list[Record]:
        """Return what the log holds, by partition and position."""
        names = sorted(self.log.ends()) if partition is None else [partition]
        return [entry.record for name in names for entry in self._read(name)]

    def facts(self, partition: str | None = None) -> list[Fact]:
        """Return the facts of all that the log holds."""
        return [fact for record in self.records(partition) for fact in translate(record).facts]

    def metric(self, name: str, **labels: str) -> float:
        """Return the value of a metric, 0 where it was never touched."""
        return self.registry.get_sample_value(f"shipledger_{name}", labels) or 0

    def _read(self, partition: str) -> list[Any]:
        return self.log.read(partition, START, limit=1_000_000, max_bytes=2**40)


def payload(case: str, **changes: Any) -> bytes:
    """Return a stored payload, with some of its pull request's or top-level fields changed."""
    body = json.loads((PAYLOADS / f"{case}.json").read_text(encoding="utf-8"))
    for path, value in changes.items():
        *parents, last = path.split("__")
        target = body
        for parent in parents:
            target = target[parent]
        target[last] = value
    return json.dumps(body, ensure_ascii=False).encode()


def request(
    body: Body | None = None,
    headers: Mapping[str, str | None] | None = None,
    *,
    event: str = "pull_request",
    delivery: str = "D1",
    secret: str | None = SECRET,
    content_type: str = JSON,
) -> tuple[Body, dict[str, str]]:
    """Return body and headers as GitHub would send them; `headers` changes them, None removes one.

    A streamed body is not signed.
    """
    content = payload("pull_request__opened") if body is None else body
    sent = {
        "X-GitHub-Event": event,
        "X-GitHub-Delivery": delivery,
        "X-GitHub-Hook-ID": "321",
        "X-GitHub-Hook-Installation-Target-Type": "repository",
        "X-GitHub-Hook-Installation-Target-ID": "1001",
        "User-Agent": "GitHub-Hookshot/0000000",
        "Content-Type": content_type,
    }
    if secret is not None and isinstance(content, bytes):
        sent["X-Hub-Signature-256"] = sign(secret, content)
    changed = {**sent, **(headers or {})}
    return content, {name: value for name, value in changed.items() if value is not None}
