"""The production log: one Kafka topic, on kafka-python."""

from services.logs.kafka.log import KafkaLog
from services.logs.kafka.partitions import partition_of
from services.logs.kafka.settings import KafkaSettings

__all__ = ["KafkaLog", "KafkaSettings", "partition_of"]
