"""The loop of what keeps answers ready: it looks at each repository, in little of the time."""

import time
from abc import abstractmethod
from contextlib import suppress
from typing import Final

from sqlalchemy import Engine

from events.errors import InvalidQuestion
from projections.engine.read_model import ReadModel
from projections.repositories.queries import RepositoryName, listing
from projections.store.dialects import exclusively
from projections.store.transaction import passing_faults
from services.runtime.loop import BackgroundLoop, Backoff

#: Seconds between two looks.
_PAUSE: Final = 2.0
#: Of the time, the part that may go into reading ahead: one in so many.
_SHARE: Final = 5
#: Seconds to wait at the end for a round that is under way.
_LAST_ROUND: Final = 5.0


class ReadingAhead(BackgroundLoop):
    """Derive from it and write `_read`, which reads and keeps what is new of one repository."""

    def __init__(self, name: str, *, engine: Engine, read_model: ReadModel) -> None:
        super().__init__(name, backoff=Backoff(1.0, 60.0), last_round=_LAST_ROUND)
        self._engine, self._read_model = engine, read_model

    @abstractmethod
    def _read(self, name: RepositoryName) -> None:
        """Read ahead what a repository will be asked about; write with no snapshot open."""

    def _round(self) -> float:
        begun = time.monotonic()
        # of several workers one reads ahead at a time, and the next finds it kept
        with suppress(InvalidQuestion), passing_faults(), exclusively(self._engine, self._name):
            with self._read_model.snapshot() as snapshot:
                names = listing(snapshot)
            for name in names:
                self._read(name)
        return max(_PAUSE, _SHARE * (time.monotonic() - begun))
