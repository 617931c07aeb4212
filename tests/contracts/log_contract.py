"""What every log promises, as one suite: a backend is tested by a subclass of some twenty lines.

A subclass gives `open_log` and, where its backend is less able, lowers a flag (`LogSuite`). Tests
that need the flag are then skipped with its name; all others hold for all logs.
"""

import threading
import time
from collections.abc import Callable

import pytest

from events.errors import BrokenLog
from events.log.port import START, Appended, Cursor, Log
from events.record import Entry
from tests.contracts.log_base import (
    KEY,
    NOON,
    OTHER,
    assert_stamps_rise,
    read_key,
    read_partition,
    record,
    records,
)
from tests.contracts.log_storing import StoringContract


class LogContract(StoringContract):
    """All of it: what is stored, in which order it is read, and how threads meet."""

    # Order and positions

    def test_an_empty_log_has_no_ends(self, log: Log) -> None:
        assert log.ends() == {}

    def test_records_come_back_in_order_of_append(self, log: Log) -> None:
        log.append(records(3))
        log.append(records(2, prefix="s"))
        assert [entry.record.id for entry in read_key(log)] == ["r0", "r1", "r2", "s0", "s1"]

    def test_append_tells_where_each_record_lies(self, log: Log) -> None:
        appended = log.append([*records(2), record("x", repository=OTHER)])
        by_place = {
            (entry.partition, entry.position): entry.record.id
            for partition in log.ends()
            for entry in read_partition(log, partition)
        }
        assert [each.outcome for each in appended] == ["stored"] * 3
        assert [by_place[each.partition, each.position] for each in appended] == ["r0", "r1", "x"]
        assert [each.record_id for each in appended] == ["r0", "r1", "x"]

    def test_appending_nothing_does_nothing(self, log: Log) -> None:
        assert log.append([]) == []
        assert log.ends() == {}

    def test_a_key_lies_in_one_partition_and_ends_tell_the_next_position(self, log: Log) -> None:
        appended = log.append([*records(3), *records(2, OTHER)])
        assert len({each.partition for each in appended[:3]}) == 1
        assert sum(log.ends().values()) == 5
        for each in appended:
            assert each.position < log.ends()[each.partition]

    def test_a_partition_is_named_like_its_key(self, log: Log) -> None:
        self.needs("partition_is_key")
        log.append([*records(3), *records(2, OTHER)])
        assert log.ends() == {KEY: 3, OTHER: 2}
        assert log.read("github.com/404", START) == []

    # Reading

    def test_reading_respects_the_limit(self, log: Log) -> None:
        (partition,) = {each.partition for each in log.append(records(5))}
        assert len(log.read(partition, START, limit=3)) == 3
        assert [e.record.id for e in log.read(partition, Cursor(3, 0), limit=3)] == ["r3", "r4"]

    @pytest.mark.parametrize(("max_bytes", "count"), [(1, 1), (10, 1), (25, 2), (30, 3), (999, 5)])
    def test_reading_respects_the_bytes_but_gives_at_least_one(
        self, log: Log, max_bytes: int, count: int
    ) -> None:
        (partition,) = {each.partition for each in log.append(records(5))}
        assert len(log.read(partition, START, max_bytes=max_bytes)) == count

    @pytest.mark.parametrize("limit", [1, 2, 3, 7, 100])
    def test_any_batch_size_reads_the_same(self, log: Log, limit: int) -> None:
        (partition,) = {each.partition for each in log.append(records(7))}
        assert read_partition(log, partition, limit=limit) == read_partition(log, partition)

    def test_reading_at_the_end_gives_nothing(self, log: Log) -> None:
        (partition,) = {each.partition for each in log.append(records(2))}
        last = log.read(partition, START)[-1]
        assert log.read(partition, Cursor(2, last.recorded_at)) == []

    def test_a_cursor_beyond_the_end_is_a_broken_log(self, log: Log) -> None:
        (partition,) = {each.partition for each in log.append(records(2))}
        with pytest.raises(BrokenLog, match="beyond"):
            log.read(partition, Cursor(3, NOON))

    # Threads

    def test_appends_of_many_threads_are_all_kept_in_each_ones_order(self, log: Log) -> None:
        keys = [KEY, KEY, KEY, OTHER]
        appended: list[Appended] = []

        def write(nth: int) -> None:
            for one in records(20, keys[nth], prefix=f"t{nth}-"):
                appended.extend(log.append([one]))

        _run([lambda nth=nth: write(nth) for nth in range(len(keys))])  # type: ignore[misc]
        for partition in log.ends():
            assert_stamps_rise(read_partition(log, partition))
        for nth, key in enumerate(keys):
            ids = [entry.record.id for entry in read_key(log, key)]
            assert [i for i in ids if i.startswith(f"t{nth}-")] == [
                f"t{nth}-{n}" for n in range(20)
            ]
        assert len({(each.partition, each.position) for each in appended}) == 80

    def test_a_reader_follows_while_another_thread_appends(self, log: Log) -> None:
        (partition,) = {each.partition for each in log.append(records(1, prefix="first"))}
        seen: list[Entry] = []

        def write() -> None:
            for one in records(60):
                log.append([one])

        def follow() -> None:
            cursor = START
            deadline = time.monotonic() + 30
            while len(seen) < 61 and time.monotonic() < deadline:
                batch = log.read(partition, cursor, limit=7)
                seen.extend(batch)
                if batch:
                    cursor = Cursor(batch[-1].position + 1, batch[-1].recorded_at)
                else:
                    log.wait(0.2)

        _run([write, follow])
        assert seen == read_partition(log, partition)
        assert len(seen) == 61

    def test_wait_wakes_on_an_append(self, log: Log) -> None:
        log.append(records(1))
        before = log.ends()
        timer = threading.Timer(0.2, lambda: log.append(records(1, prefix="later")))
        timer.start()
        started = time.monotonic()
        while log.ends() == before and time.monotonic() < started + 20:
            log.wait(20)
        waited = time.monotonic() - started
        timer.join()
        assert log.ends() != before
        assert waited < 10

    def test_wait_ends_by_itself(self, log: Log) -> None:
        log.append(records(1))
        log.ends()
        started = time.monotonic()
        log.wait(0.1)
        assert 0.05 < time.monotonic() - started < 10


def _run(targets: list[Callable[[], None]]) -> None:
    """Run all in threads, and raise what one of them raised."""
    errors: list[BaseException] = []

    def guarded(target: Callable[[], None]) -> None:
        try:
            target()
        except BaseException as error:
            errors.append(error)

    threads = [threading.Thread(target=guarded, args=(target,)) for target in targets]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(60)
    assert not any(thread.is_alive() for thread in threads)
    if errors:
        raise errors[0]
