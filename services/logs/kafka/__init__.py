"""The production log: one Kafka topic, on kafka-python."""

from services.config.kafka import KafkaSettings
from services.logs.kafka.codec import partition_of
from services.logs.kafka.log import KafkaLog, open_grown

__all__ = ["KafkaLog", "KafkaSettings", "open_grown", "partition_of"]
