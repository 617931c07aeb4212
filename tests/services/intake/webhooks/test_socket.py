"""Through a real server and a real socket, where bodies arrive in pieces."""

import asyncio
import json
import socket
import threading
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any

import uvicorn

from events.facts.pull_request import PullRequestObserved
from services.intake.webhooks import Limits
from services.intake.webhooks.ingest import WEBHOOK_PATH
from services.intake.webhooks.limits import MIB
from tests.services.intake.webhooks.gateway import Gateway, payload, request


@contextmanager
def served(gateway: Gateway) -> Iterator[int]:
    """Serve the application on a free port; its lifespan starts and closes ingestion."""
    listener = socket.create_server(("127.0.0.1", 0))
    server = uvicorn.Server(uvicorn.Config(gateway.app, log_config=None, lifespan="on", ws="none"))
    thread = threading.Thread(target=lambda: asyncio.run(server.serve([listener])))
    thread.start()
    try:
        while not server.started:
            time.sleep(0.01)
        yield listener.getsockname()[1]
    finally:
        server.should_exit = True
        thread.join()
        listener.close()


def exchange(port: int, headers: Mapping[str, str], *pieces: bytes) -> tuple[int, Any]:
    """Send the pieces one by one, and read the answer."""
    lines = [f"POST {WEBHOOK_PATH} HTTP/1.1", "Host: ingest"]
    lines += [f"{name}: {value}" for name, value in headers.items()]
    with socket.create_connection(("127.0.0.1", port), timeout=20) as connection:
        connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        connection.sendall("\r\n".join([*lines, "", ""]).encode())
        for piece in pieces:
            time.sleep(0.05)
            connection.sendall(piece)
        with connection.makefile("rb") as reader:
            status = int(reader.readline().split()[1])
            length = 0
            while line := reader.readline().strip():
                name, _, value = line.partition(b":")
                length = int(value) if name.lower() == b"content-length" else length
            return status, json.loads(reader.read(length))


def test_a_character_split_over_two_network_packets_is_kept_whole() -> None:
    """W07, as it happens: signature and title are those of the whole body."""
    title = "Fa\u00e7ade \u2026 \U0001f6a2"
    body, headers = request(payload("pull_request__opened", pull_request__title=title))
    assert isinstance(body, bytes)
    cuts = [body.index(character.encode()) + 1 for character in "\u00e7\u2026\U0001f6a2"]
    pieces = [body[a:b] for a, b in zip([0, *cuts], [*cuts, len(body)], strict=True)]
    gateway = Gateway()
    with served(gateway) as port:
        headers["Content-Length"] = str(len(body))
        assert exchange(port, headers, *pieces)[0] == 202
    (fact, _) = gateway.facts()
    assert isinstance(fact, PullRequestObserved)
    assert fact.title == title


def test_too_large_a_body_is_answered_before_it_was_sent() -> None:
    """W10. The sender has announced 30 MiB and sent nothing of it yet."""
    gateway = Gateway()
    with served(gateway) as port:
        _, headers = request(b"", secret=None)
        headers["Content-Length"] = str(30 * MIB)
        status, content = exchange(port, headers)
    assert (status, content["error"]) == (413, "body_too_large")


def test_a_body_that_does_not_come_is_not_waited_for_without_end() -> None:
    gateway = Gateway(limits=Limits(answer_seconds=0.3))
    with served(gateway) as port:
        body, headers = request()
        assert isinstance(body, bytes)
        headers["Content-Length"] = str(len(body))
        status, content = exchange(port, headers, body[:100])
    assert (status, content["error"]) == (408, "body_too_slow")
    assert gateway.records() == []
