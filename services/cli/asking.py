"""The options by which every command asks: period, zone, and the two clocks.

Each goes into a `QuestionRequest` as it was typed; `services.answers.questions` reads them.
"""

from collections.abc import Callable
from pathlib import Path
from typing import Any, Final, TypeVar

import click

F = TypeVar("F", bound=Callable[..., Any])

data_option: Final = click.option(
    "--data",
    type=click.Path(path_type=Path, file_okay=False),
    help="The data folder; else SHIPLEDGER_DATA, else `data` of shipledger.toml, else "
    "./shipledger-data.",
)
_CLOCKS: Final = (
    click.option(
        "--as-of", metavar="TIME", help="The world as it was then, such as 2026-07-15T12:00:00Z."
    ),
    click.option("--known-at", metavar="TIME", help="Only what had been recorded by then."),
)
zone_option: Final = click.option(
    "--tz", "zone", metavar="ZONE", help="The zone of the days; else `zone` of shipledger.toml."
)
_PERIOD: Final = (
    click.option(
        "--period",
        metavar="PERIOD",
        help="2026-07, 2026-Q3, 2026-W31, 2026, or 2026-07-01..2026-08-01.",
    ),
    zone_option,
)
_EDGES: Final = (
    click.option("--from", "start", metavar="DAY", help="Instead: the first day (or a time),"),
    click.option("--to", "end", metavar="DAY", help="and the day (or time) after the last."),
)
releases_option: Final = click.option(
    "--releases",
    metavar="FIRST..SECOND",
    help="Instead: what the tag or alias SECOND brings against FIRST, by its commits.",
)


def clock_options(function: F) -> F:
    """Add `--as-of` and `--known-at`."""
    return _with(function, _CLOCKS)


def period_options(function: F) -> F:
    """Add `--period` and `--tz`."""
    return _with(function, _PERIOD)


def edge_options(function: F) -> F:
    """Add `--from` and `--to`, which say the same as `--period`."""
    return _with(function, _EDGES)


def format_option(*forms: str, default: str = "txt") -> Callable[[F], F]:
    """Add `--format` with these forms, and `--json` where JSON is one of them."""

    def add(function: F) -> F:
        if "json" in forms:
            function = click.option(
                "--json", "form", flag_value="json", help="The same as --format json."
            )(function)
        return click.option(
            "--format", "form", type=click.Choice(forms), default=default, show_default=True
        )(function)

    return add


def _with(function: F, options: tuple[Callable[[F], F], ...]) -> F:
    for option in reversed(options):
        function = option(function)
    return function
