"""The apply loop: read a batch, translate it, fold it, and commit rows and checkpoint together.

The same loop runs embedded, in Faust workers, in rebuilds and in tests. Positions mean "next to
read". The checkpoint row is locked before anything is read from the log, so of two runners the
second waits and then drops what the first has done.
"""

import time
from collections.abc import Collection, Sequence
from typing import Protocol

import msgspec
from sqlalchemy import Engine

from events.facts.pull_request import PullRequestObserved
from events.log.port import BATCH_RECORDS, Clock, Cursor, Log
from projections.engine import generations
from projections.pull_requests.apply import PullRequests
from projections.pull_requests.observation import contradicts_itself
from projections.store import progress as reading
from projections.store.base import Projection, Translated, read_entry
from projections.store.checkpoint import apply_batch, lock_cursor
from projections.store.transaction import transaction


class AppliedBatch(msgspec.Struct, frozen=True, kw_only=True):
    """A batch that was committed; `seconds` from the lock to the commit.

    `contradictions`: objects whose two signs of a merge disagree (`contradictions_in`).
    """

    projection: str
    records: int
    poisoned: int
    contradictions: int
    seconds: float


def contradictions_in(projection: Projection, batch: Sequence[Translated]) -> int:
    """Count the pull requests of a batch that show a time of merging and say they are not merged.

    All projections read the same records, so only the one that keeps pull requests has any.
    """
    if projection.name != PullRequests.name:
        return 0
    return sum(
        isinstance(fact, PullRequestObserved) and contradicts_itself(fact)
        for entry in batch
        for fact in entry.facts
    )


class Observer(Protocol):
    """Is told what the loop did; must not raise."""

    def batch(self, batch: AppliedBatch) -> None:
        """A batch was committed."""

    def lag(self, projection: str, partition: str, records: int) -> None:
        """`records` records of the partition are still to be read."""


class Silent:
    """An observer that does not care."""

    def batch(self, batch: AppliedBatch) -> None:
        """See `Observer.batch`."""

    def lag(self, projection: str, partition: str, records: int) -> None:
        """See `Observer.lag`."""


class Runner:
    """Brings projections up to the end of the log: the active generations, or `only` those given.

    Which generations are active is read anew each time, so a rebuild may switch at any moment.
    """

    def __init__(
        self,
        engine: Engine,
        log: Log,
        clock: Clock,
        *,
        only: Sequence[Projection] = (),
        observer: Observer | None = None,
        batch_records: int = BATCH_RECORDS,
        name: str = reading.LIVE,
    ) -> None:
        self._only = list(only)
        self._engine, self._log, self._clock = engine, log, clock
        self._observer = observer or Silent()
        self._batch_records = batch_records
        self._name = name
        self._last: tuple[tuple[str, Cursor], list[Translated]] | None = None

    def catch_up(self, held: Collection[str] = ()) -> int:
        """Apply until the end of the log as it stands now; return how many records were applied.

        The partitions `held` are left where they stand.
        Raise TransientError when the database or the log is away; calling again goes on in order.
        """
        applied = 0
        seen_at = self._clock()
        with transaction(self._engine) as connection:
            projections = self._only or generations.active(connection)
        ends = {name: end for name, end in self._log.ends().items() if name not in held}
        for partition, end in ends.items():
            applied += self._catch_up(projections, partition, end)
        with transaction(self._engine) as connection:
            if held:
                reading.mark_partitions(connection, self._name, ends, seen_at)
            else:
                reading.mark_all(connection, self._name, seen_at)
        return applied

    def _catch_up(self, projections: Sequence[Projection], partition: str, end: int) -> int:
        """Bring projections forward side by side, so that each record is translated once."""
        applied = 0
        behind = list(projections)
        while behind:
            still = []
            for projection in behind:
                count, position = self._step(projection, partition)
                applied += count
                self._observer.lag(projection.name, partition, max(0, end - position))
                if count and position < end:
                    still.append(projection)
            behind = still
        return applied

    def _step(self, projection: Projection, partition: str) -> tuple[int, int]:
        """Apply one batch; return (records, next position)."""
        started = time.perf_counter()
        with transaction(self._engine) as connection:
            cursor = lock_cursor(connection, projection, partition)
            if not generations.serves(connection, projection):
                return 0, cursor.position
            batch = self._read(partition, cursor)
            if not batch:
                return 0, cursor.position
            poisoned, cursor = apply_batch(connection, projection, partition, cursor, batch)
        self._observer.batch(
            AppliedBatch(
                projection=projection.name,
                records=len(batch),
                poisoned=len(poisoned),
                contradictions=contradictions_in(projection, batch),
                seconds=time.perf_counter() - started,
            )
        )
        return len(batch), cursor.position

    def _read(self, partition: str, cursor: Cursor) -> list[Translated]:
        if self._last is None or self._last[0] != (partition, cursor):
            entries = self._log.read(partition, cursor, limit=self._batch_records)
            self._last = ((partition, cursor), [read_entry(entry) for entry in entries])
        batch = self._last[1]
        if not batch:
            self._last = None
        return batch
