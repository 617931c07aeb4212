"""The options that commands share: period, zone, the two clocks, the format, the data folder.

Each of a question goes into a `QuestionRequest` as it was typed; `services.answers.questions`
reads them.
"""

from collections.abc import Callable
from pathlib import Path
from typing import Any, Final, TypeVar

import click

from services.answers.questions.author import AUTHOR
from services.cli.catalog import NO_SERVER
from services.cli.served import served

F = TypeVar("F", bound=Callable[..., Any])

#: The number of a request or an issue, as all who keep them can.
NUMBER: Final = click.IntRange(1, 2**31 - 1)


class _DataFolder(click.Path):
    """A folder of the caller's. Carried out for another process, it is compared with our own."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """See `click.ParamType.convert`."""
        return super().convert(value, param, ctx) if served() is None else Path(value)


data_option: Final = click.option(
    "--data",
    type=_DataFolder(path_type=Path, file_okay=False),
    help="The data folder; else SHIPLEDGER_DATA, else `data` of shipledger.toml, else "
    "./shipledger-data.",
)
_here_option: Final = click.option(
    NO_SERVER,
    is_flag=True,
    expose_value=False,
    help="Open the read model here, even where a running `up` or `api` could be asked.",
)
json_option: Final = click.option("--json", "as_json", is_flag=True, help="Print JSON.")
as_of_option: Final = click.option(
    "--as-of", metavar="TIME", help="The world as it was then, such as 2026-07-15T12:00:00Z."
)
known_at_option: Final = click.option(
    "--known-at", metavar="TIME", help="Only what had been recorded by then."
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


shape_option: Final = click.option(
    "--shape",
    type=click.Choice(["seed", "inline"]),
    default="seed",
    show_default=True,
    help="List the numbers under each theme, or cite them with branch and state in each bullet.",
)
_TITLE: Final = (
    click.option(
        "--final",
        is_flag=True,
        help="Call it Final in the title; refused unless nothing can be missing.",
    ),
    click.option("--author", default=AUTHOR, show_default=True, help="The line under the title."),
)


def edition_options(function: F) -> F:
    """Add the ways to name what an edition is about, and what its title claims."""
    return _with(function, (*_PERIOD, releases_option, *_TITLE))


def asking_options(function: F) -> F:
    """Add the data folder, and a way not to ask the process that runs on it."""
    return _with(function, (data_option, _here_option))


def clock_options(function: F) -> F:
    """Add `--as-of` and `--known-at`."""
    return _with(function, (as_of_option, known_at_option))


def period_options(function: F) -> F:
    """Add `--period` and `--tz`."""
    return _with(function, _PERIOD)


def edge_options(function: F) -> F:
    """Add `--from` and `--to`, which say the same as `--period`."""
    return _with(function, _EDGES)


def format_option(forms: tuple[str, ...], default: str | None = None) -> Callable[[F], F]:
    """Add `--format` with these forms, and `--json` where JSON is one of them.

    Without a default a terminal gets text, and a file or a pipe gets Markdown.
    """
    help_text = "Else txt at a terminal, and md elsewhere." if default is None else None

    def add(function: F) -> F:
        if "json" in forms:
            function = click.option(
                "--json", "form", flag_value="json", help="The same as --format json."
            )(function)
        return click.option(
            "--format",
            "form",
            type=click.Choice(forms),
            default=default,
            show_default=default is not None,
            help=help_text,
        )(function)

    return add


def _with(function: F, options: tuple[Callable[[F], F], ...]) -> F:
    for option in reversed(options):
        function = option(function)
    return function
