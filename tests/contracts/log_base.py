"""What the parts of the log contract share: a clock set by hand, builders, and the hook."""

import itertools
from collections.abc import Iterator
from pathlib import Path

import pytest

from events.instant import SECOND, Instant
from events.log.port import START, Clock, Cursor, Log
from events.record import Entry, Record

KEY = "github.com/1001"
OTHER = "github.com/name:octo/spoon"
NOON: Instant = 1_782_000_000 * SECOND


class HandClock:
    """A clock that stands where it is put; `fail_after` calls it breaks."""

    def __init__(self) -> None:
        self.now = NOON
        self.fail_after: int | None = None

    def __call__(self) -> Instant:
        if self.fail_after is not None:
            self.fail_after -= 1
            if self.fail_after < 0:
                raise RuntimeError("the clock broke")
        return self.now


def record(record_id: str, body: bytes = b"{}", repository: str = KEY) -> Record:
    """Build a plain record."""
    return Record(
        id=record_id, repository=repository, source="webhook", type="com.github.push", body=body
    )


def records(count: int, repository: str = KEY, *, prefix: str = "r") -> list[Record]:
    """Build some records of ten bytes each."""
    return [record(f"{prefix}{n}", b"%010d" % n, repository) for n in range(count)]


def read_partition(log: Log, partition: str, **bounds: int) -> list[Entry]:
    """Read one partition from its start to its end, batch by batch."""
    entries: list[Entry] = []
    cursor = START
    while batch := log.read(partition, cursor, **bounds):
        entries += batch
        cursor = Cursor(batch[-1].position + 1, batch[-1].recorded_at)
    return entries


def read_key(log: Log, key: str = KEY) -> list[Entry]:
    """Read the entries of one repository key, wherever they lie."""
    entries = [entry for partition in log.ends() for entry in read_partition(log, partition)]
    return [entry for entry in entries if entry.record.repository == key]


def assert_stamps_rise(entries: list[Entry]) -> None:
    """Assert positions without holes and strictly increasing stamps of one whole partition."""
    assert [entry.position for entry in entries] == list(range(len(entries)))
    stamps = [entry.recorded_at for entry in entries]
    assert all(earlier < later for earlier, later in itertools.pairwise(stamps))


class LogSuite:
    """The hook and the flags of a backend."""

    #: `append` sees that an id is taken: duplicates are refused, conflicts kept.
    refuses_duplicates = True
    #: Stamps are taken from the clock at append and stored; `load` is there.
    keeps_stamps = True
    #: A partition is named like the one repository key it holds.
    partition_is_key = True

    def open_log(self, clock: Clock, folder: Path) -> Log:
        """Open an empty log."""
        raise NotImplementedError

    @pytest.fixture
    def clock(self) -> HandClock:
        return HandClock()

    @pytest.fixture
    def log(self, clock: HandClock, tmp_path: Path) -> Iterator[Log]:
        log = self.open_log(clock, tmp_path)
        yield log
        log.close()

    def needs(self, flag: str) -> None:
        """Skip where the backend lacks an ability."""
        if not getattr(self, flag):
            pytest.skip(f"this log is not {flag}")
