"""All mirrors of one data folder: a thread for each repository, so that a slow one delays none.

One process mirrors into a folder. As a thread of `shipledger up` it waits while another process
does and takes over when that one ends; `shipledger mirror` says so and ends instead.
"""

import threading
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Final

import structlog

from events.errors import ShipledgerError
from events.log.port import Clock, Log
from services.intake.mirror.errors import MirrorStopped
from services.intake.mirror.hold import Role, held, wait_until_free
from services.intake.mirror.target import Target
from services.intake.mirror.worker import Fetched, Worker
from services.runtime.data_folder import FolderHeld
from services.runtime.telemetry import Metrics

#: Seconds to wait at the end for git to be ended and a record to be appended.
_LAST_FETCH: Final = 15.0

_logger = structlog.get_logger(__name__)


class Mirror:
    """Start it once, or ask for one fetch of each repository with `once`."""

    def __init__(
        self,
        folder: Path,
        targets: Sequence[Target],
        *,
        log: Log,
        clock: Clock,
        metrics: Metrics,
    ) -> None:
        self._folder = folder
        self._targets = targets
        self._log = log
        self._clock = clock
        self._metrics = metrics
        self._stopping = threading.Event()
        self._on_fault: Callable[[], None] = lambda: None
        self.faulted = False
        """Whether it ended because it could not go on."""
        self._thread = threading.Thread(target=self._follow, name="mirror", daemon=True)

    def start(self, on_fault: Callable[[], None]) -> None:
        """Begin to mirror; `on_fault` is called, in another thread, when that cannot go on."""
        self._on_fault = on_fault
        self._thread.start()

    def stop(self) -> bool:
        """End what runs, also in the middle of a fetch; tell whether all has ended."""
        self._stopping.set()
        if self._thread.ident is not None:
            self._thread.join(_LAST_FETCH)
        return not self._thread.is_alive()

    def run(self, role: Role = "mirror") -> None:
        """Mirror in this thread until `stop`; raise FolderHeld where another process mirrors."""
        with held(self._folder, role):
            workers = [self._worker(target) for target in self._targets]
            threads = [
                threading.Thread(target=self._work, args=(worker,), name=f"mirror-{nth}")
                for nth, worker in enumerate(workers)
            ]
            _logger.info("mirror.started", repositories=len(workers))
            for thread in threads:
                thread.start()
            for thread in threads:
                thread.join()
            _logger.info("mirror.stopped")

    def once(self) -> list[Fetched | ShipledgerError]:
        """Fetch each repository once, one after another; return what came of each.

        Raise FolderHeld where another process mirrors.
        """
        with held(self._folder):
            return [self._once(target) for target in self._targets]

    def _once(self, target: Target) -> Fetched | ShipledgerError:
        try:
            return self._worker(target).fetch()
        except MirrorStopped:
            raise
        except ShipledgerError as error:
            _logger.warning("mirror.failed", repository=target.full_name, error=str(error))
            return error

    def _follow(self) -> None:
        while not self._stopping.is_set():
            try:
                self.run("up")
            except FolderHeld as holder:
                _logger.warning("mirror.elsewhere", pid=holder.pid)
                wait_until_free(self._folder, self._stopping)
            except Exception:  # the edge of the thread: tell, then end the process
                _logger.exception("mirror.fault")
                self._give_up()

    def _work(self, worker: Worker) -> None:
        try:
            worker.run()
        except Exception:  # the edge of the thread: one that cannot go on ends all
            _logger.exception("mirror.fault", repository=worker.target.full_name)
            self._give_up()

    def _give_up(self) -> None:
        self.faulted = True
        self._stopping.set()
        self._on_fault()

    def _worker(self, target: Target) -> Worker:
        return Worker(
            target,
            self._folder,
            log=self._log,
            clock=self._clock,
            metrics=self._metrics,
            stopping=self._stopping,
        )
