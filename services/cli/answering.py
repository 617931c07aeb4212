"""Commands that answer from the read model: they bring it up to date first, then ask."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from projections.engine.runner import AppliedBatch
from services.cli.options import progress_bar, settings
from services.processes.bootstrap import catch_up
from services.stream.stores import Stores, open_stores


class _Progress:
    """Tells a progress bar how far the apply loop is; each projection counts each record."""

    def __init__(self, tell: Callable[[int, int], None]) -> None:
        self._tell = tell
        self._done = 0
        self._left: dict[tuple[str, str], int] = {}

    def batch(self, batch: AppliedBatch) -> None:
        """See `Observer.batch`."""
        self._done += batch.records

    def lag(self, projection: str, partition: str, records: int) -> None:
        """See `Observer.lag`."""
        self._left[projection, partition] = records
        if self._done:
            self._tell(self._done, self._done + sum(self._left.values()))


@contextmanager
def up_to_date(data: Path | None) -> Iterator[Stores]:
    """Open the data folder with a read model that stands at the end of the log.

    While `shipledger up` holds the folder it does that itself, and the answer says how far it is.
    """
    with open_stores(settings(data)) as stores:
        with progress_bar("Reading the log") as tell:
            catch_up(stores, _Progress(tell))
        yield stores
