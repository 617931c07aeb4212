"""Redaction: the body goes, for good; its place, its id and its digest stay."""

import io
from pathlib import Path

import pytest

from events.errors import NotFound
from events.identity import body_digest
from events.log.irregular import digest_as_received, is_redacted
from events.log.port import START
from services.logs.exchange import export_log, import_log
from services.logs.sqlite import SqliteLog
from tests.contracts.log_base import KEY, HandClock, record

SECRET = b'{"token": "a secret that should never have been sent"}'


def _redacted_log(folder: Path) -> SqliteLog:
    log = SqliteLog(folder / "log.db", clock=HandClock())
    log.append([record("a"), record("secret", SECRET), record("b")])
    assert log.redact(KEY, "secret", "a token was posted")
    return log


def test_a_redacted_record_keeps_its_place_and_says_what_it_was(tmp_path: Path) -> None:
    log = _redacted_log(tmp_path)
    entry = log.read(KEY, START)[1]
    assert (entry.position, entry.record.id, entry.record.body) == (1, "secret", b"")
    assert is_redacted(entry.record)
    assert digest_as_received(entry.record) == body_digest(SECRET)
    assert entry.record.attributes["redactedreason"] == "a token was posted"
    log.close()


def test_the_bytes_are_gone_from_the_disk(tmp_path: Path) -> None:
    log = _redacted_log(tmp_path)
    for file in tmp_path.iterdir():
        assert b"a secret that" not in file.read_bytes(), file
    log.close()


def test_a_reader_may_delay_that_and_a_second_call_finishes_it(tmp_path: Path) -> None:
    log = SqliteLog(tmp_path / "log.db", clock=HandClock(), busy_timeout=0.1)
    log.append([record("secret", SECRET)])
    with log._connections.reading() as reader:
        reader.execute("SELECT count(*) FROM record").fetchone()
        assert not log.redact(KEY, "secret", "why")
    before = log.read(KEY, START)
    assert log.redact(KEY, "secret", "another reason comes too late")
    assert log.read(KEY, START) == before
    log.close()


def test_a_redelivery_of_what_was_redacted_is_a_duplicate(tmp_path: Path) -> None:
    log = _redacted_log(tmp_path)
    (again,) = log.append([record("secret", SECRET)])
    assert (again.outcome, again.position) == ("duplicate", 1)
    (other,) = log.append([record("secret", b"other")])
    assert other.outcome == "conflict"
    log.close()


def test_redacting_what_is_not_there_is_an_error(tmp_path: Path) -> None:
    log = _redacted_log(tmp_path)
    with pytest.raises(NotFound, match="no record nothing"):
        log.redact(KEY, "nothing", "why")
    log.close()


def test_a_redacted_record_stays_redacted_through_export_and_import(tmp_path: Path) -> None:
    log = _redacted_log(tmp_path)
    file = io.BytesIO()
    export_log(log, file)
    assert b"a secret that" not in file.getvalue()
    file.seek(0)
    other = SqliteLog(tmp_path / "other.db", clock=HandClock())
    import_log(other, file)
    assert other.read(KEY, START) == log.read(KEY, START)
    assert other.append([record("secret", SECRET)])[0].outcome == "duplicate"
    other.close()
    log.close()
