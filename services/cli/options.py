"""Options and habits that commands share."""

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Final

import click
import msgspec

from services.config.settings import Settings, load

data_option: Final = click.option(
    "--data",
    type=click.Path(path_type=Path, file_okay=False),
    help="The data folder; else SHIPLEDGER_DATA, else `data` of shipledger.toml, else "
    "./shipledger-data.",
)
json_option: Final = click.option("--json", "as_json", is_flag=True, help="Print JSON.")
as_of_option: Final = click.option(
    "--as-of", metavar="TIME", help="The world as it was then, such as 2026-07-15T12:00:00Z."
)
known_at_option: Final = click.option(
    "--known-at", metavar="TIME", help="Only what had been recorded by then."
)


def settings(data: Path | None) -> Settings:
    """Read the settings; `data` is the option `--data`."""
    return load(data=data)


def print_json(value: Any) -> None:
    """Print a value as JSON, indented."""
    click.echo(msgspec.json.format(msgspec.json.encode(value), indent=2).decode())


def table(headings: Sequence[str], rows: Sequence[Sequence[str]]) -> None:
    """Print rows under headings, in columns as wide as they need to be."""
    widths = [max(map(len, column)) for column in zip(headings, *rows, strict=True)]
    for row in (headings, *rows):
        cells = (cell.ljust(width) for cell, width in zip(row, widths, strict=True))
        click.echo("  ".join(cells).rstrip())


@contextmanager
def progress_bar(words: str) -> Iterator[Callable[[int, int], None]]:
    """Give `tell(done, total)`, which shows a bar on standard error from its first call on.

    Where standard error is no terminal, nothing is shown.
    """
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

    columns = (
        TextColumn("{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        TimeElapsedColumn(),
    )
    console = Console(stderr=True)
    with Progress(*columns, console=console, disable=not console.is_terminal) as bar:
        task = bar.add_task(words, total=None, visible=False)
        yield lambda done, total: bar.update(task, completed=done, total=total, visible=True)
