"""What was acknowledged is there, once, whatever happens to the writer."""

import random
import sys
import threading
import time
from pathlib import Path

import pytest

from events.errors import LogUnavailable
from events.log.port import Cursor, Log
from services.logs.sqlite import SqliteLog
from services.logs.sqlite.connections import connect
from tests.contracts.log_base import (
    HandClock,
    assert_stamps_rise,
    read_partition,
    record,
    records,
)
from tests.services.logs.processes import start, whole_lines
from tests.services.logs.writer_process import record_of

_ROUNDS = 10


def _everything(log: Log) -> list[str]:
    """Return all ids, having seen that each partition is dense and each body is as written."""
    ids: list[str] = []
    for partition in log.ends():
        entries = read_partition(log, partition)
        assert_stamps_rise(entries)
        for entry in entries:
            assert entry.record == record_of(entry.record.id)
            ids.append(entry.record.id)
    assert len(ids) == len(set(ids))
    return ids


def test_kill_9_at_random_moments_loses_nothing_acknowledged(tmp_path: Path) -> None:
    path = tmp_path / "log.db"
    chance = random.Random()
    acknowledged: set[str] = set()
    for nth in range(_ROUNDS):
        with start("writer_process", path, f"round{nth}", 1_000_000) as child:
            assert child.stdout is not None
            first = child.stdout.readline()  # it is up, and writing
            killer = threading.Timer(chance.uniform(0, 0.2), child.kill)
            killer.start()
            acknowledged.update(whole_lines(first + child.stdout.read()))
            killer.join()
        log = SqliteLog(path, clock=HandClock())
        assert acknowledged <= set(_everything(log))
        log.close()
    assert len(acknowledged) >= _ROUNDS


def test_two_processes_make_one_log_and_write_at_once(tmp_path: Path) -> None:
    path = tmp_path / "log.db"
    with (
        start("writer_process", path, "x", 150) as one,
        start("writer_process", path, "y", 150) as two,
    ):
        said = [whole_lines(child.communicate(timeout=120)[0]) for child in (one, two)]
    assert [one.returncode, two.returncode] == [0, 0]
    log = SqliteLog(path, clock=HandClock())
    assert sorted(_everything(log)) == sorted(said[0] + said[1])
    assert [e.sequence for e in log.read_all(limit=1000)] == list(range(1, 301))
    log.close()


def test_an_append_of_another_process_wakes_and_is_read(tmp_path: Path) -> None:
    path = tmp_path / "log.db"
    log = SqliteLog(path, clock=HandClock())
    assert log.ends() == {}
    started = time.monotonic()
    with start("writer_process", path, "x", 1) as child:
        log.wait(60)
        assert child.wait(60) == 0
    assert time.monotonic() - started < 50
    assert sum(log.ends().values()) == 1
    log.close()


def test_a_writer_that_holds_on_is_a_clear_error_and_passes(tmp_path: Path) -> None:
    path = tmp_path / "log.db"
    log = SqliteLog(path, clock=HandClock(), busy_timeout=0.1)
    log.append([record("before")])
    other = connect(path, read_only=False, busy_timeout=0.1)
    other.execute("BEGIN IMMEDIATE")
    with pytest.raises(LogUnavailable, match="locked"):
        log.append(records(2))
    assert sum(log.ends().values()) == 1  # readers are not held up
    other.execute("ROLLBACK")
    other.close()
    assert [each.position for each in log.append(records(2))] == [1, 2]
    log.close()


def test_a_full_disk_is_a_clear_error_and_passes(tmp_path: Path) -> None:
    log = SqliteLog(tmp_path / "log.db", clock=HandClock())
    log.append(records(3, prefix="before"))
    # The limit belongs to the connection, so it has to be set on the writer itself.
    with log._connections.writing() as writer:
        writer.execute("PRAGMA max_page_count = 40")
    large = record("large", random.Random(1).randbytes(500_000))
    with pytest.raises(LogUnavailable, match="full"):
        log.append([*records(2, "github.com/2"), large])
    assert log.ends() == {"github.com/1001": 3}
    assert [each.position for each in log.append(records(2))] == [3, 4]
    with log._connections.writing() as writer:
        writer.execute("PRAGMA max_page_count = 4000")
    log.append([large])
    assert log.read("github.com/1001", Cursor(5, 0))[0].record == large
    log.close()


@pytest.mark.skipif(sys.platform == "win32", reason="there are no file size limits there")
def test_a_disk_that_refuses_to_write_is_a_clear_error_and_passes(tmp_path: Path) -> None:
    path = tmp_path / "log.db"
    with start("limited_process", path) as child:
        said = child.communicate(timeout=120)[0].split()
    assert said[:2] == ["unavailable", "whole"]
    log = SqliteLog(path, clock=HandClock())
    assert len(_everything(log)) == int(said[2]) + 1
    log.close()
