"""A backup is a whole log of one moment, or is not there."""

import sqlite3
import threading
from pathlib import Path

import pytest

from events.errors import BrokenLog, ConfigurationError, InvalidQuestion, NotFound
from events.log.port import START
from services.logs.backup import backup
from services.logs.sqlite import SqliteLog
from tests.contracts.log_base import (
    KEY,
    OTHER,
    HandClock,
    assert_stamps_rise,
    read_partition,
    record,
    records,
)


def test_a_backup_is_the_log(tmp_path: Path) -> None:
    log = SqliteLog(tmp_path / "log.db", clock=HandClock())
    log.append([*records(20), *records(3, OTHER)])
    done = backup(tmp_path / "log.db", tmp_path / "copy.db")
    assert done.ends == log.ends() == {KEY: 20, OTHER: 3}
    copy = SqliteLog(tmp_path / "copy.db", clock=HandClock())
    assert copy.read_all() == log.read_all()
    assert copy.append([record("next")])[0].position == 20
    copy.close()
    log.close()
    assert sorted(path.name for path in tmp_path.iterdir()) == ["copy.db", "log.db"]


def test_a_backup_while_others_write_is_of_one_moment(tmp_path: Path) -> None:
    log = SqliteLog(tmp_path / "log.db", clock=HandClock())
    stop = threading.Event()
    log.append([record("first")])

    def write() -> None:
        nth = 0
        while not stop.is_set():
            nth += 1
            log.append([record(f"{nth}a", bytes(5000)), record(f"{nth}b", repository=OTHER)])

    writer = threading.Thread(target=write)
    writer.start()
    try:
        dones = [backup(tmp_path / "log.db", tmp_path / f"copy{nth}.db") for nth in range(3)]
    finally:
        stop.set()
        writer.join(60)
    log.close()
    for done in dones:
        copy = SqliteLog(done.target, clock=HandClock(), read_only=True)
        entries = read_partition(copy, KEY)
        assert_stamps_rise(entries)
        assert copy.ends() == done.ends
        assert len(entries) - 1 == done.ends.get(OTHER, 0)  # the two were appended together
        copy.close()


def test_a_backup_overwrites_nothing_and_needs_a_log(tmp_path: Path) -> None:
    with pytest.raises(NotFound, match="no log"):
        backup(tmp_path / "log.db", tmp_path / "copy.db")
    SqliteLog(tmp_path / "log.db", clock=HandClock()).close()
    (tmp_path / "copy.db").write_text("precious")
    with pytest.raises(InvalidQuestion, match="exists"):
        backup(tmp_path / "log.db", tmp_path / "copy.db")
    assert (tmp_path / "copy.db").read_text() == "precious"
    (tmp_path / "notes.txt").write_text("notes " * 1000)
    with pytest.raises(ConfigurationError, match="not a Shipledger log"):
        backup(tmp_path / "notes.txt", tmp_path / "copy2.db")


def test_a_damaged_log_gives_no_backup(tmp_path: Path) -> None:
    log = SqliteLog(tmp_path / "log.db", clock=HandClock())
    log.append(records(50))
    log.close()
    connection = sqlite3.connect(tmp_path / "log.db")
    (root,) = connection.execute(
        "SELECT rootpage FROM sqlite_schema WHERE name = 'sqlite_autoindex_record_2'"
    ).fetchone()
    connection.close()
    raw = bytearray((tmp_path / "log.db").read_bytes())
    raw[(root - 1) * 4096 + 200 : root * 4096] = bytes(4096 - 200)
    (tmp_path / "log.db").write_bytes(raw)
    with pytest.raises(BrokenLog):
        backup(tmp_path / "log.db", tmp_path / "copy.db")
    assert list(tmp_path.glob("copy*")) == []
    reopened = SqliteLog(tmp_path / "log.db", clock=HandClock())
    assert len(reopened.read(KEY, START)) == 50
    reopened.close()
