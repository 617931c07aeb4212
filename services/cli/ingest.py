"""`shipledger ingest`."""

import sys
from pathlib import Path

import click

from events.errors import ConfigurationError
from services.cli.options import data_option
from services.cli.saying import say
from services.config.settings import load


@click.command("ingest")
@click.option("--host", default="127.0.0.1", show_default=True, help="The address to listen on.")
@click.option("--port", default=8080, show_default=True, help="The port; 0 chooses a free one.")
@click.option(
    "--allow-unsigned",
    is_flag=True,
    help="Accept deliveries of anybody. Never on an address that others can reach.",
)
@data_option
def command(host: str, port: int, allow_unsigned: bool, data: Path | None) -> int:
    """Receive webhooks for Kafka: each delivery is stored here first, then forwarded in order.

    2xx means that it is on this machine's disk; it reaches Kafka also after a crash of this process
    or an outage of the brokers. SHIPLEDGER_KAFKA names the brokers.

    \b
    Example:
      SHIPLEDGER_WEBHOOK_SECRET=... SHIPLEDGER_KAFKA=kafka:9092 shipledger ingest --port 8080
    """
    from services.processes.ingest import run
    from services.runtime.telemetry import configure_logging

    chosen = load(data=data)
    form = chosen.log_format or ("columns" if sys.stderr.isatty() else "json")
    configure_logging(form, level=chosen.log_level)
    try:
        return run(chosen, host=host, port=port, allow_unsigned=allow_unsigned, announce=_announce)
    except OSError as error:
        raise ConfigurationError(
            f"cannot listen on {host}:{port}: {error.strerror or error}; "
            "choose another --host or --port"
        ) from error


def _announce(address: str) -> None:
    say(f"shipledger ingest: {address} (webhooks: {address}/webhooks/github)")
    sys.stdout.flush()
