"""One Faust application: one projection, one consumer group, one agent.

Faust gives group membership, fetching and back-pressure, and nothing else: no tables, no web
server, no codecs, no acknowledgements that anything rests on.
"""

import ssl
import tempfile
from collections.abc import Callable, Mapping
from functools import partial
from pathlib import Path
from typing import Any, Final, NamedTuple

import faust
from faust import SASLCredentials, SSLCredentials
from mode import CrashingSupervisor
from yarl import URL

from events.errors import ConfigurationError
from events.log.port import BATCH_RECORDS
from services.logs.kafka import KafkaSettings
from services.logs.kafka.entries import Stored
from services.stream.consumer import DatabaseConsumer
from services.stream.feed import Feed

#: Seconds to let records gather after the first one.
_GATHER: Final = 0.1
_FETCH_BYTES: Final = 4 * 1024 * 1024
#: Faust leaves the group after so many seconds without a fetch. A worker that waits for the
#: database fetches nothing, and another worker would wait for the same database.
_PATIENCE: Final = 24 * 3600.0


_PLAINTEXT = "PLAINTEXT"


def credentials(options: Mapping[str, Any]) -> Any:
    """Return Faust's credentials for the options of `KafkaSettings`, None where none are needed."""
    protocol = str(options.get("security_protocol", _PLAINTEXT)).upper()
    if protocol == _PLAINTEXT:
        return None
    if protocol == "SSL":
        return SSLCredentials(context=_context(options))
    if protocol not in ("SASL_PLAINTEXT", "SASL_SSL"):
        raise ConfigurationError(f"security_protocol {protocol} is not one of Kafka's")
    mechanism = str(options.get("sasl_mechanism", "PLAIN")).upper()
    if mechanism not in ("PLAIN", "SCRAM-SHA-256", "SCRAM-SHA-512"):
        raise ConfigurationError(f"sasl_mechanism {mechanism} is not supported by workers")
    return SASLCredentials(
        mechanism=mechanism,
        username=options.get("sasl_plain_username"),
        password=options.get("sasl_plain_password"),
        ssl_context=_context(options) if protocol == "SASL_SSL" else None,
    )


def _context(options: Mapping[str, Any]) -> ssl.SSLContext:
    context = ssl.create_default_context(cafile=options.get("ssl_cafile"))
    context.check_hostname = bool(options.get("ssl_check_hostname", True))
    if options.get("ssl_certfile"):
        context.load_cert_chain(
            options["ssl_certfile"], options.get("ssl_keyfile"), options.get("ssl_password")
        )
    return context


class Tuning(NamedTuple):
    """Seconds; shorter ones notice a lost worker sooner and a slow one wrongly."""

    session: float = 10.0
    heartbeat: float = 3.0
    request: float = 60.0


def build_app(
    feed: Feed,
    kafka: KafkaSettings,
    on_fault: Callable[[BaseException], None],
    tuning: Tuning = Tuning(),  # noqa: B008  (immutable)
) -> Any:
    """Return the application, not started; `on_fault` has to end the process."""
    app = faust.App(
        feed.group,
        broker=[URL(f"kafka://{server.strip()}") for server in kafka.bootstrap.split(",")],
        broker_credentials=credentials(kafka.options),
        broker_session_timeout=tuning.session,
        broker_heartbeat_interval=tuning.heartbeat,
        broker_request_timeout=tuning.request,
        broker_max_poll_interval=_PATIENCE,
        broker_max_poll_records=BATCH_RECORDS,
        broker_commit_interval=1.0,
        consumer_max_fetch_size=_FETCH_BYTES,
        consumer_auto_offset_reset="earliest",
        stream_buffer_maxsize=2 * BATCH_RECORDS,
        stream_wait_empty=False,
        agent_supervisor=CrashingSupervisor,
        topic_allow_declare=False,
        topic_disable_leader=True,
        store="memory://",
        # Faust makes this folder, and puts nothing into it
        datadir=Path(tempfile.gettempdir()) / f"faust-{feed.group}",
        web_enabled=False,
        autodiscover=False,
    )
    app.transport.Consumer = partial(DatabaseConsumer, feed=feed, on_fault=on_fault)
    topic = app.topic(kafka.topic, key_serializer="raw", value_serializer="raw")

    async def follow(stream: Any) -> None:
        async for events in stream.take_events(BATCH_RECORDS, within=_GATHER):
            try:
                await feed.take([stored_of(event.message) for event in events])
            except Exception as error:
                # Faust acknowledges the batch of an agent that fails: end before it can.
                on_fault(error)
                raise

    app.agent(topic, name=feed.group)(follow)
    return app


def stored_of(message: Any) -> tuple[int, Stored]:
    """Return (partition, message) of a message as Faust holds it; its time is float seconds."""
    return message.partition, Stored(
        position=message.offset,
        appended_ms=round(message.timestamp * 1000),
        key=message.key,
        value=message.value,
        headers=list(message.headers or ()),
    )
