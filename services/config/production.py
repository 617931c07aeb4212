"""What production adds to the settings: where Kafka and PostgreSQL are, and how long the queue is.

What people decide stands in `shipledger.toml`; addresses and secrets come from the environment.
Every command reads the settings, so Kafka's client is imported only where Kafka is configured.
"""

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Final, Literal

import msgspec

from events.errors import ConfigurationError
from services.config.kafka import KafkaSettings
from services.config.source import DATABASE, KAFKA, KAFKA_OPTIONS

if TYPE_CHECKING:
    from sqlalchemy import URL

_DRIVER: Final = "postgresql+psycopg"


class KafkaTopicSettings(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The topic of the log; the number of its partitions is fixed when it is made."""

    topic: str = "shipledger.records"
    partitions: int = 8
    replication: int = 1
    compression: Literal["none", "gzip", "zstd"] = "zstd"


def kafka_settings(
    environment: Mapping[str, str], decided: KafkaTopicSettings
) -> KafkaSettings | None:
    """Return how to reach Kafka; None where no address is set, as in the embedded mode."""
    bootstrap = environment.get(KAFKA, "").strip()
    if not bootstrap:
        return None
    return KafkaSettings(
        bootstrap=bootstrap,
        options=_options(environment.get(KAFKA_OPTIONS, "")),
        **msgspec.structs.asdict(decided),
    )


def database(environment: Mapping[str, str]) -> str | None:
    """Return the address of the read model in PostgreSQL; None where none is set."""
    address = environment.get(DATABASE, "").strip()
    if not address:
        return None
    try:
        postgres_url(address)
    except ConfigurationError as error:
        raise ConfigurationError(f"{DATABASE}: {error}") from None
    return address


def _options(text: str) -> Mapping[str, Any]:
    if not text.strip():
        return {}
    try:
        return msgspec.json.decode(text, type=dict[str, Any])
    except msgspec.MsgspecError as error:
        # the text holds passwords, and so could the decoder's message
        raise ConfigurationError(
            f"{KAFKA_OPTIONS} is not a JSON object of options of kafka-python "
            f'({type(error).__name__}); write {{"security_protocol": "SASL_SSL", …}}'
        ) from None


def postgres_url(place: str) -> "URL":
    """Read the URL of a PostgreSQL database; raise ConfigurationError, without the password."""
    from sqlalchemy import make_url
    from sqlalchemy.exc import ArgumentError

    says = f"write {_DRIVER}://USER:PASSWORD@HOST/DATABASE"
    try:
        url = make_url(place)
    except ArgumentError:
        raise ConfigurationError(f"the read model's address is not a URL; {says}") from None
    if url.drivername in ("postgres", "postgresql"):
        url = url.set(drivername=_DRIVER)
    if url.drivername != _DRIVER:
        address = url.render_as_string(hide_password=True)
        raise ConfigurationError(f"the read model's address {address} is not PostgreSQL; {says}")
    return url
