"""The topic on a real broker: made right, looked at, refused."""

import threading
import time
from pathlib import Path

import pytest
from kafka.admin import ConfigResource, ConfigResourceType, KafkaAdminClient, NewPartitions

from events.errors import ConfigurationError, LogUnavailable
from events.log.memory import MemoryLog
from events.log.port import START
from events.record import Record
from services.config.kafka import MESSAGE_BYTES
from services.logs.exchange import export_log, import_log
from services.logs.kafka import KafkaSettings, open_grown, partition_of
from services.logs.kafka.codec import encode
from services.logs.kafka.producer import BoundedProducer
from tests.contracts.log_base import record
from tests.services.logs.kafka.conftest import UNCLOSED, OpenLog


def test_a_missing_topic_is_made_for_ever(
    open_log: OpenLog, kafka_bootstrap: str, topic: str
) -> None:
    open_log(partitions=3).prepare()
    admin = KafkaAdminClient(bootstrap_servers=kafka_bootstrap)
    described = admin.describe_configs([ConfigResource(ConfigResourceType.TOPIC, topic)])
    (about,) = admin.describe_topics([topic])
    admin.close()
    configs = {name: entry["value"] for name, entry in described["topic"][topic].items()}
    assert len(about["partitions"]) == 3
    assert configs["retention.ms"] == "-1"
    assert configs["message.timestamp.type"] == "LogAppendTime"
    assert configs["max.message.bytes"] == str(MESSAGE_BYTES)


def test_a_topic_with_wrong_settings_is_refused_before_anything_is_done(
    open_log: OpenLog, kafka_bootstrap: str, topic: str
) -> None:
    admin = KafkaAdminClient(bootstrap_servers=kafka_bootstrap)
    admin.create_topics({topic: {"num_partitions": 1, "configs": {"retention.ms": "86400000"}}})
    admin.close()
    log = open_log()
    with pytest.raises(ConfigurationError, match=r"retention.ms is 86400000 and must be -1"):
        log.append([record("a")])
    with pytest.raises(ConfigurationError, match="CreateTime and must be LogAppendTime"):
        log.ends()


def test_another_partition_count_is_refused(open_log: OpenLog) -> None:
    open_log(partitions=2).prepare()
    with pytest.raises(ConfigurationError, match="has 2 partitions and 4 are configured"):
        open_log(partitions=4).prepare()


def test_processes_that_start_at_once_make_one_topic(open_log: OpenLog) -> None:
    logs = [open_log(partitions=2) for _ in range(4)]
    threads = [threading.Thread(target=log.prepare) for log in logs]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert [len(log.append([record("a")])) for log in logs] == [1] * 4


@UNCLOSED
def test_without_a_broker_the_log_is_unavailable_in_time(open_log: OpenLog) -> None:
    log = open_log(bootstrap="127.0.0.1:9", append_timeout=1, read_timeout=1)
    with pytest.raises(LogUnavailable):
        log.append([record("a")])
    with pytest.raises(LogUnavailable):
        log.ends()


def test_a_wrong_client_option_is_a_wrong_setting(open_log: OpenLog) -> None:
    with pytest.raises(ConfigurationError, match="no_such_option"):
        open_log(options={"no_such_option": 1}).prepare()


# C7: partitions that were added together with the setting


def grow(bootstrap: str, topic: str, count: int) -> None:
    admin = KafkaAdminClient(bootstrap_servers=bootstrap)
    admin.create_partitions({topic: NewPartitions(count)})
    admin.close()


def about(number: int, name: str) -> Record:
    return record(f"{name}-{number}", repository=f"github.com/{number}")


def test_partitions_that_were_added_with_the_setting_are_refused_and_can_be_copied(
    open_log: OpenLog, kafka_bootstrap: str, topic: str, tmp_path: Path
) -> None:
    numbers = range(1001, 1009)
    open_log(partitions=2).append([about(number, "before") for number in numbers])
    grow(kafka_bootstrap, topic, 4)
    with pytest.raises(ConfigurationError, match="has 4 partitions and 2 are configured"):
        open_log(partitions=2).ends()
    log = open_log(partitions=4)
    for ask in (log.ends, log.prepare, lambda: log.append([about(1001, "after")])):
        with pytest.raises(ConfigurationError, match=r"made with 2 partitions and has 4.*--grown"):
            ask()
    with pytest.raises(ConfigurationError, match="made with 2 partitions"):
        export_log(log, tmp_path / "no.jsonl")
    assert not (tmp_path / "no.jsonl").exists()

    # somebody went on writing by the new count, as an older program would have
    producer = BoundedProducer(KafkaSettings(bootstrap=kafka_bootstrap, topic=topic, partitions=4))
    after = [about(number, "after") for number in numbers]
    producer.send(
        [(partition_of(one.repository, 4), encode(one)) for one in after], time.monotonic() + 10
    ).future.result(10)
    producer.close()
    grown = open_grown(KafkaSettings(bootstrap=kafka_bootstrap, topic=topic, partitions=4))
    try:
        exported = export_log(grown, tmp_path / "whole.jsonl")
        with pytest.raises(ConfigurationError, match="it is only read"):
            grown.append([about(1001, "more")])
    finally:
        grown.close()
    moved = {f"github.com/{number}" for number in numbers} & set(exported.moved)
    assert moved == {
        one.repository
        for one in after
        if partition_of(one.repository, 4) != partition_of(one.repository, 2)
    }
    assert moved, "the test needs repositories that move"
    copy = MemoryLog(lambda: 0)
    assert import_log(copy, tmp_path / "whole.jsonl").entries == 2 * len(numbers)
    for number in numbers:
        entries = copy.read(f"github.com/{number}", START)
        assert [entry.record.id for entry in entries] == [f"before-{number}", f"after-{number}"]


def test_a_topic_from_before_the_count_was_written_down_is_looked_at(
    open_log: OpenLog, kafka_bootstrap: str, topic: str
) -> None:
    numbers = range(1001, 1009)
    open_log(partitions=2).append([about(number, "before") for number in numbers])
    admin = KafkaAdminClient(bootstrap_servers=kafka_bootstrap)
    admin.delete_topics([f"{topic}.layout"])
    admin.close()
    open_log(partitions=2).prepare()  # it is as it was made, and that is written down now
    admin = KafkaAdminClient(bootstrap_servers=kafka_bootstrap)
    admin.delete_topics([f"{topic}.layout"])
    admin.close()
    grow(kafka_bootstrap, topic, 3)
    with pytest.raises(ConfigurationError, match=r"begins in \d, where it does not belong"):
        open_log(partitions=3).prepare()
