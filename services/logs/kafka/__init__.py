"""The production log: one Kafka topic, on kafka-python."""

from services.config.kafka import KafkaSettings
from services.logs.kafka.log import KafkaLog
from services.logs.kafka.partitions import partition_of

__all__ = ["KafkaLog", "KafkaSettings", "partition_of"]
