"""The broker is stopped, killed and frozen; the log says so in time and loses nothing (W14)."""

import gc
import threading
import time
from pathlib import Path

import pytest

from deploy.local.kafka_part import KafkaPart
from events.errors import LogUnavailable
from events.log.port import START
from services.logs.kafka import KafkaLog
from tests.contracts.log_base import read_partition, record, records
from tests.services.logs.kafka.conftest import UNCLOSED, OpenLog

pytestmark = UNCLOSED


def resident_mib() -> int:
    """Return the memory of this process."""
    pages = int(Path("/proc/self/statm").read_text().split()[1])
    return pages * 4096 // (1024 * 1024)


def appended_at_last(log: KafkaLog, record_id: str, seconds: float = 60) -> None:
    """Append as a forwarder does: the same again until it works."""
    deadline = time.monotonic() + seconds
    while True:
        try:
            log.append([record(record_id)])
            return
        except LogUnavailable:
            assert time.monotonic() < deadline, "the log did not recover"


def ids(log: KafkaLog) -> list[str]:
    """Return the ids in order, each at its first place."""
    return list(dict.fromkeys(entry.record.id for entry in read_partition(log, "0")))


@pytest.mark.slow
@pytest.mark.parametrize("how", ["stop", "kill"])
def test_a_broker_that_comes_back_is_used_again_by_the_same_log(
    open_log: OpenLog, kafka_part: KafkaPart, how: str
) -> None:
    log = open_log(append_timeout=2, read_timeout=2)
    log.append(records(3))
    read_partition(log, "0")
    getattr(kafka_part, how)()
    with pytest.raises(LogUnavailable):
        log.append([record("r3")])
    with pytest.raises(LogUnavailable):
        log.ends()
    with pytest.raises(LogUnavailable):
        read_partition(log, "0")
    log.wait(0.2)
    kafka_part.start()
    appended_at_last(log, "r3")
    assert ids(log) == ["r0", "r1", "r2", "r3"]


def test_a_short_restart_is_only_a_delay(open_log: OpenLog, kafka_part: KafkaPart) -> None:
    log = open_log(append_timeout=30)
    log.append(records(3))
    kafka_part.restart()
    log.append(records(3, prefix="s"))
    assert ids(log) == ["r0", "r1", "r2", "s0", "s1", "s2"]


def test_a_frozen_broker_fails_appends_in_time_and_memory_stays_flat(
    open_log: OpenLog, kafka_part: KafkaPart
) -> None:
    log = open_log(append_timeout=2, in_flight_bytes=8 << 20)
    log.append([record("first")])
    body = bytes(range(256)) * 1000
    before = resident_mib()
    kafka_part.pause()
    try:
        for attempt in range(3):
            started = time.monotonic()
            with pytest.raises(LogUnavailable):
                log.append([record(f"a{attempt}-{n}", body) for n in range(500)])
            assert time.monotonic() - started < 4
        grown = resident_mib() - before
    finally:
        kafka_part.resume()
    assert log.in_flight[1] <= 8 << 20, "the bound does not hold"
    assert grown < 100, "what is not acknowledged piles up"
    appended_at_last(log, "last")
    assert log.in_flight == (0, 0), "room is lost for good"
    assert ids(log)[0] == "first"
    assert ids(log)[-1] == "last"


def test_a_read_from_a_frozen_broker_fails_in_time(
    open_log: OpenLog, kafka_part: KafkaPart
) -> None:
    log = open_log(read_timeout=2)
    log.append(records(3))
    kafka_part.pause()
    try:
        started = time.monotonic()
        with pytest.raises(LogUnavailable):
            log.read("0", START)
        assert time.monotonic() - started < 8
    finally:
        kafka_part.resume()
    assert [entry.record.id for entry in log.read("0", START)] == ["r0", "r1", "r2"]


def test_records_of_one_append_keep_their_order_over_a_short_freeze(
    open_log: OpenLog, kafka_part: KafkaPart
) -> None:
    log = open_log(append_timeout=20)
    log.append([record("first")])
    kafka_part.pause()
    time.sleep(0.2)
    thaw = threading.Timer(1, kafka_part.resume)
    thaw.start()
    log.append(records(100))
    thaw.join()
    assert ids(log) == ["first", *(f"r{n}" for n in range(100))]


def test_a_broker_that_is_away_for_long_leaves_no_threads_or_files(open_log: OpenLog) -> None:
    log = open_log(bootstrap="127.0.0.1:9", append_timeout=0.1, read_timeout=0.1)
    used = []
    for _ in range(10):
        with pytest.raises(LogUnavailable):
            log.append([record("a")])
        with pytest.raises(LogUnavailable):
            log.ends()
        gc.collect()
        used.append((threading.active_count(), len(list(Path("/proc/self/fd").iterdir()))))
    assert used[-1] <= used[1]
