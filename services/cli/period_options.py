"""The options by which commands about editions name a period."""

from collections.abc import Callable
from typing import Any, Final, TypeVar

import click

F = TypeVar("F", bound=Callable[..., Any])

period_option: Final = click.option(
    "--period",
    "named",
    metavar="PERIOD",
    help="2026-07, 2026-Q3, 2026-W31, 2026, or 2026-07-01..2026-08-01.",
)
releases_option: Final = click.option(
    "--releases",
    metavar="FIRST..SECOND",
    help="Instead: what the tag or alias SECOND brings against FIRST, by its commits.",
)
zone_option: Final = click.option(
    "--tz", metavar="ZONE", help="The zone of the days; else `zone` of shipledger.toml."
)
shape_option: Final = click.option(
    "--shape",
    type=click.Choice(["seed", "inline"]),
    default="seed",
    show_default=True,
    help="List the numbers under each theme, or cite them with branch and state in each bullet.",
)
final_option: Final = click.option(
    "--final",
    is_flag=True,
    help="Call it Final in the title; refused unless nothing can be missing.",
)
author_option: Final = click.option(
    "--author", default="[author]", show_default=True, help="The line under the title."
)


def period_options(function: F) -> F:
    """Add all of them but the shape."""
    for option in (author_option, final_option, zone_option, releases_option, period_option):
        function = option(function)
    return function
