"""From the queue to the log: in order, never skipped, repeated where it is not known."""

import random
from collections.abc import Callable
from pathlib import Path

import pytest

from events.errors import BrokenLog, ConfigurationError, LogUnavailable
from events.log.port import BATCH_RECORDS, START
from services.logs.sqlite import SqliteLog
from tests.production import wait_until
from tests.services.logs.queue.queues import REPOS, Bench, Broker, record


def expected(count: int, repo: str) -> list[str]:
    return [f"D{n}" for n in range(count) if REPOS[n % len(REPOS)] == repo]


def first_times(ids: list[str]) -> list[str]:
    return list(dict.fromkeys(ids))


def test_records_arrive_in_the_order_of_the_queue(tmp_path: Path) -> None:
    broker = Broker()
    bench = Bench(tmp_path, broker)
    bench.queue.append([record(n) for n in range(1200)])
    bench.drain()
    assert broker.batches == [BATCH_RECORDS, BATCH_RECORDS, 200]
    assert all(broker.ids(repo) == expected(1200, repo) for repo in REPOS)
    (stored, *_) = broker.read(REPOS[0], START, limit=1)
    assert stored.record == record(0), "with all its attributes"
    assert bench.metric("forwarded_records_total") == 1200
    bench.close()


def test_batches_are_bounded_in_bytes(tmp_path: Path) -> None:
    broker = Broker()
    bench = Bench(tmp_path, broker)
    bench.queue.append([record(n, size=20 * 1024 * 1024) for n in range(3)])
    bench.drain()
    assert broker.batches == [1, 1, 1]
    bench.close()


def test_it_goes_on_after_a_restart_where_it_stood(tmp_path: Path) -> None:
    broker = Broker()
    bench = Bench(tmp_path, broker)
    bench.queue.append([record(n) for n in range(10)])
    bench.drain()
    bench.queue.append([record(n) for n in range(10, 20)])
    bench.close()
    again = Bench(tmp_path, broker)
    again.drain()
    again.close()
    assert broker.batches == [10, 10]


@pytest.mark.parametrize("seed", range(5))
def test_nothing_is_lost_or_reordered_whatever_fails(tmp_path: Path, seed: int) -> None:
    source, broker = random.Random(seed), Broker()
    bench = Bench(tmp_path, broker)
    written = 0
    for _ in range(60):
        what = source.choice(["append", "append", "forward", "away", "lost", "crash"])
        broker.away, broker.loses_answers = what == "away", what == "lost"
        if what == "append":
            more = source.randint(1, 9)
            bench.queue.append([record(n) for n in range(written, written + more)])
            written += more
        elif what == "crash":
            bench.close()  # what was sent and not noted is sent again
            bench = Bench(tmp_path, broker)
        else:
            try:
                bench.forwarder.forward()
            except LogUnavailable:
                assert what in ("away", "lost")
    broker.away = broker.loses_answers = False
    bench.drain()
    bench.close()
    for repo in REPOS:
        assert first_times(broker.ids(repo)) == expected(written, repo)


def test_without_its_position_everything_is_sent_again(tmp_path: Path) -> None:
    broker = Broker()
    bench = Bench(tmp_path, broker)
    bench.queue.append([record(n) for n in range(10)])
    bench.drain()
    bench.close()
    (tmp_path / "queue.forwarded").unlink()
    again = Bench(tmp_path, broker)
    again.drain()
    again.close()
    assert broker.batches == [10, 10]


def older(folder: Path) -> None:
    (folder / "queue.sqlite").unlink()
    SqliteLog(folder / "queue.sqlite", clock=lambda: 0).close()


def another(folder: Path) -> None:
    (folder / "queue.sqlite").unlink()
    log = SqliteLog(folder / "queue.sqlite", clock=lambda: 0)
    log.append([record(n) for n in range(100, 120)])
    log.close()


@pytest.mark.parametrize(
    ("replace", "says"), [(older, "ends before it"), (another, "holds D109 there")]
)
def test_a_queue_that_was_replaced_is_noticed(
    tmp_path: Path, replace: Callable[[Path], None], says: str
) -> None:
    bench = Bench(tmp_path, Broker())
    bench.queue.append([record(n) for n in range(10)])
    bench.drain()
    bench.close()
    replace(tmp_path)
    with pytest.raises(BrokenLog, match=f"D9 was forwarded at 10, and the queue {says}"):
        Bench(tmp_path, Broker())


def test_only_one_process_forwards_a_queue(tmp_path: Path) -> None:
    bench = Bench(tmp_path, Broker())
    with pytest.raises(ConfigurationError, match="is forwarded by another process already"):
        Bench(tmp_path, Broker())
    bench.close()
    Bench(tmp_path, Broker()).close()


@pytest.mark.parametrize(
    ("content", "says"),
    [
        (b"", "cannot be read"),
        (b'{"version":1,"topic":"other","sequence":1,"record":"D0"}', "forwarded to topic other"),
        (b'{"version":9,"topic":"records","sequence":1,"record":"D0"}', "a newer Shipledger"),
    ],
)
def test_a_position_that_does_not_fit_is_refused(tmp_path: Path, content: bytes, says: str) -> None:
    (tmp_path / "queue.forwarded").write_bytes(content)
    with pytest.raises(ConfigurationError, match=says):
        Bench(tmp_path, Broker())


def test_the_thread_waits_for_the_broker_and_goes_on_by_itself(tmp_path: Path) -> None:
    broker = Broker()
    broker.away = True
    bench = Bench(tmp_path, broker)
    bench.forwarder.start(lambda: None)
    bench.queue.append([record(n) for n in range(10)])
    wait_until(lambda: bench.metric("forward_failures_total") >= 2, 10)
    assert bench.forwarder.fault() == "trying again: the broker is away"
    broker.away = False
    wait_until(lambda: bench.forwarder.sequence == 10, 10)
    wait_until(lambda: bench.forwarder.fault() is None, 10)
    bench.queue.append([record(10)])
    wait_until(lambda: bench.forwarder.sequence == 11, 10)
    assert bench.forwarder.stop()
    bench.close()


def test_a_fault_that_cannot_pass_is_told_to_the_process(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    bench = Bench(tmp_path, Broker())
    told: list[bool] = []

    def broken(*_: object, **__: object) -> None:
        raise BrokenLog("the body is missing")

    monkeypatch.setattr(bench.queue, "read_all", broken)
    bench.forwarder.start(lambda: told.append(True))
    wait_until(lambda: told == [True], 10)
    assert bench.forwarder.fault() == "stopped: the body is missing"
    assert bench.forwarder.stop()
    bench.close()
