"""Large records go through whole or are refused aloud (W10)."""

import random

import pytest

from events.errors import InvalidEvent
from events.log.port import START
from services.config.kafka import Compression
from tests.contracts.log_base import read_partition, record
from tests.services.logs.kafka.conftest import OpenLog

MIB = 1024 * 1024


def test_deliveries_above_kafkas_default_limit_are_stored(open_log: OpenLog) -> None:
    log = open_log()
    sizes = [int(0.9 * MIB), int(1.1 * MIB), 3 * MIB, 24 * MIB]
    bodies = [random.Random(size).randbytes(size) for size in sizes]
    appended = log.append([record(f"r{n}", body) for n, body in enumerate(bodies)])
    assert [each.position for each in appended] == [0, 1, 2, 3]
    assert [entry.record.body for entry in read_partition(log, "0")] == bodies


@pytest.mark.parametrize(
    "compression",
    ["zstd", *(pytest.param(name, marks=pytest.mark.slow) for name in ("none", "gzip"))],
)
def test_a_body_of_79_mib_that_cannot_be_compressed_is_stored(
    open_log: OpenLog, compression: Compression
) -> None:
    log = open_log(compression=compression, append_timeout=30)
    body = random.Random(1).randbytes(79 * MIB)
    log.append([record("small"), record("large", body), record("after")])
    batch = log.read("0", START)
    assert [entry.record.id for entry in batch] == ["small"]
    entries = read_partition(log, "0")
    assert [entry.record.id for entry in entries] == ["small", "large", "after"]
    assert entries[1].record.body == body


def test_what_the_log_can_never_take_is_refused_before_anything_is_sent(
    open_log: OpenLog,
) -> None:
    log = open_log()
    with pytest.raises(InvalidEvent, match="more than a log takes"):
        log.append([record("small"), record("huge", bytes(89 * MIB))])
    assert log.ends() == {}
