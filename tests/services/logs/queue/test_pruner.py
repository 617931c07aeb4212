"""Pruning the queue: what Kafka has leaves it, and is still recognised when it comes again."""

import random
import sqlite3
import threading
from collections.abc import Iterator
from pathlib import Path

import msgspec
import pytest

from events.errors import BrokenLog, ConfigurationError, LogUnavailable
from events.instant import DAY, SECOND
from events.log.port import START, Cursor
from services.audit.configuration import record_configuration
from services.config.settings import Decided, Settings, read_file
from services.logs.queue import Pruner, QueueRetention
from services.logs.sqlite import SqliteLog
from services.logs.sqlite.pruning import STEP_BYTES, STEP_RECORDS
from tests.production import wait_until
from tests.services.logs.processes import start, whole_lines
from tests.services.logs.queue.queues import Bench, Broker, record
from tests.services.logs.writer_process import record_of
from tests.worlds import SetClock

WEEK = 7 * DAY / SECOND
PACKAGE = "tests.services.logs.queue"
START_OF_TIME = 1_780_000_000 * SECOND


class Yard:
    """A queue, its forwarder and its pruner; a new one on the same folder is a restart."""

    def __init__(self, folder: Path, clock: SetClock, **retention: float) -> None:
        self.clock = clock
        self.bench = Bench(folder, Broker(), clock=clock)
        self.queue = self.bench.queue
        given = {"held_seconds": WEEK, "remembered_seconds": 4 * WEEK, **retention}
        most = int(given.pop("most_remembered", 1_000_000))
        self.pruner = Pruner(
            queue=self.queue,
            forwarded=lambda: self.bench.forwarder.sequence,
            retention=QueueRetention(most_remembered=most, **given),
            clock=clock,
            metrics=self.bench.metrics,
        )

    def later(self, days: float) -> None:
        self.clock.now += round(days * DAY)

    def held(self) -> list[str]:
        return [each.entry.record.id for each in self.queue.read_all(limit=100_000)]

    def offer(self, number: int, body: bytes | None = None) -> str:
        offered = record(number)
        if body is not None:
            offered = msgspec.structs.replace(offered, body=body)
        return self.queue.append([offered])[0].outcome


@pytest.fixture
def clock() -> SetClock:
    return SetClock(START_OF_TIME)


@pytest.fixture
def yard(tmp_path: Path, clock: SetClock) -> Iterator[Yard]:
    made = Yard(tmp_path, clock)
    yield made
    made.bench.close()


def filled(yard: Yard, count: int = 10) -> None:
    """Take some records, forward them, and let them grow old."""
    yard.queue.append([record(n) for n in range(count)])
    yard.bench.drain()
    yard.later(8)


def test_a_redelivery_after_pruning_is_a_duplicate_and_is_not_stored_twice(yard: Yard) -> None:
    filled(yard)
    yard.pruner.round()
    assert yard.held() == ["D9"], "the one forwarded last stays"
    assert {yard.offer(n) for n in range(10)} == {"duplicate"}
    assert yard.held() == ["D9"]
    assert yard.bench.forwarder.forward() == 0


def test_another_body_under_a_pruned_id_is_still_a_conflict_and_kept_once(yard: Yard) -> None:
    filled(yard)
    yard.pruner.round()
    assert [yard.offer(3, b"other") for _ in range(2)] == ["conflict", "duplicate"]
    (conflict,) = [e.entry.record for e in yard.queue.read_all() if e.entry.record.id != "D9"]
    assert (conflict.type, conflict.body) == ("shipledger.conflict", b"other")
    assert yard.bench.forwarder.forward() == 1
    yard.later(8)
    yard.offer(11)
    yard.bench.drain()
    yard.pruner.round()
    assert yard.offer(3, b"other") == "duplicate", "a pruned conflict is remembered too"


