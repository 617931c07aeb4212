"""A stand-in for the issues of GitHub's REST API on loopback, with what it was sent."""

import json
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any
from urllib.parse import parse_qs, urlencode, urlsplit

TOKEN = "ghp_secret0123456789"


class IssuesStub:
    """Keeps issues by number, and lists them from the newest on, 100 a page.

    Without `links` a list names no other page; `lost_pages` come empty and name no next one.
    """

    def __init__(self, server: ThreadingHTTPServer) -> None:
        self.url = f"http://127.0.0.1:{server.server_address[1]}"
        self.issues: dict[int, dict[str, Any]] = {}
        self.sent: list[tuple[str, str]] = []
        self.reads = 0
        self.edit_before_read: int | None = None
        self.refuse: list[tuple[int, dict[str, str]]] = []
        self.lists: list[str] = []
        self.links = True
        self.lost_pages: set[int] = set()

    def add(self, **fields: Any) -> int:
        """Add an issue; return its number."""
        number = len(self.issues) + 1
        self.issues[number] = {"number": number, "title": "", "body": "", "labels": [], **fields}
        return number

    def page(self, path: str) -> tuple[list[dict[str, Any]], dict[str, str]]:
        """Return a page of a list, and its links."""
        self.lists.append(path)
        parts = urlsplit(path)
        query = {name: values[-1] for name, values in parse_qs(parts.query).items()}
        number = int(query.get("page", "1"))
        listed = [
            issue
            for issue in sorted(self.issues.values(), key=lambda issue: -issue["number"])
            if "labels" not in query or {"name": query["labels"]} in issue["labels"]
        ]
        last = -(-len(listed) // 100)
        if number in self.lost_pages:
            return [], {}
        links = [
            f'<{self.url}{parts.path}?{urlencode({**query, "page": at})}>; rel="{rel}"'
            for rel, at in (("next", number + 1), ("last", last))
            if number < last
        ]
        shown = listed[100 * (number - 1) : 100 * number]
        return shown, {"Link": ", ".join(links)} if links and self.links else {}

    def change(self, number: int, given: dict[str, Any]) -> dict[str, Any]:
        labels = [{"name": name} for name in given.pop("labels", [])]
        self.issues[number] |= {**given, "labels": labels}
        return self.issues[number]

    def read(self, number: int) -> dict[str, Any] | None:
        self.reads += 1
        if self.reads == self.edit_before_read:
            self.issues[number]["body"] += "\nA line that somebody added."
        return self.issues.get(number)


@contextmanager
def issues_stub() -> Iterator[IssuesStub]:
    """Run a stub."""

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            number = self.path.partition("?")[0].rpartition("/")[2]
            if number.isdecimal():
                found = stub.read(int(number))
                self._answer(404 if found is None else 200, found or {})
            else:
                shown, links = stub.page(self.path)
                self._answer(200, shown, links)

        def do_POST(self) -> None:
            self._changed(201)

        def do_PATCH(self) -> None:
            self._changed(200)

        def _changed(self, status: int) -> None:
            given = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
            stub.sent.append((self.command, self.path))
            if stub.refuse:
                refused, headers = stub.refuse.pop(0)
                self._answer(refused, {"message": "no"}, headers)
                return
            tail = self.path.rpartition("/")[2]
            number = int(tail) if tail.isdecimal() else stub.add()
            self._answer(status, stub.change(number, given))

        def _answer(self, status: int, body: Any, headers: dict[str, str] | None = None) -> None:
            raw = json.dumps(body).encode()
            self.send_response(status)
            for name, value in (headers or {}).items():
                self.send_header(name, value)
            self.send_header("Content-Length", str(len(raw)))
            self.end_headers()
            self.wfile.write(raw)

        def log_message(self, *_: object) -> None:
            """Say nothing."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    stub = IssuesStub(server)
    thread = threading.Thread(target=server.serve_forever, args=(0.01,))
    thread.start()
    try:
        yield stub
    finally:
        server.shutdown()
        thread.join()
        server.server_close()
