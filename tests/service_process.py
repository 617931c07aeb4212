"""`shipledger up` as users run it: a process of its own, spoken to over HTTP."""

import os
import signal
import subprocess
import tempfile
import threading
import time
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

import httpx

from services.simulator import Delivery
from tests.forked import Forked

SECRET = "a-secret-for-tests"
_PATIENCE = 30.0


def environment(data: Path, **more: str) -> dict[str, str]:
    """Return an environment with nothing of ours in it but the data folder and the secret."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith("SHIPLEDGER")}
    return {
        **kept,
        "SHIPLEDGER_DATA": str(data),
        "SHIPLEDGER_WEBHOOK_SECRET": SECRET,
        "SHIPLEDGER_LOG_LEVEL": "WARNING",
        **more,
    }


class Shipledger:
    """A running `up`; `stop` ends it in order, `kill` does not."""

    def __init__(self, data: Path, **more: str) -> None:
        self.data = data
        (stdout, told), (stderr, complained) = os.pipe(), os.pipe()
        self._stdout, self._stderr = os.fdopen(stdout), os.fdopen(stderr)
        self.process = Forked(
            "services.cli.main",
            ["up", "--port", "0"],
            env=environment(data, **more),
            cwd=data.parent,
            stdout=told,
            stderr=complained,
        )
        os.close(told)
        os.close(complained)
        said = self._stdout.readline()
        self._errors: list[str] = []
        # Read all the time, or the process would wait for us once the pipe is full.
        self._reader = threading.Thread(target=self._errors.extend, args=(self._stderr,))
        self._reader.start()
        words = [word for word in said.split() if word.startswith("http://")]
        if not words:
            self.process.wait()
            self._close()
            raise AssertionError(f"`up` did not come up: {self.errors}")
        self.address = words[0]
        self.http = httpx.Client(base_url=self.address, timeout=_PATIENCE)

    @property
    def errors(self) -> str:
        """What it wrote to standard error."""
        return "".join(self._errors)

    def deliver(self, deliveries: Iterable[Delivery], *, secret: str = SECRET) -> list[int]:
        """Post deliveries in order; return the status codes."""
        return [
            self.http.post(
                "/webhooks/github",
                content=each.body,
                headers=each.signed_headers(secret),
            ).status_code
            for each in deliveries
        ]

    def settle(self) -> dict[str, Any]:
        """Wait until all that was delivered is projected; return the last word of `/readyz`."""
        deadline = time.monotonic() + _PATIENCE
        while time.monotonic() < deadline:
            state: dict[str, Any] = self.http.get("/readyz").json()
            if state["ready"] and state["behind_records"] == 0:
                return state
            time.sleep(0.05)
        raise AssertionError(f"not projected in time: {state}")

    def stop(self) -> int:
        """End it in order; return its exit code."""
        return self._end(signal.SIGTERM)

    def kill(self) -> None:
        """End it without any notice."""
        self._end(signal.SIGKILL)

    def _end(self, how: signal.Signals) -> int:
        self.process.send_signal(how)
        code = self.process.wait(_PATIENCE)
        self.http.close()
        self._close()
        return code

    def _close(self) -> None:
        self._reader.join()
        for stream in (self._stdout, self._stderr):
            stream.close()


def command(
    *arguments: str, data: Path, more: Mapping[str, str] | None = None, cwd: Path | None = None
) -> "subprocess.CompletedProcess[str]":
    """Run one command to its end."""
    with tempfile.TemporaryFile("w+") as stdout, tempfile.TemporaryFile("w+") as stderr:
        process = Forked(
            "services.cli.main",
            arguments,
            env=environment(data, **(more or {})),
            cwd=cwd or data.parent,
            stdout=stdout.fileno(),
            stderr=stderr.fileno(),
        )
        code = process.wait(120)
        stdout.seek(0)
        stderr.seek(0)
        return subprocess.CompletedProcess(arguments, code, stdout.read(), stderr.read())