def test_only_what_was_forwarded_and_is_old_is_pruned(yard: Yard) -> None:
    yard.queue.append([record(n) for n in range(5)])
    yard.later(30)
    assert yard.pruner.round() == 0, "nothing was forwarded"
    yard.bench.drain()
    yard.queue.append([record(n) for n in range(5, 8)])
    yard.pruner.round()
    assert yard.held() == ["D4", "D5", "D6", "D7"]
    yard.bench.drain()
    yard.pruner.round()
    assert yard.held() == ["D5", "D6", "D7"], "they are young"


def test_positions_and_sequences_go_on_after_a_restart(tmp_path: Path, clock: SetClock) -> None:
    yard = Yard(tmp_path, clock)
    filled(yard)
    yard.pruner.round()
    before = yard.queue.ends()
    yard.bench.close()
    again = Yard(tmp_path, clock)
    assert again.queue.ends() == before
    assert again.bench.forwarder.sequence == 10
    again.queue.append([record(10)])
    assert [each.sequence for each in again.queue.read_all()] == [10, 11]
    assert again.bench.forwarder.forward() == 1
    again.bench.close()


def test_who_reads_from_before_the_first_record_is_told(yard: Yard) -> None:
    filled(yard, 12)
    yard.pruner.round()
    repo = record(11).repository
    with pytest.raises(BrokenLog, match="are missing"):
        yard.queue.read(repo, START)
    last = yard.queue.ends()[repo] - 1
    assert [e.record.id for e in yard.queue.read(repo, Cursor(last, 0))] == ["D11"]


def test_a_position_from_before_the_pruning_is_not_taken_for_this_queue(
    tmp_path: Path, clock: SetClock
) -> None:
    yard = Yard(tmp_path, clock)
    yard.queue.append([record(0)])
    yard.bench.drain()
    old = (tmp_path / "queue.forwarded").read_bytes()
    filled(yard)
    yard.pruner.round()
    yard.bench.close()
    (tmp_path / "queue.forwarded").write_bytes(old)
    with pytest.raises(BrokenLog, match="begins after it"):
        Yard(tmp_path, clock)


def test_the_configuration_stays_and_is_found_at_the_next_start(yard: Yard) -> None:
    settings = Settings(data=Path("unused"), decided=Decided(zone="Asia/Shanghai"))
    assert record_configuration(yard.queue, settings, yard.clock)
    filled(yard)
    yard.pruner.round()
    assert not record_configuration(yard.queue, settings, yard.clock), "recorded again"
    assert len(yard.held()) == 2


def test_after_the_memory_a_redelivery_is_stored_again(yard: Yard) -> None:
    filled(yard)
    yard.pruner.round()
    yard.later(12)
    assert yard.pruner.round() == 0
    assert yard.offer(0) == "duplicate"
    yard.later(10)
    yard.pruner.round()
    assert yard.queue.kept().remembered == 0
    assert yard.offer(0) == "stored"


def test_no_more_are_remembered_than_allowed_the_oldest_go_first(
    tmp_path: Path, clock: SetClock
) -> None:
    yard = Yard(tmp_path, clock, most_remembered=700)
    filled(yard, 2_000)
    yard.pruner.round()
    assert yard.queue.kept()[:2] == (1, 700)
    assert [yard.offer(n) for n in (1_998, 1_299)] == ["duplicate", "duplicate"]
    assert yard.offer(1_298) == "stored"
    yard.bench.close()


