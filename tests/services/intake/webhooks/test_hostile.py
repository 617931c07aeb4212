"""Deliveries go on to be taken while others hold connections, send slowly, or send too much."""

import io
import json
import socket
import threading
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress

import httpx
import pytest

from services.intake.webhooks import Limits
from services.intake.webhooks.ingest import WEBHOOK_PATH
from services.intake.webhooks.limits import MIB
from services.runtime.connection_limits import ConnectionLimits
from services.runtime.serving import HttpServer, address_of, listen
from services.runtime.telemetry import configure_logging
from tests.service_process import Shipledger
from tests.services.intake.webhooks.gateway import Gateway, request
from tests.services.runtime.telemetry.test_logging import _restored_logging

__all__ = ["_restored_logging"]

_POST = f"POST {WEBHOOK_PATH} HTTP/1.1\r\nHost: here\r\n"
_DELIVERY = "X-GitHub-Event: push\r\nX-GitHub-Delivery: D\r\nContent-Type: application/json\r\n"
#: What is sent first, and what then now and then: unfinished heads, bodies that do not end.
HOSTILE: Sequence[tuple[bytes, bytes]] = (
    (b"", b""),
    (b"GET /healthz HT", b"T"),
    (f"{_POST}X-A: b\r\nX-".encode(), b"x"),
    (f"{_POST}{_DELIVERY}Content-Length: 100000\r\n\r\n{{".encode(), b" "),
    (f"{_POST}{_DELIVERY}Transfer-Encoding: chunked\r\n\r\n1\r\n".encode(), b"{\r\n1\r\n"),
    (b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc", b"\r\n\r\n"),
)


@contextmanager
def served(gateway: Gateway, limits: ConnectionLimits) -> Iterator[str]:
    with listen("127.0.0.1", 0) as listening:
        server = HttpServer(gateway.app, listening, limits)
        server.start()
        while not server.started:
            time.sleep(0.01)
        try:
            yield address_of(listening)
        finally:
            server.stop(5)


@contextmanager
def besieged(address: str, connections: int) -> Iterator[None]:
    """Hold so many hostile connections, opening each again that was closed."""
    host, port = address.removeprefix("http://").split(":")
    ending = threading.Event()

    def hold(nth: int) -> socket.socket:
        connection = socket.create_connection((host, int(port)), timeout=5)
        connection.setblocking(False)
        connection.send(HOSTILE[nth % len(HOSTILE)][0])
        return connection

    def besiege() -> None:
        held: dict[int, socket.socket] = {}
        while not ending.is_set():
            for nth in range(connections):
                with suppress(OSError):
                    if nth not in held:
                        held[nth] = hold(nth)
                    held[nth].send(HOSTILE[nth % len(HOSTILE)][1])
                    continue
                if nth in held:
                    held.pop(nth).close()
            ending.wait(0.05)
        for connection in held.values():
            connection.close()

    siege = threading.Thread(target=besiege)
    siege.start()
    try:
        time.sleep(0.5)
        yield
    finally:
        ending.set()
        siege.join()


def post(client: httpx.Client, delivery: str) -> int:
    body, headers = request(delivery=delivery)
    assert isinstance(body, bytes)
    return client.post(WEBHOOK_PATH, content=body, headers=headers).status_code


def test_deliveries_are_taken_while_hostile_connections_are_held() -> None:
    stream = io.StringIO()
    configure_logging("json", stream=stream)
    gateway = Gateway(limits=Limits(answer_seconds=2))
    limits = ConnectionLimits(connections=100, head_seconds=1, body_seconds=3)
    with served(gateway, limits) as address, besieged(address, 300):
        with httpx.Client(base_url=address, timeout=10) as kept:
            taken = [post(kept, f"K{nth}") for nth in range(10)]
        for nth in range(10):
            with httpx.Client(base_url=address, timeout=10) as fresh:
                taken.append(post(fresh, f"F{nth}"))
            time.sleep(0.1)
    assert taken == [202] * 20
    assert len(gateway.records()) == 20
    assert len(stream.getvalue()) < 150_000, "the log is bounded, whatever is sent"
    events = [json.loads(line)["event"] for line in stream.getvalue().splitlines()]
    assert events.count("http.gave_way") <= 100


def test_up_goes_on_while_hostile_connections_are_held(up: Shipledger) -> None:
    """The whole program, with the limits that it has."""
    with besieged(up.address, 300):
        for _ in range(10):
            with httpx.Client(base_url=up.address, timeout=10) as client:
                assert client.get("/healthz").status_code == 200
                refused = client.post(WEBHOOK_PATH, content=b"{}").status_code
                assert refused == 400
            time.sleep(0.1)
    assert len(up.errors) < 150_000


@pytest.mark.parametrize("announced", [True, False])
def test_28_mebibytes_are_answered_413_and_not_reset(announced: bool) -> None:
    pieces = [b"x" * MIB] * 28
    gateway = Gateway()
    with served(gateway, ConnectionLimits()) as address:
        _, headers = request(b"", secret=None)
        content = b"".join(pieces) if announced else iter(pieces)
        answer = httpx.post(
            f"{address}{WEBHOOK_PATH}", content=content, headers=headers, timeout=20
        )
    assert (answer.status_code, answer.json()["error"]) == (413, "body_too_large")
