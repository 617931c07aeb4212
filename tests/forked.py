"""Processes of the program that start at once: forked from one that has imported it already.

A fresh Python needs more than a second of CPU for the imports of `shipledger up`, and the tests
start more than a hundred processes. So one is started fresh for each process of the tests, has no
threads, and forks whatever is asked for; each child is a process of its own, with its own
environment, folder and streams, and is signalled and ends as any other. That the program also
starts fresh is shown by `make demo`, its test, and the tests of single commands.
"""

import contextlib
import gc
import importlib
import json
import os
import select
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any, Final

from tests.places import ROOT

#: What is imported before anything is forked.
IMPORTED: Final = (
    "services.cli.main",
    "services.api.app",
    "services.processes.up",
    "services.processes.ingest",
    "services.processes.worker",
    "services.stream.worker",
    "uvicorn.protocols.http.httptools_impl",
    "uvicorn.lifespan.on",
    "tests.services.stream.worker_process",
)

_LONGEST_REQUEST: Final = 1 << 20


class Forked:
    """A process that runs `main()` of a module; it is used like one of `subprocess.Popen`."""

    def __init__(
        self,
        module: str,
        arguments: Sequence[str],
        *,
        env: Mapping[str, str],
        cwd: Path,
        stdout: int,
        stderr: int,
    ) -> None:
        """Start it; the two streams are file descriptors, which stay the caller's too."""
        self.args = [module, *arguments]
        self.returncode: int | None = None
        request = {"module": module, "arguments": arguments, "env": dict(env), "cwd": str(cwd)}
        asked = json.dumps(request).encode()
        assert len(asked) < _LONGEST_REQUEST
        self._told, telling = os.pipe()
        try:
            socket.send_fds(_forker()[1], [asked], [stdout, stderr, telling])
        finally:
            os.close(telling)
        self.pid = int(self._line())

    def poll(self) -> int | None:
        """Return the exit code, None while it runs."""
        if self.returncode is None and select.select([self._told], [], [], 0)[0]:
            self._end()
        return self.returncode

    def wait(self, timeout: float | None = None) -> int:
        """Wait for its end; return the exit code, which for a signal is negative."""
        if self.returncode is None:
            if not select.select([self._told], [], [], timeout)[0]:
                raise subprocess.TimeoutExpired(self.args, timeout or 0)
            self._end()
        assert self.returncode is not None
        return self.returncode

    def send_signal(self, how: int) -> None:
        """Send a signal, unless it has ended."""
        if self.poll() is None:
            with contextlib.suppress(ProcessLookupError):
                os.kill(self.pid, how)

    def terminate(self) -> None:
        """End it in order."""
        self.send_signal(signal.SIGTERM)

    def kill(self) -> None:
        """End it without any notice."""
        self.send_signal(signal.SIGKILL)

    def _end(self) -> None:
        self.returncode = int(self._line())
        os.close(self._told)

    def _line(self) -> bytes:
        """Return a line of what its keeper tells: its id, and later its exit code."""
        line = b""
        while not line.endswith(b"\n"):
            more = os.read(self._told, 1)
            assert more, "the process that forks has gone"
            line += more
        return line


@cache
def _forker() -> tuple["subprocess.Popen[bytes]", socket.socket]:
    """Return the process that forks, and the socket on which it is asked."""
    ours, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
    for end in (ours, theirs):
        end.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, _LONGEST_REQUEST)
    with theirs:
        process = subprocess.Popen(
            [sys.executable, "-m", "tests.forked", str(theirs.fileno())],
            cwd=ROOT,
            stdin=subprocess.DEVNULL,
            pass_fds=[theirs.fileno()],
        )
    return process, ours


def end() -> None:
    """End the process that forks, so that its CPU is counted; do nothing where there is none."""
    if _forker.cache_info().currsize:
        process, asking = _forker()
        asking.close()
        process.wait(10)
        _forker.cache_clear()


def main() -> None:
    """Fork what is asked for; in the child, run it."""
    for name in IMPORTED:
        importlib.import_module(name)
    gc.collect()
    gc.freeze()
    asked = socket.socket(fileno=int(sys.argv[1]))
    while True:
        request, streams, *_ = socket.recv_fds(asked, _LONGEST_REQUEST, 3)
        if not request:
            return
        if os.fork() == 0:
            asked.close()
            _keep(streams[2])
            _become(json.loads(request), *streams[:2])
            return
        for stream in streams:
            os.close(stream)
        with contextlib.suppress(ChildProcessError):
            while os.waitpid(-1, os.WNOHANG)[0]:
                pass


def _keep(telling: int) -> None:
    """Fork the child that goes on; tell its id and its end, which only a parent may know."""
    child = os.fork()
    if child == 0:
        os.close(telling)
        return
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    os.closerange(0, telling)
    os.write(telling, b"%d\n" % child)
    _, status = os.waitpid(child, 0)
    os.write(telling, b"%d\n" % os.waitstatus_to_exitcode(status))
    os._exit(0)


def _become(request: dict[str, Any], stdout: int, stderr: int) -> None:
    """Run what was asked for, with its own environment, folder and streams."""
    for stream, number in ((stdout, 1), (stderr, 2)):
        os.dup2(stream, number)
        os.close(stream)
    os.environ.clear()
    os.environ.update(request["env"])
    time.tzset()
    os.chdir(request["cwd"])
    sys.argv = [request["module"], *request["arguments"]]
    importlib.import_module(request["module"]).main()


if __name__ == "__main__":
    main()
