"""One real server process: its folder, its port, and how to start, stop and hurt it.

A part is known by its folder alone (pid file, ports, data, log), so that one process may start it
and another stop it. It promises to end only a process that it started itself.
"""

import contextlib
import os
import random
import shutil
import signal
import socket
import subprocess
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import ClassVar, Protocol

LOOPBACK = "127.0.0.1"

#: Below the range from which the kernel takes ports of outgoing connections: a part that is
#: stopped keeps its port, and a client that knocks on it can't be connected to itself.
PORTS = range(20_000, 32_000)


class MissingPart(Exception):
    """A part cannot run on this machine; the message says what to install."""


class PartFailed(Exception):
    """A part did not start or stop; the message ends with the last lines of its log."""


def free_port() -> int:
    """Return a port of loopback on which nobody listens now."""
    while True:
        port = random.choice(PORTS)  # noqa: S311  (no secret)
        with socket.socket() as probe, contextlib.suppress(OSError):
            probe.bind((LOOPBACK, port))
            return port


def accepts(port: int) -> bool:
    """Tell whether something listens on this port of loopback."""
    try:
        socket.create_connection((LOOPBACK, port), timeout=1).close()
    except OSError:
        return False
    return True


def wait_until(true: Callable[[], bool], seconds: float, *, every: float = 0.05) -> bool:
    """Ask until the answer is yes or the time is over; return the last answer."""
    end = time.monotonic() + seconds
    while not true():
        if time.monotonic() > end:
            return False
        time.sleep(every)
    return True


def _lives(pid: int, named: str) -> bool:
    """Tell whether a process lives and names our folder in its command line.

    One that is ending has no command line any more, but is not gone before it is a zombie.
    """
    line = Path(f"/proc/{pid}/cmdline").read_bytes().decode(errors="replace")
    state = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0]
    return state not in "ZX" and (not line or named in line)


class Part(Protocol):
    """What tests and the command line do with any part."""

    name: ClassVar[str]

    @property
    def environment(self) -> dict[str, str]:
        """The variables by which tests and settings find the part."""

    @property
    def running(self) -> bool:
        """Whether the process lives (also while it is paused)."""

    def start(self) -> None:
        """Start and return when it can be used; do nothing if it runs."""

    def stop(self) -> None:
        """End it as an operator would; do nothing if it does not run."""


class ServerPart:
    """The common half of every part; a subclass says how the process is made and asked."""

    name: ClassVar[str]
    stop_signal: ClassVar[signal.Signals] = signal.SIGTERM
    start_seconds: ClassVar[float] = 60
    stop_seconds: ClassVar[float] = 60
    #: The system user that the process runs as, if not the one that starts it.
    user: str | None = None

    def __init__(self, folder: Path, *, port: int | None = None, owned: bool = False) -> None:
        """Take a folder, new or of an earlier start; `owned` ends the process with this one."""
        self.folder = folder
        self.folder.mkdir(parents=True, exist_ok=True)
        self._owned = owned
        self._child: subprocess.Popen[bytes] | None = None
        self.port = self._settled("port", port)

    # What a subclass gives

    def prepare(self) -> None:
        """Make what the process needs before its first start."""
        raise NotImplementedError

    def command(self) -> Sequence[str]:
        """Return the command line of the process, which names the folder."""
        raise NotImplementedError

    def ready(self) -> bool:
        """Tell whether the part can be used."""
        return accepts(self.port)

    @property
    def environment(self) -> dict[str, str]:
        """See `Part.environment`."""
        raise NotImplementedError

    # What a user does

    @property
    def address(self) -> str:
        """Return `host:port`."""
        return f"{LOOPBACK}:{self.port}"

    @property
    def log(self) -> Path:
        """Return the file that holds what the process printed."""
        return self.folder / "log.txt"

    @property
    def running(self) -> bool:
        """See `Part.running`."""
        return self.pid is not None

    @property
    def pid(self) -> int | None:
        """Return the id of the live process, None where there is none of ours."""
        if self._child is not None:
            if self._child.poll() is None:
                return self._child.pid
            self._child = None
        with contextlib.suppress(OSError, ValueError):
            pid = int((self.folder / "pid").read_text())
            return pid if _lives(pid, str(self.folder)) else None
        return None

    def start(self) -> None:
        """See `Part.start`."""
        if not self.running:
            self.prepare()
            self._launch()
        if not wait_until(lambda: self.ready() or not self.running, self.start_seconds):
            raise PartFailed(f"{self.name} is not ready after {self.start_seconds} s{self._tail()}")
        if not self.running:
            raise PartFailed(f"{self.name} ended while starting{self._tail()}")

    def stop(self) -> None:
        """See `Part.stop`."""
        self._end(self.stop_signal)

    def kill(self) -> None:
        """End it without any farewell (kill -9)."""
        self._end(signal.SIGKILL)

    def restart(self) -> None:
        """Stop and start on the same port and data."""
        self.stop()
        self.start()

    def pause(self) -> None:
        """Freeze the process: connections stay open and nothing is answered."""
        self._send(signal.SIGSTOP)

    def resume(self) -> None:
        """Let a frozen process go on; do nothing to one that is not."""
        self._send(signal.SIGCONT)

    # How

    def _settled(self, name: str, wanted: int | None = None) -> int:
        file = self.folder / name
        if file.exists():
            return int(file.read_text())
        number = wanted or free_port()
        file.write_text(f"{number}\n")
        return number

    def _launch(self) -> None:
        command = list(self.command())
        if self._owned and shutil.which("setpriv"):
            # Nothing stays behind when the tests are killed, whatever kills them.
            command = ["setpriv", "--pdeathsig", "KILL", *command]
        with self.log.open("ab") as log:
            self._child = subprocess.Popen(  # noqa: S603
                command,
                cwd=self.folder,
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=subprocess.STDOUT,
                start_new_session=True,
                user=self.user,
                group=self.user,
                extra_groups=[] if self.user else None,
            )
        (self.folder / "pid").write_text(f"{self._child.pid}\n")

    def _end(self, how: signal.Signals) -> None:
        if self.running:
            self._send(how)
            self.resume()
            if not wait_until(lambda: not self.running, self.stop_seconds):
                self._send(signal.SIGKILL)
                wait_until(lambda: not self.running, 10)
        if self._child is not None:
            self._child.wait(10)
            self._child = None

    def _send(self, what: signal.Signals) -> None:
        pid = self.pid
        if pid is not None:
            with contextlib.suppress(ProcessLookupError):
                os.kill(pid, what)

    def _tail(self) -> str:
        with contextlib.suppress(OSError):
            lines = self.log.read_text(errors="replace").splitlines()[-20:]
            return ":\n" + "\n".join(lines)
        return ""
