"""`/healthz` is answered beside a large body that is examined: the event loop stays free.

Counted is what is answered between the beginning and the end of an examination, never time: in the
loop's own thread that is nothing, however fast the machine is.
"""

import asyncio
import json
import threading
from collections.abc import Callable
from contextlib import AbstractAsyncContextManager
from typing import Any, Final

import httpx
import pytest
from prometheus_client import CollectorRegistry

from services.intake.webhooks.ingest import WEBHOOK_PATH
from services.runtime.operations import operations_router
from services.runtime.telemetry import Metrics
from tests.services.intake.webhooks.gateway import Gateway, payload, request

_SIZE: Final = 1_000_000
#: Answers beside one examination; on a quiet machine there are dozens.
_FEWEST: Final = 3


def padded(unit: object) -> bytes:
    """Return an opened request with as many units beside it as make a megabyte."""
    body: dict[str, Any] = json.loads(payload("pull_request__opened"))
    written = json.dumps(unit, separators=(",", ":"))
    body["more"] = [unit] * (_SIZE // (len(written) + 1))
    return json.dumps(body, separators=(",", ":")).encode()


class Examined:
    """A gateway that says when an examination begins and ends."""

    def __init__(self, gateway: Gateway, during: Callable[[], None] = lambda: None) -> None:
        self.began, self.ended = threading.Event(), threading.Event()
        examine = gateway.ingest._examine

        def watched(*given: Any) -> Any:
            self.began.set()
            try:
                during()
                return examine(*given)
            finally:
                self.ended.set()

        gateway.ingest._examine = watched  # type: ignore[assignment, method-assign]
        gateway.behind.include_router(operations_router(Metrics(CollectorRegistry()), list))
        self._app = gateway.app

    async def answered_beside(self, body: bytes, told: Callable[[], None] = lambda: None) -> int:
        """Send a body and ask for health until it is answered; count answers in between."""
        content, headers = request(body)
        assert isinstance(content, bytes)
        count = 0
        async with self._client() as client:
            sending = asyncio.create_task(
                client.post(WEBHOOK_PATH, content=content, headers=headers, timeout=60)
            )
            while not sending.done():
                await asyncio.sleep(0)  # nothing else here waits for anything
                beside = self.began.is_set() and not self.ended.is_set()
                assert (await client.get("/healthz")).json() == {"status": "alive"}
                if beside and not self.ended.is_set():
                    count += 1
                    told()
            assert (await sending).status_code == 202
        return count

    def _client(self) -> AbstractAsyncContextManager[httpx.AsyncClient]:
        transport = httpx.ASGITransport(app=self._app)
        return httpx.AsyncClient(transport=transport, base_url="http://ingest")


def test_health_is_answered_while_an_examination_waits_for_just_that() -> None:
    answered = threading.Event()
    waited: list[bool] = []
    with Gateway() as gateway:
        examined = Examined(gateway, lambda: waited.append(answered.wait(10)))
        assert asyncio.run(examined.answered_beside(padded("a"), answered.set)) >= 1
    assert waited == [True]


@pytest.mark.parametrize("unit", [[], {}, {"a": [1]}], ids=str)
def test_health_is_answered_again_and_again_beside_a_body_that_takes_long(unit: object) -> None:
    counts: list[int] = []
    for _ in range(5):  # another process may have had the core
        with Gateway() as gateway:
            counts.append(asyncio.run(Examined(gateway).answered_beside(padded(unit))))
        if counts[-1] >= _FEWEST:
            return
    assert counts == []
