"""The stream processor of the embedded mode: one loop that follows the log.

Past the limit of dead letters of a repository it leaves that one alone until they are fewer, or the
limit is raised; the others go on. Where no other is left, it pauses.
"""

from collections.abc import Callable, Mapping
from typing import Final

from events.log.port import Log
from projections.engine.runner import Runner
from services.runtime.loop import POLL_SECONDS, BackgroundLoop, Backoff, Paused

#: Seconds to let deliveries gather after the first one: a batch of one costs almost as much as a
#: batch of fifty, and the time it takes is missing to whoever is waiting for an answer.
_GATHER: Final = 0.1
#: Seconds to wait at the end for a batch that is being committed; after that it is cut off, which
#: loses nothing since rows and checkpoint commit together.
LAST_BATCH: Final = 5.0


class Projector(BackgroundLoop):
    """Brings the read model up to the end of the log whenever something is appended."""

    def __init__(
        self, *, runner: Runner, log: Log, too_many_set_aside: Callable[[], Mapping[str, str]]
    ) -> None:
        """`too_many_set_aside` says why to pause, by partition: many dead letters are a fault of
        the program or of a sender, and whoever mends it wants the records that follow to be still
        ahead.
        """
        super().__init__("projector", backoff=Backoff(0.1, 30.0), last_round=LAST_BATCH)
        self._runner = runner
        self._log = log
        self._too_many_set_aside = too_many_set_aside
        self._held: set[str] = set()

    def _round(self) -> float:
        held = self._too_many_set_aside()
        if held and held.keys() >= self._log.ends().keys():
            raise Paused(next(iter(held.values())))
        self._tell(held)
        self._runner.catch_up(held)
        return POLL_SECONDS

    def _tell(self, held: Mapping[str, str]) -> None:
        for partition in held.keys() - self._held:
            self._logger.warning("projector.held", partition=partition, reason=held[partition])
        self._held = set(held)

    def _idle(self, seconds: float) -> None:
        self._log.wait(seconds)
        self._stopping.wait(_GATHER)
