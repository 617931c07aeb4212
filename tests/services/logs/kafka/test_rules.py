"""The rules of the Kafka log that need no broker: partitions, topic settings, the bound."""

import threading
import time

import pytest

from services.config.kafka import MESSAGE_BYTES
from services.logs.kafka import KafkaSettings, partition_of
from services.logs.kafka.producer import Budget
from services.logs.kafka.topic import LARGEST, REQUIRED, differences

RIGHT = {**REQUIRED, LARGEST: str(MESSAGE_BYTES)}
SETTINGS = KafkaSettings(bootstrap="127.0.0.1:1", partitions=8)


@pytest.mark.parametrize(
    ("key", "count", "number"),
    [
        ("github.com/1001", 8, 1),
        ("github.com/1002", 8, 5),
        ("github.com/1001", 12, 5),
        ("github.com/name:octo/spoon", 8, 6),
        ("github.com", 8, 7),
    ],
)
def test_the_partition_of_a_key_never_changes(key: str, count: int, number: int) -> None:
    assert partition_of(key, count) == number


def test_keys_spread_over_all_partitions() -> None:
    numbers = [partition_of(f"github.com/{n}", 8) for n in range(8000)]
    assert all(800 < numbers.count(number) < 1200 for number in range(8))


def test_a_topic_as_it_must_be_has_no_differences() -> None:
    assert differences(SETTINGS, 8, RIGHT) == []
    assert differences(SETTINGS, 8, {**RIGHT, LARGEST: "999999999"}) == []


@pytest.mark.parametrize(
    ("count", "changed", "said"),
    [
        (4, {}, "has 4 partitions and 8 are configured"),
        (8, {"retention.ms": "604800000"}, "retention.ms is 604800000 and must be -1"),
        (8, {"retention.bytes": "1"}, "retention.bytes is 1"),
        (8, {"cleanup.policy": "compact"}, "cleanup.policy is compact and must be delete"),
        (8, {"message.timestamp.type": "CreateTime"}, "must be LogAppendTime"),
        (8, {LARGEST: "1048588"}, "max.message.bytes is 1048588"),
    ],
)
def test_each_difference_is_named_with_what_it_must_be(
    count: int, changed: dict[str, str], said: str
) -> None:
    (difference,) = differences(SETTINGS, count, {**RIGHT, **changed})
    assert said in difference


def test_settings_do_not_show_secrets() -> None:
    settings = KafkaSettings(bootstrap="b:1", options={"sasl_plain_password": "hunter2"})
    assert "hunter2" not in repr(settings)


def test_the_bound_waits_for_room_and_gives_up_at_the_deadline() -> None:
    budget = Budget(records=10, size=100)
    soon = time.monotonic() + 0.05
    assert budget.acquire(60, soon)
    assert not budget.acquire(60, soon)
    assert budget.used == (1, 60)
    threading.Timer(0.05, budget.release, [60]).start()
    assert budget.acquire(60, time.monotonic() + 10)


def test_a_record_above_the_bound_goes_alone() -> None:
    budget = Budget(records=10, size=100)
    assert budget.acquire(500, time.monotonic())
    assert not budget.acquire(1, time.monotonic())
    budget.release(500)
    assert budget.acquire(1, time.monotonic())
    assert not budget.acquire(500, time.monotonic())


def test_records_are_bounded_too() -> None:
    budget = Budget(records=2, size=100)
    assert [budget.acquire(1, time.monotonic()) for _ in range(3)] == [True, True, False]
