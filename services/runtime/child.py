"""A part of the program in a process of its own, started again whenever it ends unasked.

The part is a module with a `main()` that is told what to do by one line on standard input and tells
what it did by lines on standard output. It ends when its standard input does: whoever started it
wants that, or has ended himself, in whatever way. Signals that a terminal or a supervisor sends to
all processes of a group are the parent's to heed (`ended_by_parent`).
"""

import os
import select
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from contextlib import suppress
from typing import Final

from events.errors import TransientError
from services.runtime.loop import BackgroundLoop, Backoff

#: The exit code of a part that cannot go on; starting it again would not help.
CANNOT_GO_ON: Final = 1
#: A part that has lived for so many seconds is started again at once.
_LONG: Final = 30.0
#: Seconds for which an end in order may take longer than the part's own last work.
_GRACE: Final = 3.0


class ChildProcess(BackgroundLoop):
    """Keeps one part running; `fault` says why it does not, or what it says of itself."""

    def __init__(
        self,
        name: str,
        module: str,
        told: Callable[[bytes], None],
        *,
        order: bytes,
        last_work: float,
    ) -> None:
        """`told` is called with each line; it runs in this loop's thread, and may set `trouble`."""
        super().__init__(name, backoff=Backoff(0.1, 10.0), last_round=last_work + _GRACE)
        self._command = (sys.executable, "-P", "-m", module)
        self._told = told
        self._order = order
        self._lock = threading.Lock()
        self._child: subprocess.Popen[bytes] | None = None
        self.trouble: str | None = None

    def fault(self) -> str | None:
        """Return why nothing goes forward, None while all is well."""
        # while a part runs, its end before the present one is no matter any more
        own = None if self._child is not None else super().fault()
        return own or self.trouble

    @property
    def pid(self) -> int | None:
        """The process, None while there is none."""
        child = self._child
        return None if child is None else child.pid

    def stop(self) -> bool:
        """Let the part end in order; one that does not is ended, which loses nothing."""
        with self._lock:
            self._stopping.set()
            if self._child is not None and self._child.stdin is not None:
                with suppress(OSError):
                    self._child.stdin.close()
        ended = super().stop()
        with self._lock:
            if self._child is not None:
                self._child.kill()
        return ended

    def _round(self) -> float:
        started = time.monotonic()
        with self._lock:
            if self._stopping.is_set():
                return 0.0
            # it imports what this process imports, whatever folder both were started in
            path = {"PYTHONPATH": os.pathsep.join(sys.path)}
            child = subprocess.Popen(  # noqa: S603  (the command is this program's own)
                self._command,
                env={**os.environ, **path},
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
            )
            self._child = child
        try:
            code = self._follow(child)
        finally:
            with self._lock:
                self._child = None
        self.trouble = None
        if self._stopping.is_set():
            return 0.0
        if code == CANNOT_GO_ON:
            raise RuntimeError(f"the {self._name} cannot go on; see the lines before this one")
        if time.monotonic() - started > _LONG:
            self._backoff.reset()
        raise TransientError(f"the process of the {self._name} ended with {code}; starting another")

    def _follow(self, child: "subprocess.Popen[bytes]") -> int:
        assert child.stdin is not None
        assert child.stdout is not None
        with child, child.stdout as lines:
            with suppress(OSError):  # it has ended already; its exit code tells how
                child.stdin.write(self._order + b"\n")
                child.stdin.flush()
            for line in lines:
                self._told(line)
            return child.wait()


def ended_by_parent() -> Callable[[float], bool]:
    """Heed no signal that is the parent's; return what waits for the end of standard input.

    The function takes the longest time to wait, in seconds, and tells whether the end has come.
    """
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, signal.SIG_IGN)

    standard_input = sys.stdin.fileno()

    def has_ended(seconds: float) -> bool:
        readable, _, _ = select.select([standard_input], [], [], seconds)
        return bool(readable) and not os.read(standard_input, 1)

    return has_ended
