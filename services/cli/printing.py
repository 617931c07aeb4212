"""How commands print an answer: folded and coloured at a terminal, endless lines elsewhere."""

import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager

import click
import msgspec

from services.cli.asking import columns, shows_colours
from services.cli.saying import say
from services.cli.served import served, stream
from services.documents.forms import Forms, render
from services.documents.json import harmless
from services.documents.terminal import PIPE, Terminal


def print_answer(forms: Forms, form: str | None = None) -> None:
    """Print an answer on standard output; without a form as text at a terminal, else Markdown."""
    where = terminal()
    text = render(forms, form or default_form(), where)
    click.echo(text, file=stream(), nl=False, color=where.colours)


def default_form() -> str:
    """Return the format in which people read an answer where standard output leads."""
    return "md" if terminal() is PIPE else "txt"


def print_json(value: object) -> None:
    """Print a value as JSON, indented."""
    text = msgspec.json.format(msgspec.json.encode(value), indent=2).decode()
    click.echo(harmless(text), file=stream())


def table(headings: Sequence[str], rows: Sequence[Sequence[str]]) -> None:
    """Print rows under headings, in columns as wide as they need to be."""
    widths = [max(map(len, column)) for column in zip(headings, *rows, strict=True)]
    for row in (headings, *rows):
        cells = (cell.ljust(width) for cell, width in zip(row, widths, strict=True))
        say("  ".join(cells).rstrip())


@contextmanager
def progress_bar(words: str) -> Iterator[Callable[[int, int], None]]:
    """Give `tell(done, total)`, which shows a bar on standard error from its first call on.

    Where standard error is no terminal, nothing is shown.
    """
    if not sys.stderr.isatty():
        yield lambda _done, _total: None
        return
    with ExitStack() as stack:
        bars: list[Callable[[int, int], None]] = []

        def tell(done: int, total: int) -> None:
            if not bars:  # nothing is drawn, or imported for it, where there is nothing to tell
                bars.append(_bar(words, stack))
            bars[0](done, total)

        yield tell


def _bar(words: str, stack: ExitStack) -> Callable[[int, int], None]:
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

    columns = (
        TextColumn("{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        TimeElapsedColumn(),
    )
    console = Console(stderr=True)
    bar = stack.enter_context(Progress(*columns, console=console, disable=not console.is_terminal))
    task = bar.add_task(words, total=None)
    return lambda done, total: bar.update(task, completed=done, total=total)


def terminal() -> Terminal:
    """Return what standard output is. NO_COLOR is heeded: https://no-color.org"""
    place = served()
    if place is not None:
        return place.terminal
    if not sys.stdout.isatty():
        return PIPE
    return Terminal(width=columns(), colours=shows_colours())
