"""A server over real sockets: clients that send half of something, too much, or take nothing."""

import json
import socket
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import Any, Final

import pytest
import structlog

from services.runtime.connection_limits import ConnectionLimits, limits_of_process
from services.runtime.serving import HttpServer, listen

MIB: Final = 1024 * 1024
LIMIT: Final = 1000


async def application(scope: Any, receive: Any, send: Any) -> None:
    """Answer 413 to what announces much, the length of the body else; `/large` answers much."""
    if scope["type"] != "http":
        return
    headers = dict(scope["headers"])
    length, status = 0, 200
    if int(headers.get(b"content-length", b"0")) > LIMIT:
        status = 413
    elif scope["path"] != "/unread":
        while True:
            message = await receive()
            if message["type"] == "http.disconnect":
                return
            length += len(message["body"])
            if length > LIMIT:
                status = 413
            if status == 413 or not message["more_body"]:
                break
    content = b"x" * (32 * MIB if scope["path"] == "/large" else 0) or str(length).encode()
    answered = [(b"content-length", str(len(content)).encode())]
    if status == 413:
        answered.append((b"connection", b"close"))
    await send({"type": "http.response.start", "status": status, "headers": answered})
    await send({"type": "http.response.body", "body": content})


@contextmanager
def serving(**limits: Any) -> Iterator[int]:
    with listen("127.0.0.1", 0) as listening:
        port: int = listening.getsockname()[1]
        server = HttpServer(application, listening, ConnectionLimits(**limits))
        server.start()
        while not server.started:
            time.sleep(0.01)
        try:
            yield port
        finally:
            server.stop(5)


def connect(port: int) -> socket.socket:
    return socket.create_connection(("127.0.0.1", port), timeout=10)


def rest_of(connection: socket.socket) -> bytes:
    """Read to the end of the connection."""
    received = b""
    while piece := connection.recv(65536):
        received += piece
    return received


def answer_of(connection: socket.socket) -> bytes:
    """Read one answer with a content of one character; the connection stays."""
    received = b""
    while not received.partition(b"\r\n\r\n")[2]:
        received += connection.recv(65536)
    return received


def send_slowly(connection: socket.socket, mebibytes: int) -> None:
    for _ in range(mebibytes):
        connection.sendall(b"x" * MIB)
        time.sleep(0.01)


def head(path: str = "/", method: str = "GET", **headers: str) -> bytes:
    lines = [f"{method} {path} HTTP/1.1", "Host: here"]
    lines += [f"{name.replace('_', '-')}: {value}" for name, value in headers.items()]
    return "\r\n".join([*lines, "", ""]).encode()


def ask(port: int) -> bytes:
    with connect(port) as connection:
        connection.sendall(head(Connection="close"))
        return rest_of(connection)


def assert_serves(port: int) -> None:
    assert ask(port).startswith(b"HTTP/1.1 200 ")


@pytest.mark.parametrize(
    ("sent", "status"),
    [
        (b"", None),
        (b"GE", b"408"),
        (b"GET / HTTP/1.1\r\nHost: here\r\nX-", b"408"),
        (head(method="POST", Content_Length="10") + b"abc", b"408"),
        (head(method="POST", Transfer_Encoding="chunked") + b"3\r\nabc\r\n", b"408"),
        (head("/unread", "POST", Content_Length="10") + b"abc", b"200"),
    ],
)
def test_a_request_that_does_not_become_whole_ends_in_time(
    sent: bytes, status: bytes | None
) -> None:
    with serving(head_seconds=0.3, body_seconds=0.3) as port, connect(port) as connection:
        connection.sendall(sent)
        answer = rest_of(connection)
        assert answer[9:12] == (status or b"")
        if status == b"408":
            assert json.loads(answer.partition(b"\r\n\r\n")[2])["error"] == "too_slow"


@pytest.mark.parametrize(
    "begun",
    [
        b"GET / HTTP/1.1\r\n",
        head(method="POST", Content_Length="999"),
        head("/unread", "POST", Content_Length="999"),
        head() + b"GET /",
    ],
)
def test_a_byte_now_and_then_gives_no_more_time(begun: bytes) -> None:
    with serving(head_seconds=0.4, body_seconds=0.4) as port, connect(port) as connection:
        started = time.monotonic()
        connection.sendall(begun)
        with suppress(OSError):
            for _ in range(60):
                time.sleep(0.05)
                connection.sendall(b"x")
        assert time.monotonic() - started < 2.5


def test_a_connection_is_kept_for_many_requests_each_with_its_own_time() -> None:
    with serving(head_seconds=0.5, body_seconds=0.5) as port, connect(port) as connection:
        for _ in range(4):
            time.sleep(0.2)
            connection.sendall(head(method="POST", Content_Length="5") + b"ab")
            time.sleep(0.1)
            connection.sendall(b"cde")
            assert answer_of(connection).endswith(b"\r\n\r\n5")
        connection.sendall(2 * head() + head(Connection="close"))
        assert rest_of(connection).count(b"HTTP/1.1 200 ") == 3


