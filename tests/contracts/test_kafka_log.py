"""The log on a real Kafka broker keeps the contract."""

import uuid
from pathlib import Path

import pytest

from events.log.port import Clock, Log
from services.logs.kafka import KafkaLog, KafkaSettings
from tests.contracts.log_contract import LogContract


class TestKafkaLog(LogContract):
    refuses_duplicates = False  # the unique key of the stored observations drops them
    keeps_stamps = False  # derived from the broker's clock at read
    partition_is_key = False

    @pytest.fixture(autouse=True)
    def _broker(self, kafka_bootstrap: str) -> None:
        self.bootstrap = kafka_bootstrap

    def open_log(self, clock: Clock, folder: Path) -> Log:
        topic = f"t-{uuid.uuid4().hex[:12]}"
        return KafkaLog(KafkaSettings(bootstrap=self.bootstrap, topic=topic, partitions=4))
