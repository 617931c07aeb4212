"""Documents as plain text: for terminals, and in the shape of the published reports.

Nothing is markup. Where a width is given, lines are folded to it; colours only where asked for.
"""

import io
from collections.abc import Iterable, Iterator
from typing import Final

from rich.console import Console, Group, RenderableType
from rich.style import Style
from rich.table import Table as Grid
from rich.text import Text as Words

from services.documents.model import (
    Block,
    Code,
    Document,
    Footer,
    Item,
    List,
    Note,
    Paragraph,
    Quotation,
    Section,
    Strong,
    Table,
    Text,
    nested,
    pieces,
    printed,
    words_of,
)
from services.documents.printable import printable
from services.documents.terminal import PIPE, Terminal

#: Wide enough that nothing is ever folded.
_ENDLESS: Final = 1_000_000
_STYLES: Final = {"title": Style(bold=True), "code": Style(color="cyan"), "dim": Style(dim=True)}


_PIECES: Final[dict[type, str]] = {Code: "code", Strong: "title"}


def render(document: Document, terminal: Terminal = PIPE) -> str:
    """Write a document with one empty line between its parts."""
    out = io.StringIO()
    console = Console(
        file=out,
        width=terminal.width or _ENDLESS,
        force_terminal=terminal.colours,
        color_system="standard" if terminal.colours else None,
        highlight=False,
        markup=False,
        emoji=False,
        legacy_windows=False,
        no_color=False,
        _environ={},  # what is written to is told by `terminal` alone
    )
    for nth, part in enumerate(_parts(document)):
        if nth:
            console.print()
        console.print(part, soft_wrap=terminal.width is None and not isinstance(part, Grid))
    lines = out.getvalue().split("\n")
    return "\n".join(line.rstrip() for line in lines).rstrip("\n") + "\n"


def _parts(document: Document) -> Iterator[RenderableType]:
    if document.lead is not None:
        yield _words(document.lead, "title")
        yield _words(document.title)
    else:
        yield _words(document.title, "title")
    if document.byline is not None:
        yield _words(document.byline)
        yield _words(document.title, "title")
    yield from _blocks(document.blocks)


def _blocks(blocks: tuple[Block, ...]) -> Iterator[RenderableType]:
    for block in printed(blocks):
        match block:
            case Section(title, below):
                yield _words(title, "title")
                yield from _blocks(below)
            case Paragraph(text):
                yield _words(text)
            case Footer(text):
                yield _words(text, "dim")
            case Quotation(text):
                yield _bullet("> ", text)
            case List(items):
                if items:
                    yield Group(*_items(items))
            case Note(text, quotations):
                quoted = (_bullet("> • ", quotation) for quotation in quotations)
                yield Group(_bullet("> ", text), *quoted)
            case Table():
                yield _grid(block)


def _items(items: Iterable[Text | Item]) -> Iterator[RenderableType]:
    for item in map(nested, items):
        yield _bullet("• ", item.text)
        yield from (_bullet("  • ", text) for text in item.below)


def _words(text: Text, style: str = "") -> Words:
    words = Words(style=_STYLES.get(style, Style.null()), no_wrap=False)
    for piece in pieces(text):
        plain = piece if isinstance(piece, str) else piece.text
        words.append(
            " ".join(printable(plain).split(" ")).replace("\n", " "),
            _STYLES.get(_PIECES.get(type(piece), "")),
        )
    return words if len(words.plain.split()) <= 1 else _folded(words)


def _folded(words: Words) -> Words:
    """Leave one blank where several follow each other, as in every format."""
    plain = " ".join(words.plain.split())
    return words if plain == words.plain else Words(plain, style=words.style)


def _bullet(sign: str, text: Text) -> RenderableType:
    words = _words(text)
    row = Grid.grid(padding=0)
    row.add_column(no_wrap=True, width=len(sign))
    row.add_column(overflow="fold")
    row.add_row(sign, words)
    return _Item(sign, words, row)


class _Item:
    """A line of a list: folded lines stand below its words, not below its sign."""

    def __init__(self, sign: str, words: Words, row: Grid) -> None:
        self.sign, self.words, self.row = sign, words, row

    def __rich_console__(self, console: Console, _: object) -> Iterator[RenderableType]:
        if console.width >= _ENDLESS:
            yield Words(self.sign).append_text(self.words)
        else:
            yield self.row


def _grid(table: Table) -> RenderableType:
    grid = Grid(box=None, pad_edge=False, padding=(0, 2, 0, 0), header_style=_STYLES["title"])
    for column in table.columns:
        grid.add_column(
            printable(column.name), justify="right" if column.number else "left", overflow="fold"
        )
    for row in table.rows:
        grid.add_row(*(_words(words_of(cell)) for cell in row))
    return grid
