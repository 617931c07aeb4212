"""A client that keeps some connections busy with deliveries, each under an id of its own.

`python -m tests.bench.load PORT CONNECTIONS` prints a line when it is ready. For each line with a
number of seconds it delivers for so long and prints one line of JSON: how many deliveries were
taken (2xx) and refused, the seconds, and the times to an answer. It is a process of its own, so
that it takes nothing from an interpreter that is measured.
"""

import itertools
import json
import selectors
import socket
import sys
import time
import uuid
from collections import Counter
from collections.abc import Iterator
from typing import Final

from services.simulator.delivery import Delivery
from tests.bench.deliveries import deliveries
from tests.service_process import SECRET

_BODY: Final = 22_000


def _request_of(delivery: Delivery) -> tuple[bytes, bytes]:
    """Return what is sent before the delivery's id, and after it."""
    headers = delivery.signed_headers(SECRET) | {"Content-Length": str(len(delivery.body))}
    del headers["X-GitHub-Delivery"]
    lines = ["POST /webhooks/github HTTP/1.1", "Host: here", "Accept: */*"]
    lines += [f"{name}: {value}" for name, value in headers.items()]
    return ("\r\n".join([*lines, "X-GitHub-Delivery: "]).encode(), b"\r\n\r\n" + delivery.body)


class _Connection:
    """One connection: a delivery is sent whole, then its answer is read whole."""

    def __init__(self, port: int, requests: Iterator[tuple[bytes, bytes]]) -> None:
        self.socket = socket.create_connection(("127.0.0.1", port))
        self.socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self._requests = requests
        self._answer = b""
        self.began = 0.0

    def send(self) -> None:
        """Send the next delivery."""
        before, after = next(self._requests)
        self._answer = b""
        self.began = time.perf_counter()
        self.socket.sendall(before + str(uuid.uuid4()).encode() + after)

    def receive(self) -> int | None:
        """Read what came; return the status once the answer is whole."""
        piece = self.socket.recv(65536)
        if not piece:
            raise ConnectionError("the server closed a connection")
        self._answer += piece
        head, _, content = self._answer.partition(b"\r\n\r\n")
        lower = head.lower()
        if b"\r\ntransfer-encoding: chunked" in lower:
            whole = content.endswith(b"0\r\n\r\n")
        else:
            length = lower.partition(b"\r\ncontent-length:")[2].partition(b"\r\n")[0]
            whole = len(content) >= int(length or sys.maxsize)
        return int(head[9:12]) if whole else None


def _deliver(waiting: selectors.BaseSelector, seconds: float) -> dict[str, float]:
    """Keep the connections busy for so many seconds; return what came of it."""
    statuses, times = Counter[int](), []
    began = time.perf_counter()
    while (now := time.perf_counter()) < began + seconds:
        for key, _ in waiting.select(1):
            status = key.data.receive()
            if status is not None:
                statuses[status] += 1
                times.append(time.perf_counter() - key.data.began)
                key.data.send()
    times.sort()
    taken = sum(count for status, count in statuses.items() if status < 300)
    return {
        "taken": taken,
        "refused": sum(statuses.values()) - taken,
        "seconds": now - began,
        "p50": times[len(times) // 2],
        "p99": times[len(times) * 99 // 100],
    }


def main(port: str, connections: str) -> None:
    """Deliver for as many seconds as each line on standard input says."""
    sent = deliveries(repositories=4, pulls=150, size=_BODY)
    requests = itertools.cycle([_request_of(delivery) for delivery in sent])
    waiting = selectors.DefaultSelector()
    for _ in range(int(connections)):
        connection = _Connection(int(port), requests)
        waiting.register(connection.socket, selectors.EVENT_READ, connection)
        connection.send()
    print("ready", flush=True)
    for line in sys.stdin:
        print(json.dumps(_deliver(waiting, float(line))), flush=True)


if __name__ == "__main__":
    main(*sys.argv[1:])
