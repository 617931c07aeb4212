"""The tree that a roadmap's text is read into."""

from collections.abc import Iterator
from enum import StrEnum
from typing import TypeAlias

import msgspec

from projections.roadmap_status.boxes import Box
from projections.roadmap_status.reading.prose import Prose

SectionPath: TypeAlias = tuple[Prose, ...]


class EntryKind(StrEnum):
    """Where an entry stands."""

    BULLET = "bullet"
    ROW = "row"
    """A row of a table that has a status column."""


class Doubt(StrEnum):
    """What a text has that its author may not have meant, or that was not read."""

    MALFORMED_BOX = "malformed box"
    BOX_SIGN = "a sign that looks like a box and is none for GitHub"
    BOX_IN_RAW_HTML = "box in raw HTML (GitHub shows it as text: a blank line is missing)"
    TOO_LONG = "text cut off (longer than GitHub takes)"
    TOO_DEEP = "lists or quotes nested too deep to be read"
    TOO_MANY_BRACKETS = "too many brackets: read as plain text"


class Caution(msgspec.Struct, frozen=True):
    """One doubt, and the line that it is about (from 1)."""

    line: int
    about: Doubt


class Entry(msgspec.Struct, frozen=True, kw_only=True):
    """A list entry, or a table row: the text of its own, and what is nested in it."""

    kind: EntryKind
    line: int
    """Of its first line in the text, from 1."""
    head: Prose
    """Its first paragraph; of a row the cell that names it."""
    more: tuple[Prose, ...] = ()
    """Its further paragraphs, without code and quotes."""
    quotes: tuple[Prose, ...] = ()
    """What it quotes, and the cells of tables without a status column: links are weak."""
    box: Box | None = None
    quoted: bool = False
    ordered: bool = False
    section: SectionPath = ()
    cells: tuple[tuple[str, Prose], ...] = ()
    """Of a row: (header, cell) in the order of the columns."""
    children: tuple["Entry", ...] = ()


class Heading(msgspec.Struct, frozen=True, kw_only=True):
    """A heading, or a paragraph all in bold that is used as one."""

    level: int
    line: int
    prose: Prose
    section: SectionPath
    """The headings above it."""


class Paragraph(msgspec.Struct, frozen=True, kw_only=True):
    """Text outside lists; `weak` where it is quoted, raw HTML, or a cell of a plain table."""

    line: int
    prose: Prose
    section: SectionPath
    weak: bool = False


Block: TypeAlias = Entry | Heading | Paragraph


class Document(msgspec.Struct, frozen=True):
    """A whole text, in its order."""

    blocks: tuple[Block, ...] = ()
    cautions: tuple[Caution, ...] = ()

    def entries(self) -> Iterator[Entry]:
        """Yield all entries, parents before their children."""
        pending: list[Block] = list(reversed(self.blocks))
        while pending:
            block = pending.pop()
            if isinstance(block, Entry):
                yield block
                pending.extend(reversed(block.children))