def test_steps_are_bounded_in_records_and_in_bytes(yard: Yard) -> None:
    yard.queue.append([record(n) for n in range(STEP_RECORDS + 10)])
    yard.queue.append([record(10_000 + n, size=STEP_BYTES // 2) for n in range(3)])
    yard.queue.append([record(20_000)])
    yard.bench.drain()
    yard.later(8)
    asked = {"before": yard.bench.forwarder.sequence, "recorded_before": yard.clock.now}
    assert [yard.queue.prune(**asked) for _ in range(4)] == [STEP_RECORDS, 11, 2, 0]


def test_appends_go_on_while_it_prunes(yard: Yard) -> None:
    filled(yard, 3_000)
    pruning = threading.Thread(target=yard.pruner.round)
    pruning.start()
    stored = 0
    while pruning.is_alive():
        assert yard.offer(5_000 + stored) == "stored"
        stored += 1
    pruning.join()
    assert stored > 3
    assert len(yard.held()) == stored + 1


def test_rows_and_bytes_are_told_and_freed_bytes_are_used_again(yard: Yard, tmp_path: Path) -> None:
    noise = random.Random(1)
    for number in range(200):
        offered = msgspec.structs.replace(record(number), body=noise.randbytes(20_000))
        yard.queue.append([offered])
    yard.bench.drain()
    full = yard.queue.kept()
    size = (tmp_path / "queue.sqlite").stat().st_size
    yard.later(8)
    yard.pruner.round()
    kept = yard.queue.kept()
    assert (full.records, kept.records, kept.remembered) == (200, 1, 199)
    assert kept.bytes_used < full.bytes_used / 10
    for number in range(300, 490):
        offered = msgspec.structs.replace(record(number), body=noise.randbytes(20_000))
        yard.queue.append([offered])
    assert (tmp_path / "queue.sqlite").stat().st_size <= size * 1.25


def test_kill_9_at_random_moments_loses_no_memory(tmp_path: Path) -> None:
    path, chance = tmp_path / "queue.sqlite", random.Random()
    acknowledged: set[str] = set()
    for nth in range(6):
        with start("pruner_process", path, f"round{nth}", package=PACKAGE) as child:
            assert child.stdout is not None
            first = child.stdout.readline()
            killer = threading.Timer(chance.uniform(0, 0.4), child.kill)
            killer.start()
            acknowledged.update(whole_lines(first + child.stdout.read()))
            killer.join()
        queue = SqliteLog(path, clock=SetClock(START_OF_TIME))
        kept, ends = queue.kept(), queue.ends()
        assert kept.records + kept.remembered == sum(ends.values())
        assert len(queue.read_all(limit=100_000)) == kept.records
        outcomes = {queue.append([record_of(each)])[0].outcome for each in sorted(acknowledged)}
        assert outcomes == {"duplicate"}
        queue.close()
    assert len(acknowledged) > 6


def test_a_queue_of_the_format_before_is_taken_over(tmp_path: Path, clock: SetClock) -> None:
    yard = Yard(tmp_path, clock)
    filled(yard)
    yard.bench.close()
    with sqlite3.connect(tmp_path / "queue.sqlite") as connection:
        connection.executescript(
            "DROP TABLE remembered; DROP TABLE pruned; PRAGMA user_version = 1;"
        )
    connection.close()
    again = Yard(tmp_path, clock)
    again.pruner.round()
    assert again.queue.kept()[:2] == (1, 9)
    again.bench.close()


def test_a_round_that_fails_is_told_and_the_next_one_goes_on(
    yard: Yard, monkeypatch: pytest.MonkeyPatch
) -> None:
    filled(yard)
    failures = iter(["disk I/O error"])
    whole = yard.queue.prune

    def prune(**asked: int) -> int:
        for error in failures:
            raise LogUnavailable(error)
        return whole(**asked)

    monkeypatch.setattr(yard.queue, "prune", prune)
    monkeypatch.setattr("services.logs.queue.pruner._EVERY", 0.05)
    yard.pruner.start()
    wait_until(lambda: yard.queue.kept().records == 1, 10)
    yard.pruner.stop()
    assert yard.bench.metric("queue_prune_failures_total") == 1


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("retention_seconds = -1.0", "queue.retention_seconds: -1 is less than 0"),
        ("memory_seconds = 3600.0", "queue.memory_seconds: 3600 is too short"),
        ("retention_seconds = 9e6", "write 9e"),
    ],
)
def test_what_would_forget_too_early_is_refused_at_the_start(
    tmp_path: Path, text: str, says: str
) -> None:
    (tmp_path / "shipledger.toml").write_text(f"[queue]\n{text}\n")
    with pytest.raises(ConfigurationError, match=says):
        read_file(tmp_path / "shipledger.toml")
