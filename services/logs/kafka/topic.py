"""The topic behind the log: made with the right settings, or looked at and refused.

It never changes a topic that exists: its owner has to know.
"""

from collections.abc import Mapping
from contextlib import suppress
from typing import Any, Final

from kafka import errors
from kafka.admin import ConfigResource, ConfigResourceType, KafkaAdminClient

from events.errors import ConfigurationError
from services.config.kafka import MESSAGE_BYTES, KafkaSettings
from services.logs.kafka.clients import build, translated
from services.logs.kafka.layout import check_layout, layout_topic

#: What makes the topic a log: nothing expires, the broker stamps, the client's codec is kept.
REQUIRED: Final[Mapping[str, str]] = {
    "cleanup.policy": "delete",
    "retention.ms": "-1",
    "retention.bytes": "-1",
    "message.timestamp.type": "LogAppendTime",
    "compression.type": "producer",
}
LARGEST: Final = "max.message.bytes"
#: With copies, an acknowledged record lies on two brokers at least.
MIN_IN_SYNC: Final = "min.insync.replicas"


def ensure_topic(settings: KafkaSettings, timeout: float) -> None:
    """Make the topic if it is missing; raise ConfigurationError where it is not as it must be."""
    with translated(f"looking at topic {settings.topic}"):
        admin = build(KafkaAdminClient, settings.client_options(timeout))
        try:
            count = _partition_count(admin, settings.topic)
            if count is None:
                _create(admin, settings, timeout)
                count = _partition_count(admin, settings.topic)
            configs = _configs(admin, settings.topic)
            wrong = differences(settings, count or 0, configs)
            if not wrong:
                _make_layout(admin, settings, timeout)
        finally:
            admin.close()
    if wrong:
        raise ConfigurationError(f"topic {settings.topic}: {'; '.join(wrong)}")
    check_layout(settings, timeout)


def partitions_of(settings: KafkaSettings, timeout: float) -> int:
    """Return how many partitions the topic has; raise ConfigurationError where there is none."""
    with translated(f"looking at topic {settings.topic}"):
        admin = build(KafkaAdminClient, settings.client_options(timeout))
        try:
            count = _partition_count(admin, settings.topic)
        finally:
            admin.close()
    if count is None:
        raise ConfigurationError(f"there is no topic {settings.topic}")
    return count


def differences(settings: KafkaSettings, count: int, configs: Mapping[str, str]) -> list[str]:
    """Say how a topic differs from what the log needs; pure."""
    wrong = []
    if count != settings.partitions:
        wrong.append(
            f"has {count} partitions and {settings.partitions} are configured"
            " (the number is fixed at creation; to grow, copy forward into a new topic: see"
            " `Partitions grown` in deploy/README.md)"
        )
    for name, value in REQUIRED.items():
        if configs.get(name) != value:
            wrong.append(f"{name} is {configs.get(name)} and must be {value}")
    if int(configs.get(LARGEST, "0")) < MESSAGE_BYTES:
        wrong.append(f"{LARGEST} is {configs.get(LARGEST)} and must be {MESSAGE_BYTES} or more")
    return wrong


def _create(admin: Any, settings: KafkaSettings, timeout: float) -> None:
    topic = {
        "num_partitions": settings.partitions,
        "replication_factor": settings.replication,
        "configs": {
            **REQUIRED,
            LARGEST: str(MESSAGE_BYTES),
            MIN_IN_SYNC: "2" if settings.replication > 2 else "1",
        },
    }
    # Another process may have been faster; what it made is looked at like any other.
    with suppress(errors.TopicAlreadyExistsError):
        admin.create_topics({settings.topic: topic})
    admin.wait_for_topics([settings.topic], timeout_ms=int(timeout * 1000))


def _make_layout(admin: Any, settings: KafkaSettings, timeout: float) -> None:
    topic = layout_topic(settings)
    if _partition_count(admin, topic) is None:
        kept = {"cleanup.policy": "delete", "retention.ms": "-1", "retention.bytes": "-1"}
        with suppress(errors.TopicAlreadyExistsError):
            admin.create_topics(
                {
                    topic: {
                        "num_partitions": 1,
                        "replication_factor": settings.replication,
                        "configs": kept,
                    }
                }
            )
        admin.wait_for_topics([topic], timeout_ms=int(timeout * 1000))


def _partition_count(admin: Any, topic: str) -> int | None:
    for description in admin.describe_topics([topic]):
        if description["error_code"] == errors.UnknownTopicOrPartitionError.errno:
            return None
        if description["error_code"]:
            raise errors.for_code(description["error_code"])(topic)
        return len(description["partitions"])
    return None


def _configs(admin: Any, topic: str) -> dict[str, str]:
    resources = [ConfigResource(ConfigResourceType.TOPIC, topic)]
    described = admin.describe_configs(resources, config_filter="all")
    return {name: entry["value"] for name, entry in described["topic"][topic].items()}
