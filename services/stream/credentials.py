"""How to prove to the brokers who we are: kafka-python's options in Faust's words."""

import ssl
from collections.abc import Mapping
from typing import Any

from faust import SASLCredentials, SSLCredentials

from events.errors import ConfigurationError

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
