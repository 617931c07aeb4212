"""Reading a real topic: known time, foreign messages, truncation, seeking."""

import random
import time

import pytest
from kafka import KafkaProducer, TopicPartition
from kafka.admin import KafkaAdminClient

from events.errors import BrokenLog, NotFound
from events.log.irregular import TOMBSTONE_TYPE, UNREADABLE_TYPE
from events.log.port import START, Cursor
from services.logs.kafka import KafkaLog, partition_of
from services.logs.kafka.codec import encode
from tests.contracts.log_base import (
    KEY,
    assert_stamps_rise,
    read_partition,
    record,
    records,
)
from tests.services.logs.kafka.conftest import OpenLog


def delete_before(kafka_bootstrap: str, topic: str, position: int) -> None:
    """Truncate the start of partition 0, as retention does."""
    admin = KafkaAdminClient(bootstrap_servers=kafka_bootstrap)
    admin.delete_records({TopicPartition(topic, 0): position})
    admin.close()


def test_records_of_one_broker_time_get_rising_stamps_by_any_batch_size(
    open_log: OpenLog,
) -> None:
    log = open_log()
    log.append(records(200))
    entries = read_partition(log, "0")
    assert_stamps_rise(entries)
    assert len({entry.recorded_at // 1000 for entry in entries}) < 200, "no shared broker time"
    for limit in (1, 7, 199):
        assert read_partition(open_log(), "0", limit=limit) == entries


def test_a_stamp_lies_at_the_brokers_time_or_behind_its_predecessor(open_log: OpenLog) -> None:
    log = open_log()
    before = time.time_ns() // 1000
    log.append([record("a")])
    (entry,) = log.read("0", START)
    assert before - 1000 <= entry.recorded_at <= time.time_ns() // 1000
    later = Cursor(0, entry.recorded_at + 5_000_000)
    assert log.read("0", later)[0].recorded_at == later.recorded_at + 1


def test_a_reader_may_jump_to_any_position(open_log: OpenLog) -> None:
    log = open_log()
    log.append(records(50))
    entries = read_partition(log, "0")
    for position in random.Random(1).choices(range(50), k=25):
        stamp = entries[position - 1].recorded_at if position else 0
        assert log.read("0", Cursor(position, stamp), limit=3) == entries[position : position + 3]


def test_what_others_wrote_has_a_place_and_is_no_crash(
    open_log: OpenLog, kafka_bootstrap: str, topic: str
) -> None:
    log = open_log()
    log.append([record("before")])
    producer = KafkaProducer(bootstrap_servers=kafka_bootstrap)
    producer.send(topic, value=b"\xff no headers", key=b"github.com/7")
    producer.send(topic, value=None, key=KEY.encode())
    producer.send(topic, value=b"{}")
    producer.flush(10)
    producer.close()
    log.append([record("after")])
    entries = read_partition(log, "0")
    assert_stamps_rise(entries)
    assert [entry.record.type for entry in entries] == [
        "com.github.push",
        UNREADABLE_TYPE,
        TOMBSTONE_TYPE,
        UNREADABLE_TYPE,
        "com.github.push",
    ]
    unreadable = entries[1].record
    assert (unreadable.repository, unreadable.body) == ("github.com/7", b"\xff no headers")
    assert unreadable.attributes["reason"] == "ce_specversion: is missing"
    assert entries[2].record.repository == KEY
    assert entries[3].record.attributes["reason"] == "key: is empty"


def test_a_record_in_the_wrong_partition_is_unreadable(
    open_log: OpenLog, kafka_bootstrap: str, topic: str
) -> None:
    log = open_log(partitions=2)
    log.prepare()
    wrong = 1 - partition_of(KEY, 2)
    message = encode(record("a"))
    producer = KafkaProducer(bootstrap_servers=kafka_bootstrap)
    producer.send(topic, message.value, message.key, message.headers, partition=wrong).get(10)
    producer.close()
    (entry,) = log.read(str(wrong), START)
    assert "does not belong to partition" in entry.record.attributes["reason"]


def test_a_reader_behind_the_start_of_the_log_stops(
    open_log: OpenLog, kafka_bootstrap: str, topic: str
) -> None:
    log = open_log()
    log.append(records(10))
    assert len(log.read("0", START, limit=2)) == 2
    delete_before(kafka_bootstrap, topic, 6)
    with pytest.raises(BrokenLog):
        open_log().read("0", Cursor(2, 1))
    assert log.read("0", Cursor(6, 1))[0].record.id == "r6"


def test_a_log_emptied_by_retention_is_broken_for_who_has_not_read_it(
    open_log: OpenLog, kafka_bootstrap: str, topic: str
) -> None:
    log = open_log()
    log.append(records(3))
    delete_before(kafka_bootstrap, topic, 3)
    assert log.ends() == {"0": 3}
    assert log.read("0", Cursor(3, 1)) == []
    with pytest.raises(BrokenLog):
        log.read("0", START)


def test_a_topic_lost_and_made_again_is_broken_for_who_stands_further(
    open_log: OpenLog, kafka_bootstrap: str, topic: str
) -> None:
    log = open_log()
    log.append(records(5))
    last = read_partition(log, "0")[-1]
    admin = KafkaAdminClient(bootstrap_servers=kafka_bootstrap)
    admin.delete_topics([topic])
    admin.close()
    again = _made_again(open_log)
    again.append(records(2))
    with pytest.raises(BrokenLog, match="beyond"):
        again.read("0", Cursor(5, last.recorded_at))


def _made_again(open_log: OpenLog) -> KafkaLog:
    time.sleep(0.5)  # a deleted topic goes in the background
    log = open_log()
    log.prepare()
    return log


def test_a_partition_that_is_not_there_is_not_found(open_log: OpenLog) -> None:
    with pytest.raises(NotFound):
        open_log().read("7", START)


def test_wait_ends_when_more_lies_there_than_was_read(open_log: OpenLog) -> None:
    log = open_log()
    log.append(records(2))
    read_partition(log, "0")
    open_log().append(records(1, prefix="other"))
    started = time.monotonic()
    log.wait(20)
    assert time.monotonic() - started < 5


def test_wait_does_not_spin_when_all_is_read(open_log: OpenLog) -> None:
    log = open_log()
    log.append(records(2))
    read_partition(log, "0")
    log.wait(0.1)
    started = time.monotonic()
    log.wait(0.5)
    assert time.monotonic() - started >= 0.45
