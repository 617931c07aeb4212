"""What the log on SQLite promises beyond the port."""

import sqlite3
import threading
from pathlib import Path

import msgspec
import pytest

from events.errors import (
    BrokenLog,
    ConfigurationError,
    InvalidQuestion,
    LogUnavailable,
    NotFound,
)
from events.log.port import START
from services.logs.sqlite import SqliteLog
from tests.contracts.log_base import KEY, NOON, OTHER, HandClock, record, records


def _open(folder: Path, *, read_only: bool = False) -> SqliteLog:
    return SqliteLog(folder / "log.db", clock=HandClock(), read_only=read_only)


def _damage(folder: Path, statement: str) -> None:
    connection = sqlite3.connect(folder / "log.db")
    connection.execute(statement)
    connection.commit()
    connection.close()


def test_what_was_appended_is_there_after_opening_again(tmp_path: Path) -> None:
    log = _open(tmp_path)
    log.append(records(3))
    before = log.read(KEY, START)
    log.close()
    again = _open(tmp_path)
    assert again.read(KEY, START) == before
    (fourth,) = again.append([record("next")])
    assert fourth.position == 3
    assert again.read(KEY, START)[3].recorded_at == NOON + 3
    again.close()


def test_a_log_opened_for_reading_follows_and_refuses_to_write(tmp_path: Path) -> None:
    writer = _open(tmp_path)
    writer.append(records(2))
    reader = _open(tmp_path, read_only=True)
    assert len(reader.read(KEY, START)) == 2
    writer.append(records(1, prefix="next"))
    reader.wait(10)
    assert reader.ends() == {KEY: 3}
    with pytest.raises(InvalidQuestion, match="reading only"):
        reader.append(records(1))
    writer.close()
    assert len(reader.read(KEY, START)) == 3
    reader.close()


def test_reading_only_needs_a_log(tmp_path: Path) -> None:
    with pytest.raises(NotFound, match="no log"):
        _open(tmp_path, read_only=True)
    assert not (tmp_path / "log.db").exists()
    (tmp_path / "log.db").touch()
    with pytest.raises(ConfigurationError, match="empty"):
        _open(tmp_path, read_only=True)


def test_a_log_of_a_newer_program_is_left_alone(tmp_path: Path) -> None:
    _open(tmp_path).close()
    _damage(tmp_path, "PRAGMA user_version = 99")
    with pytest.raises(ConfigurationError, match=r"format 99.*upgrade"):
        _open(tmp_path)


def test_files_that_are_not_a_log_are_left_alone(tmp_path: Path) -> None:
    _damage(tmp_path, "CREATE TABLE something (else_ TEXT)")
    before = (tmp_path / "log.db").read_bytes()
    with pytest.raises(ConfigurationError, match="not a Shipledger log"):
        _open(tmp_path)
    assert (tmp_path / "log.db").read_bytes() == before
    (tmp_path / "log.db").write_bytes(b"# notes\n" * 1000)
    with pytest.raises(ConfigurationError, match="not a Shipledger log"):
        _open(tmp_path)


def test_many_may_make_the_log_at_once(tmp_path: Path) -> None:
    logs: list[SqliteLog] = []
    threads = [threading.Thread(target=lambda: logs.append(_open(tmp_path))) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(60)
    assert len(logs) == 8
    for nth, log in enumerate(logs):
        log.append([record(f"r{nth}")])
    assert logs[0].ends() == {KEY: 8}
    for log in logs:
        log.close()


@pytest.mark.parametrize(
    ("damage", "message"),
    [
        ("UPDATE body SET encoding = 'raw', data = x'00' WHERE sequence = 2", "not the one"),
        ("UPDATE body SET encoding = 'zlib', data = x'00' WHERE sequence = 2", "expanded"),
        ("DELETE FROM body WHERE sequence = 2", "body is missing"),
        ("DELETE FROM record WHERE sequence = 2", "missing"),
    ],
    ids=["other-bytes", "broken-bytes", "no-body", "no-record"],
)
def test_stored_bytes_that_changed_are_a_broken_log(
    tmp_path: Path, damage: str, message: str
) -> None:
    log = _open(tmp_path)
    log.append(records(3))
    _damage(tmp_path, damage)
    with pytest.raises(BrokenLog, match=message):
        log.read(KEY, START)
    log.close()


def test_the_order_of_append_over_all_partitions_can_be_read(tmp_path: Path) -> None:
    log = _open(tmp_path)
    log.append([record("a"), record("b", repository=OTHER), record("c")])
    log.append([record("c"), record("d", repository=OTHER)])
    everything = log.read_all()
    assert [(each.sequence, each.entry.record.id) for each in everything] == [
        (1, "a"),
        (2, "b"),
        (3, "c"),
        (4, "d"),
    ]
    assert log.read_all(2, limit=1) == everything[2:3]
    assert log.read_all(2, max_bytes=1) == everything[2:3]
    assert log.read_all(4) == []
    log.close()


def test_a_failed_append_leaves_no_hole_in_the_order_of_append(tmp_path: Path) -> None:
    clock = HandClock()
    log = SqliteLog(tmp_path / "log.db", clock=clock)
    clock.fail_after = 2
    with pytest.raises(RuntimeError):
        log.append(records(3))
    clock.fail_after = None
    log.append(records(2))
    assert [each.sequence for each in log.read_all()] == [1, 2]
    log.close()


def test_a_closed_log_says_so_and_wakes_who_waits(tmp_path: Path) -> None:
    log = _open(tmp_path)
    log.ends()
    waiter = threading.Thread(target=log.wait, args=(60,))
    waiter.start()
    log.close()
    log.close()
    waiter.join(20)
    assert not waiter.is_alive()
    with pytest.raises(LogUnavailable, match="closed"):
        log.append(records(1))
    with pytest.raises(LogUnavailable, match="closed"):
        log.ends()


def test_load_drops_what_a_log_without_refusal_holds_twice(tmp_path: Path) -> None:
    log = _open(tmp_path)
    log.append([record("a"), record("b"), record("c")])
    first, second, third = log.read(KEY, START)
    other = SqliteLog(tmp_path / "other.db", clock=HandClock())
    again = msgspec.structs.replace(first, recorded_at=third.recorded_at + 5)
    assert other.load([first, second, third, again]) == 3
    assert other.read(KEY, START) == [first, second, third]
    other.close()
    log.close()


def test_a_failed_load_leaves_the_log_empty(tmp_path: Path) -> None:
    log = _open(tmp_path)
    log.append(records(3))
    entries = log.read(KEY, START)
    other = SqliteLog(tmp_path / "other.db", clock=HandClock())
    with pytest.raises(BrokenLog, match="rise"):
        other.load([entries[0], entries[2], entries[1]])
    assert other.ends() == {}
    assert other.load(entries) == 3
    other.close()
    log.close()


def test_a_payload_of_80_mib_is_kept(tmp_path: Path) -> None:
    body = b"payload=" + b"%7B%22a%22%3A+1%7D" * (80 * 1024 * 1024 // 18)
    large = record("large", body)
    log = _open(tmp_path)
    log.append([record("before"), large, record("after")])
    assert [entry.record.id for entry in log.read(KEY, START)] == ["before"]
    (entry,) = log.read(KEY, START._replace(position=1))
    assert entry.record.body == body
    log.close()
