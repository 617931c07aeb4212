"""The stream processor of the embedded mode: one thread that follows the log.

A passing fault is tried again, in order, with growing pauses. Past the limit of dead letters it
pauses until they are fewer, or the limit is raised. Anything else ends the thread and is told to
whoever runs the process, which must end then: going on would mean to skip.
"""

import threading
from collections.abc import Callable
from typing import Final

import structlog

from events.errors import TransientError
from events.log.port import Log
from projections.engine.runner import Runner

#: Seconds between two looks at a log in which nothing happens.
POLL_SECONDS: Final = 1.0
#: Seconds to let deliveries gather after the first one: a batch of one costs almost as much as a
#: batch of fifty, and the time it takes is missing to whoever is waiting for an answer.
_GATHER: Final = 0.1
_FIRST_PAUSE: Final = 0.1
_LONGEST_PAUSE: Final = 30.0
#: Seconds to wait at the end for a batch that is being committed; after that it is cut off, which
#: loses nothing since rows and checkpoint commit together.
_LAST_BATCH: Final = 5.0

_logger = structlog.get_logger(__name__)


class Projector:
    """Start it once; `on_fault` is called, in its thread, when it cannot go on."""

    def __init__(
        self, *, runner: Runner, log: Log, too_many_set_aside: Callable[[], str | None]
    ) -> None:
        """`too_many_set_aside` says why to pause: many dead letters are a fault of the program or
        of a sender, and whoever mends it wants the records that follow to be still ahead.
        """
        self._runner = runner
        self._log = log
        self._too_many_set_aside = too_many_set_aside
        self._on_fault: Callable[[], None] = lambda: None
        self._stopping = threading.Event()
        self._fault: str | None = None
        self._thread = threading.Thread(target=self._run, name="projector", daemon=True)

    def start(self, on_fault: Callable[[], None]) -> None:
        """Begin to follow the log."""
        self._on_fault = on_fault
        self._thread.start()

    def stop(self) -> bool:
        """End after the batch under way; tell whether the thread has ended."""
        self._stopping.set()
        if self._thread.ident is not None:
            self._thread.join(_LAST_BATCH)
        return not self._thread.is_alive()

    def fault(self) -> str | None:
        """Return why the projector does not project, None while all is well."""
        if self._fault is None and self._thread.ident is not None and not self._thread.is_alive():
            return "the projector has ended"
        return self._fault

    def _run(self) -> None:
        pause = _FIRST_PAUSE
        while not self._stopping.is_set():
            try:
                self._round()
            except TransientError as error:
                self._fault = f"trying again: {error}"
                _logger.warning("projector.retry", error=str(error), seconds=pause)
                self._stopping.wait(pause)
                pause = min(2 * pause, _LONGEST_PAUSE)
            except Exception as fault:  # the edge of the thread: tell, then end the process
                self._fault = f"stopped: {fault}"
                _logger.exception("projector.stopped")
                self._on_fault()
                return
            else:
                pause = _FIRST_PAUSE

    def _round(self) -> None:
        """Catch up, then wait for more."""
        reason = self._too_many_set_aside()
        if reason is not None:
            if self._fault != reason:
                _logger.error("projector.paused", reason=reason)
            self._fault = reason
            self._stopping.wait(POLL_SECONDS)
            return
        self._runner.catch_up()
        self._fault = None
        self._log.wait(POLL_SECONDS)
        self._stopping.wait(_GATHER)
