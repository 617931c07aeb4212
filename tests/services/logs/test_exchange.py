"""Export and import: the same bytes come back, and damage is noticed before anything is stored."""

import gzip
import io
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import NoReturn, get_args

import pytest
from hypothesis import given
from hypothesis import strategies as st

from events.errors import InvalidQuestion
from events.instant import SECOND
from events.log.memory import MemoryLog
from events.log.port import Log
from events.record import FORM, JSON, Record, Source
from services.logs.exchange import export_log, import_log
from services.logs.sqlite import SqliteLog
from tests.contracts.log_base import (
    KEY,
    OTHER,
    HandClock,
    read_key,
    read_partition,
    record,
    records,
)
from tests.laws import tried

_KEYS = (KEY, OTHER, "github.com")
_TEXT = st.text(st.characters(exclude_categories=["Cs"]), max_size=20)
_RECORDS = st.lists(
    st.builds(
        Record,
        id=_TEXT,
        repository=st.sampled_from(_KEYS),
        source=st.sampled_from(get_args(Source)),
        type=_TEXT,
        body=st.binary(max_size=300) | _TEXT.map(str.encode),
        time=st.none() | st.integers(-(10**15), 10**16),
        content_type=st.sampled_from([JSON, FORM]),
        attributes=st.dictionaries(st.text("abcdefg09", min_size=1), _TEXT, max_size=3),
    ),
    max_size=12,
)


def _exported(log: Log) -> bytes:
    out = io.BytesIO()
    export_log(log, out)
    return out.getvalue()


def _log_of_two() -> MemoryLog:
    clock = HandClock()
    log = MemoryLog(clock)
    for nth in range(250):
        clock.now += SECOND
        log.append([record(f"r{nth}", b'{"n": %d}' % nth, KEY if nth % 3 else OTHER)])
    return log


@tried(60)
@given(offered=_RECORDS)
def test_any_log_comes_back_as_it_was(offered: list[Record]) -> None:
    log = MemoryLog(HandClock())
    log.append(offered)
    exported = _exported(log)
    with tempfile.TemporaryDirectory() as folder:
        other = SqliteLog(Path(folder) / "log.db", clock=HandClock())
        imported = import_log(other, io.BytesIO(exported))
        assert other.ends() == log.ends()
        for partition in log.ends():
            assert read_partition(other, partition) == read_partition(log, partition)
        assert _exported(other) == exported
        assert imported.stored == sum(log.ends().values())
        assert import_log(other, io.BytesIO(exported)).stored == 0
        other.close()


def test_entries_are_written_in_the_order_in_which_they_were_recorded(tmp_path: Path) -> None:
    log = _log_of_two()
    done = export_log(log, tmp_path / "log.jsonl")
    assert done.entries == 250
    assert done.partitions == log.ends()
    lines = (tmp_path / "log.jsonl").read_text().splitlines()
    assert len(lines) == 252
    assert [f'"id":"r{nth}"' in line for nth, line in enumerate(lines[1:-1])] == [True] * 250


def test_some_partitions_can_be_exported_alone(tmp_path: Path) -> None:
    log = _log_of_two()
    done = export_log(log, tmp_path / "log.jsonl", [OTHER])
    assert done.partitions == {OTHER: log.ends()[OTHER]}
    with pytest.raises(InvalidQuestion, match=r"no partition github\.com/404"):
        export_log(log, tmp_path / "none.jsonl", [OTHER, "github.com/404"])
    assert not (tmp_path / "none.jsonl").exists()


def test_a_gzipped_export_is_the_same_each_time_and_comes_back(tmp_path: Path) -> None:
    log = _log_of_two()
    export_log(log, tmp_path / "a.jsonl.gz")
    export_log(log, tmp_path / "b.jsonl.gz")
    packed = (tmp_path / "a.jsonl.gz").read_bytes()
    assert packed == (tmp_path / "b.jsonl.gz").read_bytes()
    assert gzip.decompress(packed) == _exported(log)
    other = MemoryLog(HandClock())
    assert import_log(other, tmp_path / "a.jsonl.gz").kept_stamps
    assert read_key(other) == read_key(log)


