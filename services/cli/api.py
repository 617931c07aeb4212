"""`shipledger api`."""

import sys
from pathlib import Path

import click

from events.errors import ConfigurationError
from services.cli.options import data_option
from services.cli.saying import say
from services.config.settings import load


@click.command("api")
@click.option("--host", default="127.0.0.1", show_default=True, help="The address to listen on.")
@click.option("--port", default=8082, show_default=True, help="The port; 0 chooses a free one.")
@data_option
def command(host: str, port: int, data: Path | None) -> int:
    """Answer questions from PostgreSQL: API, page, evidence, metrics. It writes nothing.

    Run as many as there are askers for. SHIPLEDGER_DATABASE names the read model, of which a role
    that may only read is enough; SHIPLEDGER_KAFKA the log, for evidence and for how far behind the
    answers are.

    \b
    Example:
      SHIPLEDGER_KAFKA=kafka:9092 SHIPLEDGER_DATABASE=postgresql://... shipledger api
    """
    from services.cli.answerer import answerer_on
    from services.processes.api import run
    from services.runtime.telemetry import configure_logging

    chosen = load(data=data)
    form = chosen.log_format or ("columns" if sys.stderr.isatty() else "json")
    configure_logging(form, level=chosen.log_level)
    try:
        return run(chosen, host=host, port=port, announce=_announce, answerer_on=answerer_on)
    except OSError as error:
        raise ConfigurationError(
            f"cannot listen on {host}:{port}: {error.strerror or error}; "
            "choose another --host or --port"
        ) from error


def _announce(address: str) -> None:
    say(f"shipledger api: {address} (page: {address}/, questions: {address}/docs)")
    sys.stdout.flush()
