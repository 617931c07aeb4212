"""The log as everything else sees it: append, and read from a position.

Implementations: `events.log.memory`, `services.logs.sqlite`, `services.logs.kafka`. All pass
`tests/contracts/log_contract.py`.
"""

from collections.abc import Callable, Iterable, Sequence
from typing import Final, Literal, NamedTuple, Protocol, TypeAlias

import msgspec

from events.instant import Instant
from events.record import Entry, Record

Clock: TypeAlias = Callable[[], Instant]
Outcome: TypeAlias = Literal["stored", "duplicate", "conflict"]

#: Bounds of one read: whichever is reached first, but always at least one record.
BATCH_RECORDS: Final = 500
BATCH_BYTES: Final = 32 * 1024 * 1024


class Cursor(NamedTuple):
    """Where a reader stands in one partition.

    `position` is the next position to read; `recorded_at` the stamp of the last record before it
    (0 at the start), from which a log without stored stamps derives the next ones.
    """

    position: int
    recorded_at: Instant


START: Final = Cursor(0, 0)


class Appended(msgspec.Struct, frozen=True, kw_only=True):
    """What became of one record that was offered.

    `duplicate`: the same id with the same bytes is there already; `position` is the first one's.
    `conflict`: the same id with other bytes is there; the first is kept, and the second one too,
    as a record of type `shipledger.conflict`, at `position`.
    """

    record_id: str
    partition: str
    position: int
    outcome: Outcome


class Log(Protocol):
    """An append-only log in partitions; one repository key lies in exactly one partition."""

    def append(self, records: Sequence[Record]) -> list[Appended]:
        """Store all or none, durably, in order; raise LogUnavailable when it cannot."""

    def read(
        self,
        partition: str,
        cursor: Cursor,
        *,
        limit: int = BATCH_RECORDS,
        max_bytes: int = BATCH_BYTES,
    ) -> list[Entry]:
        """Return the next records, fewer than asked only at the end of the partition or the bounds.

        Raise BrokenLog when the record at the cursor is no longer there.
        """

    def ends(self) -> dict[str, int]:
        """Return, for every partition that holds records, the position of the next append."""

    def wait(self, timeout: float) -> None:
        """Return when something may have been appended, or after `timeout` seconds."""

    def close(self) -> None:
        """Release what the log holds; every append that returned is durable without this."""


class StampKeepingLog(Log, Protocol):
    """A log that can take entries with the stamps they had elsewhere (restore, export/import)."""

    def load(self, entries: Iterable[Entry]) -> int:
        """Fill an empty log, keeping every `recorded_at`; return how many were stored."""


def next_recorded_at(append_time: Instant, previous: Instant) -> Instant:
    """Return the stamp of the next record of a partition.

    `append_time` is the wall time at which it was appended, `previous` the stamp before it (0 for
    the first). Clocks step back and brokers stamp whole batches alike; two records must not share
    a stamp, so the later one is moved forward by one microsecond.
    """
    return max(append_time, previous + 1)