def test_import_into_a_log_that_holds_something_stamps_anew_and_says_so() -> None:
    log, other = _log_of_two(), MemoryLog(HandClock())
    other.append([record("r1", b'{"n": 1}'), record("r2", b"something else"), record("mine")])
    imported = import_log(other, io.BytesIO(_exported(log)))
    assert imported.known_history_starts_now
    assert (imported.entries, imported.stored) == (250, 249)
    assert (imported.duplicates, imported.conflicts) == (1, 1)
    assert read_key(other)[-1].recorded_at < read_key(log)[0].recorded_at + SECOND
    again = import_log(other, io.BytesIO(_exported(log)))
    assert (again.stored, again.duplicates) == (0, 250)
    assert not again.known_history_starts_now


def test_an_empty_log_can_be_exported_and_imported() -> None:
    exported = _exported(MemoryLog(HandClock()))
    other = MemoryLog(HandClock())
    assert import_log(other, io.BytesIO(exported)).entries == 0
    assert other.ends() == {}


@pytest.mark.slow
def test_a_body_of_30_mib_goes_through(tmp_path: Path) -> None:
    log, other = MemoryLog(HandClock()), MemoryLog(HandClock())
    log.append([record("large", bytes(range(256)) * (30 << 12)), record("text", b" " * (30 << 20))])
    export_log(log, tmp_path / "log.jsonl.gz")
    import_log(other, tmp_path / "log.jsonl.gz")
    assert read_key(other) == read_key(log)


_DAMAGES: dict[str, tuple[Callable[[list[bytes]], list[bytes]], str]] = {
    "cut between lines": (lambda lines: lines[:-1], "line 7: .*cut off"),
    "cut within a line": (lambda lines: [*lines[:3], lines[3][:50]], "line 4: .*middle"),
    "nothing at all": (lambda _: [], "line 1: "),
    "a changed byte": (
        lambda lines: [*lines[:3], lines[3].replace(b"000002", b"000003"), *lines[4:]],
        "line 4: .*digest",
    ),
    "a line left out": (lambda lines: [*lines[:3], *lines[4:]], "line 6: .*missing"),
    "a line twice": (lambda lines: [*lines[:3], lines[2], *lines[3:]], "line 8: .*added"),
    "lines exchanged": (
        lambda lines: [lines[0], lines[2], lines[1], *lines[3:]],
        "line 7: .*order",
    ),
    "something behind": (lambda lines: [*lines, b"{}\n"], "line 7: .*follows"),
    "no export": (lambda _: [b'{"hello": "world"}\n'], "line 1: .*digest"),
}


@pytest.mark.parametrize("case", _DAMAGES)
@pytest.mark.parametrize("filled", [False, True], ids=["empty", "filled"])
def test_a_damaged_file_is_refused_with_its_line_and_nothing_is_stored(
    case: str, filled: bool
) -> None:
    damage, message = _DAMAGES[case]
    log, other = MemoryLog(HandClock()), MemoryLog(HandClock())
    log.append(records(5))
    if filled:
        other.append([record("mine")])
    before = other.ends()
    broken = b"".join(damage(_exported(log).splitlines(keepends=True)))
    with pytest.raises(InvalidQuestion, match=message):
        import_log(other, io.BytesIO(broken))
    assert other.ends() == before


def test_a_cut_gzip_file_is_refused(tmp_path: Path) -> None:
    export_log(_log_of_two(), tmp_path / "log.jsonl.gz")
    whole = (tmp_path / "log.jsonl.gz").read_bytes()
    for length in (1, 30, len(whole) // 2, len(whole) - 1):
        (tmp_path / "cut.jsonl.gz").write_bytes(whole[:length])
        other = MemoryLog(HandClock())
        with pytest.raises(InvalidQuestion, match="damaged export"):
            import_log(other, tmp_path / "cut.jsonl.gz")
        assert other.ends() == {}


def test_a_file_that_cannot_be_read_is_a_clear_error(tmp_path: Path) -> None:
    with pytest.raises(InvalidQuestion, match="cannot read"):
        import_log(MemoryLog(HandClock()), tmp_path / "none.jsonl")


def test_an_export_that_fails_leaves_no_file(tmp_path: Path) -> None:
    class Failing(MemoryLog):
        def read(self, *args: object, **kwargs: object) -> NoReturn:
            raise RuntimeError("the disk fell off")

    log = Failing(HandClock())
    log.append(records(1))
    with pytest.raises(RuntimeError):
        export_log(log, tmp_path / "log.jsonl")
    assert list(tmp_path.iterdir()) == []
