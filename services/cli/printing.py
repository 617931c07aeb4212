"""How commands print an answer: folded and coloured at a terminal, endless lines elsewhere."""

import os
import shutil
import sys

import click

from services.documents.forms import Forms, render
from services.documents.text import PIPE, Terminal


def print_answer(forms: Forms, form: str) -> None:
    """Print an answer on standard output."""
    click.echo(render(forms, form, terminal()), nl=False, color=True)


def terminal() -> Terminal:
    """Return what standard output is. NO_COLOR is heeded: https://no-color.org"""
    if not sys.stdout.isatty():
        return PIPE
    colours = not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb"
    return Terminal(width=shutil.get_terminal_size().columns, colours=colours)
