"""The program as its users meet it, in this process: commands, and routes of its application.

The one place of the goldens that names modules of the program: the entry of the command line, the
application, the simulator. Where these move, this file is pointed at them, and nothing else is.
The clock is set through `time.time_ns`, which is all that the program reads of it for records.
"""

import asyncio
import contextlib
import io
import os
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any, TypeAlias
from unittest.mock import patch

import httpx

from services.cli.main import main
from services.config.settings import load
from services.processes.bootstrap import build_service, prepare
from services.simulator import Delivery, World, simulate
from services.stream.stores import open_stores

__all__ = ["Answer", "Delivery", "Program", "World", "simulate"]

#: Microseconds since 1970, UTC.
Moment: TypeAlias = int

_SECRET = "a-secret-for-goldens"


class Answer:
    """What was said: the bytes, those of standard error, and what comes beside them."""

    def __init__(self, body: bytes, beside: str, errors: bytes = b"") -> None:
        self.body = body
        self.beside = beside
        """The exit code of a command; of a route its status and the headers that promise."""
        self.errors = errors


class Program:
    """A data folder, and a clock that only a test moves."""

    def __init__(self, folder: Path, now: Moment) -> None:
        self.folder = folder
        self.data = folder / "ledger"
        self.now = now

    @contextlib.contextmanager
    def here(self) -> Iterator[None]:
        """Nothing of this machine: neither its variables, nor its clock, nor a configuration."""
        kept = {name: value for name, value in os.environ.items() if "SHIPLEDGER" not in name}
        ours = {
            "SHIPLEDGER_DATA": str(self.data),
            "SHIPLEDGER_WEBHOOK_SECRET": _SECRET,
            "SHIPLEDGER_LOG_LEVEL": "WARNING",
            "COLUMNS": "100",
        }
        with (
            contextlib.chdir(self.folder),
            patch.dict(os.environ, {**kept, **ours}, clear=True),
            patch("time.time_ns", lambda: self.now * 1000),
        ):
            yield

    def run(self, *arguments: str) -> Answer:
        """Run a command to its end."""
        out, errors = _Written(), _Written()
        code: Any = 0
        with self.here(), contextlib.redirect_stdout(out), contextlib.redirect_stderr(errors):
            try:
                main(arguments)
            except SystemExit as ended:
                code = ended.code
        return Answer(out.read_back(), f"exit {code}", errors.read_back())

    def do(self, *arguments: str) -> str:
        """Run a command that must succeed; return what it printed."""
        answer = self.run(*arguments)
        if answer.beside != "exit 0":
            raise AssertionError(f"{arguments}: {answer.beside}: {answer.errors.decode()}")
        return answer.body.decode()

    def draft(self, repository: str, *editions: str) -> None:
        """Make first drafts, so that their themes are recorded before anything is pinned."""
        for edition in editions:
            self.do("edition", repository, *edition.split())

    def receive(self, deliveries: Iterable[tuple[Moment, Delivery]]) -> None:
        """Take in deliveries by the webhook route, each at its moment."""

        async def post(client: httpx.AsyncClient) -> None:
            for at, delivery in deliveries:
                self.now = at
                answer = await client.post(
                    "/webhooks/github",
                    content=delivery.body,
                    headers=delivery.signed_headers(_SECRET),
                )
                if answer.status_code != 202:
                    raise AssertionError(answer.text)

        self._speak(post)

    def get(self, addresses: Iterable[str]) -> list[Answer]:
        """Ask routes, all of one application."""
        answers: list[Answer] = []

        async def ask(client: httpx.AsyncClient) -> None:
            for address in addresses:
                answers.append(_answer(await client.get(address)))  # noqa: PERF401  # in order

        self._speak(ask)
        return answers

    def _speak(self, talk: Callable[[httpx.AsyncClient], Any]) -> None:
        async def speak() -> None:
            with open_stores(load(data=self.data)) as stores:
                prepare(stores)
                app = build_service(stores, allow_unsigned=False).app
                transport = httpx.ASGITransport(app, raise_app_exceptions=False)
                async with (
                    app.router.lifespan_context(app),
                    httpx.AsyncClient(transport=transport, base_url="http://here") as client,
                ):
                    await talk(client)

        # What the application logs goes to standard output where nobody set logging up.
        with self.here(), contextlib.redirect_stdout(io.StringIO()):
            asyncio.run(speak())


class _Written(io.TextIOWrapper):
    """A stream of the process that keeps the bytes that were written to it."""

    def __init__(self) -> None:
        self._kept = io.BytesIO()
        super().__init__(self._kept, "utf-8", newline="")

    def read_back(self) -> bytes:
        """Return all of them."""
        self.flush()
        return self._kept.getvalue()


def _answer(response: httpx.Response) -> Answer:
    told = ("content-type", "cache-control", "content-security-policy")
    kept = [str(response.status_code)]
    kept.extend(f"{name}: {response.headers[name]}" for name in told if name in response.headers)
    # The tag names the program's version, so only that there is one can be pinned.
    kept.extend(["etag"] if "etag" in response.headers else [])
    return Answer(response.content, " | ".join(kept))
