"""`shipledger mirror`."""

import signal
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import click

from services.cli.options import data_option
from services.cli.saying import say
from services.config.settings import load

if TYPE_CHECKING:
    from events.errors import ShipledgerError
    from services.intake.mirror import Fetched, Mirror


@click.command("mirror")
@click.option("--once", is_flag=True, help="Fetch each repository once, then end.")
@click.option(
    "--metrics-port",
    type=click.IntRange(min=0, max=65535),
    help="Serve Prometheus metrics on this port.",
)
@click.option(
    "--metrics-host",
    default="127.0.0.1",
    show_default=True,
    help="The address on which metrics are served.",
)
@data_option
def command(once: bool, metrics_port: int | None, metrics_host: str, data: Path | None) -> int:
    """Follow the git history of each repository that has a `mirror` in shipledger.toml.

    It fetches when a push, a created or deleted ref or a release is recorded, and on a timer.
    `shipledger up` does the same by itself; this is for running it apart, and for production, where
    it appends to Kafka. Credentials come from git's own helpers, or with the URL from the variable
    that `remote_env` names.

    \b
    Example:
      shipledger mirror --once --data ./ledger
    """
    from prometheus_client import CollectorRegistry, start_http_server

    from services.processes.mirroring import open_mirror
    from services.runtime.telemetry import Metrics, configure_logging

    chosen = load(data=data)
    form = chosen.log_format or ("columns" if sys.stderr.isatty() else "json")
    configure_logging(form, level=chosen.log_level)
    metrics = Metrics(CollectorRegistry())
    with open_mirror(chosen, metrics) as mirror:
        if mirror is None:
            raise click.UsageError(
                "no repository has a mirror; write one into shipledger.toml under its "
                "[[repositories]]: mirror = { remote = 'https://github.com/OWNER/NAME' }"
            )
        _stop_on_signals(mirror)
        if once:
            return max([_tell(outcome) for outcome in mirror.once()])
        if metrics_port is not None:
            start_http_server(metrics_port, metrics_host, registry=metrics.registry)
        mirror.run()
        return int(mirror.faulted)


def _stop_on_signals(mirror: "Mirror") -> None:
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, lambda *_: mirror.stop())


def _tell(outcome: "Fetched | ShipledgerError") -> int:
    """Print what came of one repository; return its exit code."""
    from services.intake.mirror import Fetched

    if not isinstance(outcome, Fetched):
        say(f"failed: {outcome}", err=True)
        return 1
    result = outcome.result
    if result is None:
        say(f"{outcome.repository}: no branch yet")
        return 0
    say(
        f"{outcome.repository}: {result.commits:,} commits, {result.refs:,} refs changed "
        f"(default branch {result.default_branch})"
    )
    for reason in result.incomplete:
        say(f"incomplete: {reason}", err=True)
    return 0
