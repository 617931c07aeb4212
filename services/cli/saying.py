"""The one way in which a command says a line: nothing in it acts on the terminal.

Answers are printed by `printing.py`, whose formats see to that themselves. Imports nothing heavy.
"""

import sys

import click

from services.cli.served import stream
from services.documents.printable import printable


def say(text: str = "", *, err: bool = False, nl: bool = True) -> None:
    """Write a text to standard output, or to standard error."""
    click.echo(printable(text), file=stream(err=err), err=err, nl=nl)


def say_exactly(text: str) -> None:
    """Write what a program reads next, a patch: unchanged but at a terminal."""
    out = stream()
    acts = (out or sys.stdout).isatty()
    click.echo(printable(text) if acts else text, file=out, nl=False)
