"""A stand-in for a language model's endpoint on loopback, with what it was asked."""

import json
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, HTTPServer
from threading import Thread
from typing import Any

Answer = Callable[[dict[str, Any]], tuple[int, bytes]]
"""From the body of a question to a status and a body."""


class ModelStub:
    """Where it is, and each question as (path, headers, body)."""

    def __init__(self, port: int) -> None:
        self.url = f"http://127.0.0.1:{port}/v1"
        self.asked: list[tuple[str, dict[str, str], dict[str, Any]]] = []


def completion(content: str | None, **fields: Any) -> bytes:
    """Return an answer that says something."""
    return json.dumps({"choices": [{"message": {"content": content, **fields}}]}).encode()


def always(body: bytes, status: int = 200) -> Answer:
    """Answer every question alike."""
    return lambda _: (status, body)


@contextmanager
def model_stub(answer: Answer) -> Iterator[ModelStub]:
    """Run a stub."""

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            given = json.loads(self.rfile.read(int(self.headers["content-length"])))
            headers = {name.lower(): value for name, value in self.headers.items()}
            stub.asked.append((self.path, headers, given))
            status, body = answer(given)
            self.send_response(status)
            self.send_header("content-length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *_: object) -> None:
            """Say nothing."""

    server = HTTPServer(("127.0.0.1", 0), Handler)
    stub = ModelStub(server.server_port)
    thread = Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
    thread.start()
    try:
        yield stub
    finally:
        server.shutdown()
        thread.join()
        server.server_close()
