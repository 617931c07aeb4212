"""The topic on a real broker: made right, looked at, refused."""

import threading

import pytest
from kafka.admin import ConfigResource, ConfigResourceType, KafkaAdminClient

from events.errors import ConfigurationError, LogUnavailable
from services.config.kafka import MESSAGE_BYTES
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
