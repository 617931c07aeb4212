"""What a Kafka log is opened with, and the limits that both ends must agree on."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Final, Literal, TypeAlias

Compression: TypeAlias = Literal["none", "gzip", "zstd"]

#: The largest message: the body limit of 80 MiB with room for headers and the batch around it.
#: Topic and client are set to it; `deploy/` sets the broker.
MESSAGE_BYTES: Final = 88 * 1024 * 1024
#: What one record may take of it, its attributes included.
RECORD_BYTES: Final = MESSAGE_BYTES - 64 * 1024

#: A batch of the default 16 KiB holds no single delivery of 25 kB: nothing would be batched.
PRODUCER_BATCH_BYTES: Final = 1024 * 1024
LINGER_MS: Final = 5
#: What a consumer asks for at once; the broker gives one larger batch whole if it comes first.
FETCH_BYTES: Final = 32 * 1024 * 1024


@dataclass(frozen=True, slots=True, kw_only=True)
class KafkaSettings:
    """How to reach the brokers and what the topic has to look like.

    `options` go to every kafka-python client as they are (`security_protocol`, `ssl_cafile`,
    `sasl_mechanism` …); they may hold secrets and are not shown.
    """

    bootstrap: str
    topic: str = "shipledger.records"
    partitions: int = 8
    replication: int = 1
    compression: Compression = "zstd"
    #: After this an append that is not acknowledged has failed; it may still be stored.
    append_timeout: float = 8.0
    #: After this without progress a read has failed.
    read_timeout: float = 30.0
    #: What may be sent and not yet acknowledged; one larger record goes alone.
    in_flight_records: int = 2_000
    in_flight_bytes: int = 64 * 1024 * 1024
    options: Mapping[str, Any] = field(default_factory=dict, repr=False)

    def client_options(self, timeout: float) -> dict[str, Any]:
        """Return what every client is built with; `timeout` bounds the first contact."""
        return {
            "bootstrap_servers": self.bootstrap.split(","),
            "bootstrap_timeout_ms": max(1, int(timeout * 1000)),
            "reconnect_backoff_max_ms": 1000,
            **self.options,
        }

    def producer_options(self, timeout: float) -> dict[str, Any]:
        """Return what the producer is built with."""
        delivery = int(self.append_timeout * 1000)
        return self.client_options(timeout) | {
            "metrics_enabled": False,
            "acks": "all",
            "enable_idempotence": True,
            "compression_type": None if self.compression == "none" else self.compression,
            "batch_size": PRODUCER_BATCH_BYTES,
            "linger_ms": LINGER_MS,
            "max_request_size": MESSAGE_BYTES,
            "delivery_timeout_ms": delivery,
            "request_timeout_ms": max(delivery - LINGER_MS, 1),
            "max_block_ms": delivery,
            "allow_auto_create_topics": False,
        }

    def consumer_options(self, timeout: float) -> dict[str, Any]:
        """Return what a consumer without a group is built with."""
        return self.client_options(timeout) | {
            "metrics_enabled": False,
            "group_id": None,
            "enable_auto_commit": False,
            "auto_offset_reset": "none",
            "allow_auto_create_topics": False,
            "fetch_max_bytes": FETCH_BYTES,
            "max_partition_fetch_bytes": FETCH_BYTES,
            "fetch_max_wait_ms": 100,
            "receive_message_max_bytes": 2 * MESSAGE_BYTES,
            "request_timeout_ms": int(self.read_timeout * 1000),
        }
