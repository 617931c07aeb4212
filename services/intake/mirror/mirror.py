"""All mirrors of one data folder: a thread for each repository, so that a slow one delays none.

One process mirrors into a folder. As a thread of `shipledger up` it waits while another process
does and takes over when that one ends; `shipledger mirror` says so and ends instead.
"""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Final

from events.errors import ShipledgerError
from events.log.port import Clock, Log
from services.intake.mirror.process import MirrorStopped
from services.intake.mirror.worker import Fetched, Target, Worker
from services.runtime.data_folder import FolderHeld, Role, hold
from services.runtime.loop import BackgroundLoop, Backoff, Paused
from services.runtime.telemetry import Metrics

#: Seconds between looks whether another process that mirrors has ended.
_POLL: Final = 2.0
#: Seconds to wait at the end for git to be ended and a record to be appended.
_LAST_FETCH: Final = 15.0
_PAUSE: Final = 2.0


class Mirror(BackgroundLoop):
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
        super().__init__("mirror", backoff=Backoff(_PAUSE, _PAUSE), last_round=_LAST_FETCH)
        self._folder = folder
        self._targets = targets
        self._log = log
        self._clock = clock
        self._metrics = metrics
        self.faulted = False
        """Whether it ended because it could not go on."""

    def run(self, role: Role = "mirror") -> None:
        """Mirror in this thread until `stop`; raise FolderHeld where another process mirrors."""
        with self._held(role):
            workers = [self._worker(target) for target in self._targets]
            self._logger.info("mirror.started", repositories=len(workers))
            for worker in workers:
                worker.start(self._give_up)
            for worker in workers:
                worker.join()
            self._logger.info("mirror.stopped")

    def once(self) -> list[Fetched | ShipledgerError]:
        """Fetch each repository once, one after another; return what came of each.

        Raise FolderHeld where another process mirrors.
        """
        with self._held("mirror"):
            return [self._once(target) for target in self._targets]

    def _once(self, target: Target) -> Fetched | ShipledgerError:
        try:
            return self._worker(target).fetch()
        except MirrorStopped:
            raise
        except ShipledgerError as error:
            self._logger.warning("mirror.failed", repository=target.full_name, error=str(error))
            return error

    def _round(self) -> float:
        try:
            self.run("up")
        except FolderHeld as holder:
            raise Paused(str(holder), seconds=_POLL) from holder
        return 0.0

    def _tell_paused(self, reason: str) -> None:
        self._logger.warning("mirror.elsewhere", reason=reason)

    def _tell_end(self, fault: Exception) -> None:
        self._logger.error("mirror.fault", exc_info=fault)
        self.faulted = True

    @contextmanager
    def _held(self, role: Role) -> Iterator[None]:
        self._folder.mkdir(parents=True, exist_ok=True)
        with hold(self._folder, self._folder / "lock", role, unread="mirror"):
            yield

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
