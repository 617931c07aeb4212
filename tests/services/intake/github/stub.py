"""A stand-in for GitHub's REST API on loopback: a test says what it answers, in order."""

import json
import threading
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

TOKEN = "ghp_secret0123456789"
HEAD = "a" * 40


@dataclass
class Answer:
    """One answer; a body that is no bytes is sent as JSON."""

    body: Any = b""
    status: int = 200
    headers: Mapping[str, str] = field(default_factory=dict)


@dataclass
class Asked:
    """What the stub was asked for."""

    path: str
    headers: Mapping[str, str]


class Stub:
    """Answers in the order given, the last one again and again."""

    def __init__(self, server: ThreadingHTTPServer) -> None:
        self.url = f"http://127.0.0.1:{server.server_address[1]}"
        self.asked: list[Asked] = []
        self.answers: list[Answer] = []

    def will(self, *answers: Answer) -> None:
        """Set what is answered from now on."""
        self.answers = list(answers)

    def next(self) -> Answer:
        return self.answers.pop(0) if len(self.answers) > 1 else self.answers[0]


@contextmanager
def stub_api() -> Iterator[Stub]:
    """Run a stub."""

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            headers = {name.lower(): value for name, value in self.headers.items()}
            stub.asked.append(Asked(self.path, headers))
            answer = stub.next()
            body = answer.body
            raw = body if isinstance(body, bytes) else json.dumps(body).encode()
            self.send_response(answer.status)
            for name, value in answer.headers.items():
                self.send_header(name, value.replace("{url}", stub.url))
            self.send_header("Content-Length", str(len(raw)))
            self.end_headers()
            self.wfile.write(raw)

        def log_message(self, *_: object) -> None:
            """Say nothing."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    stub = Stub(server)
    thread = threading.Thread(target=server.serve_forever, args=(0.01,))
    thread.start()
    try:
        yield stub
    finally:
        server.shutdown()
        thread.join()
        server.server_close()


def files(*names: str, head: str = HEAD) -> list[dict[str, str]]:
    """Return files as the API lists them."""
    return [
        {"filename": name, "status": "modified", "contents_url": f"https://x/c/{name}?ref={head}"}
        for name in names
    ]


def pages(*each: Sequence[dict[str, str]]) -> list[Answer]:
    """Return a list over several pages, each with a link to the next one."""
    last = len(each) - 1
    return [
        Answer(
            list(page),
            headers={"ETag": f'"{nth}"'}
            | ({"Link": f'<{{url}}/page/{nth + 1}>; rel="next"'} if nth < last else {}),
        )
        for nth, page in enumerate(each)
    ]
