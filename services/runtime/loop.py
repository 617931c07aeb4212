"""The one background loop: a thread that does a round of work again and again.

What a round comes to decides how the loop goes on:

* it returns: all is well, and the next round begins after so many seconds;
* it raises TransientError: the same is tried again, after pauses that grow with each failure;
* it raises Paused: it waits for something else to change, and looks again at a steady pace;
* it raises anything else: the thread ends, which is told once to whoever runs the process. That
  one must end then: to go on would mean to skip.

Nothing runs before `start`, and nothing but a round that is under way after `stop`.
"""

import threading
from abc import ABC, abstractmethod
from collections.abc import Callable
from typing import Any, Final

from events.errors import TransientError

#: Seconds between two looks at something in which nothing happens.
POLL_SECONDS: Final = 1.0


class Paused(Exception):
    """A round does nothing now, for the reason that the message says; `seconds` to look again."""

    def __init__(self, reason: str, *, seconds: float = POLL_SECONDS) -> None:
        super().__init__(reason)
        self.seconds = seconds


class Backoff:
    """Pauses in seconds, each twice as long as the one before, up to a longest one."""

    def __init__(self, first: float, longest: float) -> None:
        self._first = first
        self._longest = longest
        self._pause = first

    def next(self) -> float:
        """Return how long to pause after one more failure."""
        pause = self._pause
        self._pause = min(2 * pause, self._longest)
        return pause

    def reset(self) -> None:
        """Begin anew: something went well."""
        self._pause = self._first


class BackgroundLoop(ABC):
    """Derive from it and write `_round`; start it once."""

    def __init__(
        self,
        name: str,
        *,
        backoff: Backoff,
        last_round: float,
        stopping: threading.Event | None = None,
        daemon: bool = True,
    ) -> None:
        """`name` begins the loop's log events; `stop` waits `last_round` seconds for a round that
        is under way. `stopping` may be shared by loops that end together. What is no `daemon` is
        waited for by the process whatever happens.
        """
        import structlog  # what shares a module with a loop, and starts none, waits for no logger

        self._name = name
        self._backoff = backoff
        self._last_round = last_round
        self._stopping = threading.Event() if stopping is None else stopping
        self._logger: Any = structlog.get_logger(type(self).__module__)
        self._fault: str | None = None
        self._on_fault: Callable[[], None] = lambda: None
        self._thread = threading.Thread(target=self._run, name=name, daemon=daemon)

    def start(self, on_fault: Callable[[], None] = lambda: None) -> None:
        """Begin; `on_fault` is called, in the loop's thread, when it cannot go on."""
        self._on_fault = on_fault
        self._thread.start()

    def stop(self) -> bool:
        """End after the round under way; tell whether the thread has ended."""
        self._stopping.set()
        if self._thread.ident is not None:
            self._thread.join(self._last_round)
        return not self._thread.is_alive()

    def join(self) -> None:
        """Wait until the thread has ended."""
        self._thread.join()

    def fault(self) -> str | None:
        """Return why nothing goes forward, None while all is well."""
        if self._fault is None and self._thread.ident is not None and not self._thread.is_alive():
            return f"the {self._name} has ended"
        return self._fault

    @abstractmethod
    def _round(self) -> float:
        """Do what there is to do; return for how many seconds to be idle then."""

    def _idle(self, seconds: float) -> None:
        """Wait for more to do, at most so long."""
        self._stopping.wait(seconds)

    def _tell_retry(self, error: TransientError, pause: float) -> None:
        """Tell of a passing fault, before `fault` does; must not raise."""
        self._logger.warning(f"{self._name}.retry", error=str(error), seconds=pause)

    def _tell_paused(self, reason: str) -> None:
        """Tell, once for each reason, why nothing is done; must not raise."""
        self._logger.error(f"{self._name}.paused", reason=reason)

    def _tell_end(self, fault: Exception) -> None:
        """Tell of the fault that ends the loop; must not raise."""
        self._logger.error(f"{self._name}.stopped", exc_info=fault)

    def _run(self) -> None:
        while not self._stopping.is_set():
            try:
                seconds = self._round()
            except TransientError as error:
                pause = self._backoff.next()
                self._tell_retry(error, pause)
                self._fault = f"trying again: {error}"
                self._stopping.wait(pause)
            except Paused as paused:
                if self._fault != str(paused):
                    self._tell_paused(str(paused))
                self._fault = str(paused)
                self._stopping.wait(paused.seconds)
            except Exception as fault:  # the edge of the thread: tell, then end the process
                self._fault = f"stopped: {fault}"
                self._tell_end(fault)
                self._on_fault()
                return
            else:
                self._fault = None
                self._backoff.reset()
                self._idle(seconds)
