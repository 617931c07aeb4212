"""A document: a tree of plain texts, without any markup. Pure.

An answer builds its document once; every format turns any document into bytes. Texts mean
themselves: what would be markup in a format is escaped by that format, in one place.

Charts and folds show in detail what the texts around them say. They are for pages: formats that are
read line by line leave them out.
"""

import shlex
from collections.abc import Iterator, Mapping, Sequence
from typing import Literal, TypeAlias

import msgspec


class Link(msgspec.Struct, frozen=True):
    """Words that lead somewhere. Pages make a link of them; other formats print the words alone,
    since an address of this service means nothing in a copy.
    """

    text: str
    href: str


class Code(msgspec.Struct, frozen=True):
    """Words to be taken to the letter: a command, the name of a branch, a commit."""

    text: str


class Strong(msgspec.Struct, frozen=True):
    """Words that are looked for first: the name of what is explained."""

    text: str


Inline: TypeAlias = str | Link | Code | Strong
Text: TypeAlias = str | tuple[Inline, ...]
"""What stands on one line: words, or several pieces one after the other."""

Role: TypeAlias = Literal["", "related"]
"""`related`: the numbers that belong to what stands above."""


class Paragraph(msgspec.Struct, frozen=True):
    """Some sentences."""

    text: Text
    role: Role = ""


class Item(msgspec.Struct, frozen=True):
    """An item with items of its own below it."""

    text: Text
    below: tuple[Text, ...] = ()


class List(msgspec.Struct, frozen=True):
    """Items without an order that means anything."""

    items: tuple[Text | Item, ...]


class Column(msgspec.Struct, frozen=True):
    """A column of a table; numbers stand to the right."""

    name: str
    number: bool = False


class Table(msgspec.Struct, frozen=True):
    """Rows under columns; each row has one cell for each column."""

    columns: tuple[Column, ...]
    rows: tuple[tuple[Text, ...], ...]


class Note(msgspec.Struct, frozen=True):
    """What a draft tells the person who writes: never published, and on no page.

    `quotations` are word by word.
    """

    text: Text
    quotations: tuple[Text, ...] = ()


class Fold(msgspec.Struct, frozen=True):
    """Details that open when they are asked for; pages only."""

    summary: Text
    blocks: "tuple[Block, ...]"


class OnPage(msgspec.Struct, frozen=True):
    """Blocks that pages alone show, at the level at which this one stands."""

    blocks: "tuple[Block, ...]"


class Quotation(msgspec.Struct, frozen=True):
    """What somebody else wrote, word by word."""

    text: Text


class Bars(msgspec.Struct, frozen=True):
    """One bar for each value; pages only."""

    title: str
    values: Mapping[str, int]


class Days(msgspec.Struct, frozen=True):
    """Counts by day as groups of columns, the days in order (`2026-07-01`); pages only."""

    title: str
    labels: Sequence[str]
    series: Mapping[str, Sequence[int]]


class Footer(msgspec.Struct, frozen=True):
    """The last words: of what moment a document is, and what it was made from."""

    text: Text


class Section(msgspec.Struct, frozen=True):
    """A heading with what stands below it; sections in it are one level deeper."""

    title: Text
    blocks: "tuple[Block, ...]" = ()


Block: TypeAlias = (
    Paragraph | List | Table | Note | Fold | OnPage | Quotation | Bars | Days | Footer | Section
)
PAGE_ONLY = (Bars, Days, Fold, OnPage)


class Document(msgspec.Struct, frozen=True, kw_only=True):
    """A title and what stands below it. `language` is that of its words (`en`, `zh`).

    `lead` is the sentence that answers: a terminal shows it first, a page below the title.
    `byline` is the line under the title that names an author; a published text without markup
    repeats the title below it, as the published reports do.
    """

    title: str
    blocks: tuple[Block, ...]
    language: str = "en"
    lead: str | None = None
    byline: str | None = None


def command(*words: str) -> Code:
    """Return a command to be pasted: to the shell each word is just one word, and runs nothing."""
    return Code(shlex.join(words))


def pieces(text: Text) -> tuple[Inline, ...]:
    """Return the pieces of a text."""
    return (text,) if isinstance(text, str) else text


def words_of(text: Text) -> str:
    """Return the words of a text on one line, as they stand there."""
    words = "".join(piece if isinstance(piece, str) else piece.text for piece in pieces(text))
    return " ".join(words.split())


def nested(item: Text | Item) -> Item:
    """Return an item of a list as one that may have others below it."""
    return item if isinstance(item, Item) else Item(item)


def printed(blocks: Sequence[Block]) -> Iterator[Block]:
    """Yield the blocks that formats without pages print."""
    return (block for block in blocks if not isinstance(block, PAGE_ONLY))
