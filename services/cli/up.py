"""`shipledger up`."""

import sys
from pathlib import Path

import click

from events.errors import ConfigurationError
from services.cli.options import data_option
from services.cli.saying import say
from services.config.settings import load


@click.command("up")
@click.option("--host", default="127.0.0.1", show_default=True, help="The address to listen on.")
@click.option("--port", default=8080, show_default=True, help="The port; 0 chooses a free one.")
@click.option(
    "--allow-unsigned",
    is_flag=True,
    help="Accept deliveries of anybody. Never on an address that others can reach.",
)
@data_option
def command(host: str, port: int, allow_unsigned: bool, data: Path | None) -> int:
    """Run everything with one command: webhooks, log, read model, API and page.

    The webhook secret comes from SHIPLEDGER_WEBHOOK_SECRET (several, separated by spaces or
    commas, while it is being changed). Ctrl-C or SIGTERM ends it in order.

    \b
    Example:
      SHIPLEDGER_WEBHOOK_SECRET=... shipledger up --port 8080 --data ./ledger
    """
    from services.cli.answerer import answerer_on
    from services.processes.up import run
    from services.runtime.telemetry import configure_logging

    chosen = load(data=data)
    form = chosen.log_format or ("columns" if sys.stderr.isatty() else "json")
    configure_logging(form, level=chosen.log_level)
    try:
        return run(
            chosen,
            host=host,
            port=port,
            allow_unsigned=allow_unsigned,
            announce=_announce,
            answerer_on=answerer_on,
        )
    except OSError as error:
        raise ConfigurationError(
            f"cannot listen on {host}:{port}: {error.strerror or error}; "
            "choose another --host or --port"
        ) from error


def _announce(address: str) -> None:
    say(f"shipledger is up: {address} (webhooks: {address}/webhooks/github)")
    sys.stdout.flush()