@pytest.mark.parametrize("announced", [True, False])
@pytest.mark.parametrize("length", [2_000, 2 * MIB, 28 * MIB])
def test_what_is_too_large_gets_its_answer_although_all_of_it_is_sent_first(
    length: int, announced: bool
) -> None:
    body = b"x" * length
    framing = {"Content_Length": str(length)} if announced else {"Transfer_Encoding": "chunked"}
    if not announced:
        body = b"%x\r\n%b\r\n0\r\n\r\n" % (length, body)
    with serving() as port, connect(port) as connection:
        connection.sendall(head(method="POST", **framing))
        for start in range(0, len(body), MIB):
            connection.sendall(body[start : start + MIB])
            time.sleep(0.001)
        assert rest_of(connection).startswith(b"HTTP/1.1 413 ")
        assert_serves(port)


@pytest.mark.parametrize("limits", [{"linger_seconds": 0.3}, {"linger_bytes": 3 * MIB}])
def test_after_an_early_answer_not_everything_is_read(limits: dict[str, Any]) -> None:
    with serving(**limits) as port, connect(port) as connection:
        connection.sendall(head(method="POST", Content_Length=str(100 * MIB)))
        with pytest.raises(OSError):
            send_slowly(connection, 100)


@pytest.mark.parametrize(
    "sent", [b"\x16\x03\x01nonsense\r\n\r\n", b"GET / HTTP/1.1\r\nX: " + 3 * MIB * b"x"]
)
def test_what_is_no_http_is_answered_400(sent: bytes) -> None:
    with serving() as port, connect(port) as connection:
        connection.sendall(sent)
        assert rest_of(connection).startswith(b"HTTP/1.1 400 ")


def test_who_does_not_take_his_answer_is_left() -> None:
    with serving(stalled_seconds=0.3) as port, connect(port) as connection:
        connection.sendall(head("/large"))
        assert connection.recv(100).startswith(b"HTTP/1.1 200 ")
        time.sleep(1.2)
        assert len(rest_of(connection)) < 32 * MIB


def test_who_takes_his_answer_slowly_gets_all_of_it() -> None:
    with serving(stalled_seconds=0.3) as port, connect(port) as connection:
        connection.sendall(head("/large", Connection="close"))
        received = 0
        for _ in range(10):
            time.sleep(0.1)
            received += len(connection.recv(4 * MIB))
        assert received + len(rest_of(connection)) > 32 * MIB


def test_connections_that_wait_longest_give_way_to_new_ones() -> None:
    begun = [b"", b"GET / HTTP/1.1\r\nX-", head(method="POST", Content_Length="100") + b"x"]
    with serving(connections=20) as port:
        hostile = []
        for nth in range(300):
            hostile.append(connect(port))
            with suppress(OSError):
                hostile[-1].sendall(begun[nth % 3])
            if nth % 30 == 0:
                assert_serves(port)
        assert_serves(port)
        hostile[299].sendall(b"y" * 99)
        assert b" 200 OK" in hostile[299].recv(65536), "the latest one was still served"
        for connection in hostile:
            connection.close()


def test_where_all_are_served_a_further_one_is_refused_with_an_answer() -> None:
    with serving(connections=2, stalled_seconds=30) as port:
        busy = [connect(port) for _ in range(2)]
        for connection in busy:
            connection.sendall(head("/large"))
            assert connection.recv(100).startswith(b"HTTP/1.1 200 ")
        answer = ask(port)
        assert answer.startswith(b"HTTP/1.1 503 ")
        assert b"retry-after" in answer
        for connection in busy:
            connection.close()
        deadline = time.monotonic() + 5
        while not ask(port).startswith(b"HTTP/1.1 200 ") and time.monotonic() < deadline:
            time.sleep(0.05)
        assert_serves(port)


def test_half_a_request_does_not_hold_up_the_end() -> None:
    with listen("127.0.0.1", 0) as listening:
        port = listening.getsockname()[1]
        server = HttpServer(application, listening, ConnectionLimits())
        server.start()
        with connect(port) as silent, connect(port) as half:
            half.sendall(b"GET / HT")
            assert_serves(port)
            server.stop(3)
            assert rest_of(silent) == b""
    assert "http" not in {thread.name for thread in threading.enumerate()}


def test_what_happens_to_connections_is_logged_by_a_constant_name() -> None:
    with (
        structlog.testing.capture_logs() as lines,
        serving(head_seconds=0.2) as port,
        connect(port) as connection,
    ):
        connection.sendall(b"GET")
        rest_of(connection)
    assert [(line["event"], line["phase"]) for line in lines] == [("http.too_slow", "head")]


def test_a_process_keeps_files_for_what_else_it_opens() -> None:
    limits = limits_of_process()
    assert 8 <= limits.connections <= 1000
    assert 8 <= limits.accepted_at_once <= 512
