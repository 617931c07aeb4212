"""The part of the log contract about what is stored: bodies, stamps, repetition, all or nothing."""

import random

import pytest

from events.errors import BrokenLog, InvalidQuestion
from events.instant import SECOND
from events.log.irregular import CONFLICT_TYPE
from events.log.port import Log, StampKeepingLog
from events.record import FORM, Entry, Record
from tests.contracts.log_base import (
    KEY,
    NOON,
    OTHER,
    HandClock,
    LogSuite,
    assert_stamps_rise,
    read_key,
    read_partition,
    record,
    records,
)


class StoringContract(LogSuite):
    """A log gives back what it was given, once."""

    # What is kept

    @pytest.mark.parametrize(
        "body",
        [b"", bytes(range(256)), b'{"a": "\xc3\xa9"}\r\n\x00', b"\xff\xfe{}", b"x" * 20_000],
        ids=["empty", "binary", "nul", "not-utf-8", "long"],
    )
    def test_bodies_are_kept_byte_for_byte(self, log: Log, body: bytes) -> None:
        log.append([record("b", body)])
        assert read_key(log)[0].record.body == body

    @pytest.mark.slow
    def test_a_body_of_30_mib_is_kept(self, log: Log) -> None:
        body = random.Random(7).randbytes(1 << 20) * 15 + bytes(15 << 20)
        log.append([record("small"), record("large", body), record("small too")])
        assert [len(entry.record.body) for entry in read_key(log)] == [2, 30 << 20, 2]
        assert read_key(log)[1].record.body == body

    def test_everything_about_a_record_comes_back(self, log: Log) -> None:
        full = Record(
            id="72d3162e-cc78-11e3-81ab-4c9367dc0958",
            repository="github.example.org:8443/name:größe/仓库",
            source="curation",
            type="shipledger.curation.twins",
            body='{"title": "修复 — naïve 🚢"}'.encode(),
            time=-1,
            content_type=FORM,
            attributes={
                "hookid": "1",
                "receivedat": "2026-07-01T00:00:00Z",
                "note": "ä\n\"'🚢\x00",
            },
        )
        bare = record("bare", repository="github.com")
        log.append([full, bare])
        assert [entry.record for entry in read_key(log, full.repository)] == [full]
        assert [entry.record for entry in read_key(log, "github.com")] == [bare]

    # Stamps

    def test_stamps_rise_under_a_clock_that_stands_still_or_goes_back(
        self, log: Log, clock: HandClock
    ) -> None:
        (partition,) = {each.partition for each in log.append(records(3))}
        clock.now -= 10 * SECOND
        log.append(records(3, prefix="back"))
        clock.now += 60 * SECOND
        log.append(records(3, prefix="on"))
        entries = read_partition(log, partition)
        assert len(entries) == 9
        assert_stamps_rise(entries)

    def test_stamps_are_the_clocks_where_they_can_be(self, log: Log, clock: HandClock) -> None:
        self.needs("keeps_stamps")
        log.append(records(2))
        clock.now += SECOND
        log.append(records(1, prefix="later"))
        stamps = [entry.recorded_at for entry in read_key(log)]
        assert stamps == [NOON, NOON + 1, NOON + SECOND]

    def test_load_keeps_stamps_and_order(self, log: Log) -> None:
        self.needs("keeps_stamps")
        entries = _entries(5)
        assert _stamp_keeping(log).load(iter(entries)) == 5
        assert read_key(log) == entries
        log.append(records(1, prefix="next"))
        assert_stamps_rise(read_key(log))

    def test_load_into_a_log_that_holds_something_is_refused(self, log: Log) -> None:
        self.needs("keeps_stamps")
        log.append(records(1))
        with pytest.raises(InvalidQuestion, match="empty"):
            _stamp_keeping(log).load(_entries(2))
        assert len(read_key(log)) == 1

    def test_load_refuses_stamps_that_do_not_rise(self, log: Log) -> None:
        self.needs("keeps_stamps")
        entries = _entries(2)
        with pytest.raises(BrokenLog, match="rise"):
            _stamp_keeping(log).load(reversed(entries))

    # Repetition

    def test_a_duplicate_is_found_and_not_stored(self, log: Log) -> None:
        self.needs("refuses_duplicates")
        first = log.append([record("a"), record("b")])
        again = log.append([record("b"), record("c"), record("c"), record("a")])
        assert [each.outcome for each in again] == [
            "duplicate",
            "stored",
            "duplicate",
            "duplicate",
        ]
        assert [again[3].position, again[0].position] == [each.position for each in first]
        assert [entry.record.id for entry in read_key(log)] == ["a", "b", "c"]

    def test_one_id_in_two_repositories_is_two_records(self, log: Log) -> None:
        appended = log.append([record("a"), record("a", repository=OTHER)])
        assert [each.outcome for each in appended] == ["stored", "stored"]

    def test_a_conflict_keeps_both_bodies_once(self, log: Log) -> None:
        self.needs("refuses_duplicates")
        log.append([record("a", b"first")])
        conflict, again = log.append([record("a", b"second"), record("a", b"second")])
        (third,) = log.append([record("a", b"third")])
        assert (conflict.outcome, again.outcome) == ("conflict", "duplicate")
        assert (conflict.record_id, conflict.position) == (again.record_id, again.position)
        assert (third.outcome, third.position) == ("conflict", 2)
        entries = read_key(log)
        assert [entry.record.body for entry in entries] == [b"first", b"second", b"third"]
        assert entries[1].record.type == CONFLICT_TYPE
        assert entries[1].record.attributes["conflictof"] == "a"
        assert entries[1].record.attributes["originaltype"] == "com.github.push"

    # All or nothing

    def test_a_failed_append_leaves_nothing_and_no_hole(self, log: Log, clock: HandClock) -> None:
        self.needs("keeps_stamps")  # the clock is what fails
        log.append(records(1, prefix="before"))
        clock.fail_after = 2
        with pytest.raises(RuntimeError, match="clock"):
            log.append([*records(2), record("x", repository=OTHER)])
        clock.fail_after = None
        assert sum(log.ends().values()) == 1
        log.append(records(2))
        entries = read_key(log)
        assert [entry.record.id for entry in entries] == ["before0", "r0", "r1"]
        assert_stamps_rise(entries)


def _entries(count: int) -> list[Entry]:
    return [
        Entry(record=one, partition=KEY, position=n, recorded_at=NOON - SECOND + 7 * n)
        for n, one in enumerate(records(count))
    ]


def _stamp_keeping(log: Log) -> StampKeepingLog:
    assert hasattr(log, "load")
    return log  # type: ignore[return-value]  # just seen
