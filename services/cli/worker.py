"""`shipledger worker`."""

import sys
from pathlib import Path

import click

from events.errors import ConfigurationError
from services.cli.options import data_option
from services.cli.saying import say
from services.config.settings import load


@click.command("worker")
@click.option(
    "--only",
    multiple=True,
    metavar="PROJECTION",
    help="Feed this projection alone; may be given several times.",
)
@click.option("--host", default="127.0.0.1", show_default=True, help="Where to serve operations.")
@click.option("--port", default=8081, show_default=True, help="The port; 0 chooses a free one.")
@data_option
def command(only: tuple[str, ...], host: str, port: int, data: Path | None) -> int:
    """Bring records from Kafka into the read model in PostgreSQL.

    Run as many as there is work for: they share the partitions of the log among them. /healthz,
    /readyz and /metrics are on --port. SHIPLEDGER_KAFKA and SHIPLEDGER_DATABASE say where.

    It has to be started again whenever it ends by itself: with exit code 75 another generation of a
    projection has taken over, with 1 there was a fault. Going on is always safe.

    \b
    Example:
      SHIPLEDGER_KAFKA=kafka:9092 SHIPLEDGER_DATABASE=postgresql://... shipledger worker
    """
    from services.processes.worker import run
    from services.runtime.telemetry import configure_logging

    chosen = load(data=data)
    form = chosen.log_format or ("columns" if sys.stderr.isatty() else "json")
    configure_logging(form, level=chosen.log_level)
    try:
        return run(chosen, only, host=host, port=port, announce=_announce)
    except OSError as error:
        raise ConfigurationError(
            f"cannot listen on {host}:{port}: {error.strerror or error}; "
            "choose another --host or --port"
        ) from error


def _announce(address: str) -> None:
    say(f"shipledger worker: {address} (/healthz, /readyz, /metrics)")
    sys.stdout.flush()
