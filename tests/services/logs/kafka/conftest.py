"""Logs on the real broker, each with a topic of its own."""

import gc
import logging
import uuid
from collections.abc import Callable, Iterator
from typing import Any, TypeAlias

import pytest

from services.logs.kafka import KafkaLog, KafkaSettings

#: For tests in which connections are refused or break: kafka-python 3.0.12 leaves their sockets to
#: the garbage collector.
UNCLOSED = pytest.mark.filterwarnings("ignore:unclosed <socket:ResourceWarning")

OpenLog: TypeAlias = Callable[..., KafkaLog]


@pytest.fixture(autouse=True)
def _quiet_client(caplog: pytest.LogCaptureFixture) -> None:
    """pytest keeps log records, these keep errors, and errors of the client keep its sockets."""
    caplog.set_level(logging.CRITICAL, logger="kafka")


@pytest.fixture
def topic() -> str:
    return f"t-{uuid.uuid4().hex[:12]}"


@pytest.fixture
def open_log(kafka_bootstrap: str, topic: str) -> Iterator[OpenLog]:
    """Open logs with any settings; all are closed at the end."""
    opened: list[KafkaLog] = []

    def open_one(**settings: Any) -> KafkaLog:
        given = {"bootstrap": kafka_bootstrap, "topic": topic, "partitions": 1, **settings}
        opened.append(KafkaLog(KafkaSettings(**given)))
        return opened[-1]

    yield open_one
    for log in opened:
        log.close()
    gc.collect()
