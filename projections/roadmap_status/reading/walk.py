"""From the parser's flat tokens to the tree; no call is deeper for deeper nesting."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Protocol

from markdown_it.token import Token

from projections.roadmap_status.boxes import Box
from projections.roadmap_status.reading.blocks import BOLD_LEVEL, Sections, read_html
from projections.roadmap_status.reading.document import (
    Block,
    Caution,
    Doubt,
    Entry,
    EntryKind,
    Heading,
    Paragraph,
)
from projections.roadmap_status.reading.lookalikes import (
    begins_with_sign,
    box_of,
    is_lookalike,
    lines_with_boxes,
)
from projections.roadmap_status.reading.prose import Prose
from projections.roadmap_status.reading.references import Reader
from projections.roadmap_status.reading.tables import Table


class ReadsProse(Protocol):
    """Reads the text of one paragraph."""

    reader: Reader

    def prose(self, text: str, line: int) -> Prose:
        """Read a paragraph that begins at a line."""


@dataclass(slots=True)
class _Open:
    """A list entry whose end has not come yet."""

    line: int
    quoted: bool
    ordered: bool
    box: Box | None = None
    paragraphs: list[Prose] = field(default_factory=list)
    quotes: list[Prose] = field(default_factory=list)
    children: list[Entry] = field(default_factory=list)


@dataclass(slots=True)
class Walk:
    """Takes the tokens in their order."""

    inline: ReadsProse
    cautions: list[Caution] = field(default_factory=list)
    blocks: list[Block] = field(default_factory=list)
    sections: Sections = field(default_factory=Sections)
    entries: list[_Open] = field(default_factory=list)
    lists: list[bool] = field(default_factory=list)
    quote_depth: list[int] = field(default_factory=lambda: [0])
    """Of quotes that are open, for each open entry: a quote in an entry is the entry's."""
    heading: int = 0
    table: Table | None = None

    def take(self, token: Token) -> None:
        """Take the next token."""
        match token.type:
            case "inline":
                self._text(token)
            case "bullet_list_open" | "ordered_list_open":
                self.lists.append(token.type == "ordered_list_open")
            case "bullet_list_close" | "ordered_list_close":
                self.lists.pop()
            case "list_item_open":
                self._open_entry(token)
            case "list_item_close":
                self._close_entry()
            case "blockquote_open":
                self.quote_depth[-1] += 1
            case "blockquote_close":
                self.quote_depth[-1] -= 1
            case "heading_open":
                self.heading = int(token.tag[1:])
            case "heading_close":
                self.heading = 0
            case "html_block":
                self._html(token)
            case _:
                self._table_part(token)

    def finish(self) -> tuple[Block, ...]:
        """Return what the tokens made."""
        return tuple(self.blocks)

    def _text(self, token: Token) -> None:
        line = _line(token)
        if self.table is not None:
            if is_lookalike(token.content):
                self.cautions.append(Caution(line, Doubt.MALFORMED_BOX))
            self.table.cell(self.inline.prose(token.content, line), line)
        elif self.entries:
            self._entry_text(token.content, line)
        else:
            self._loose_text(token.content, line)

    def _loose_text(self, text: str, line: int) -> None:
        prose = self.inline.prose(text, line)
        self._warn(text, line)
        weak = self.quote_depth[-1] > 0
        level = self.heading or (BOLD_LEVEL if _all_bold(prose) else 0)
        if level and not weak:
            self.blocks.append(
                Heading(level=level, line=line, prose=prose, section=self.sections.above(level))
            )
            self.sections.enter(level, prose)
            return
        section = self.sections.path()
        self.blocks.append(Paragraph(line=line, prose=prose, section=section, weak=weak))

    def _entry_text(self, text: str, line: int) -> None:
        entry = self.entries[-1]
        if self.quote_depth[-1]:
            self._warn(text, line)
            entry.quotes.append(self.inline.prose(text, line))
            return
        if not entry.paragraphs and not self.heading:
            if begins_with_sign(text):
                self.cautions.append(Caution(line, Doubt.BOX_SIGN))
            entry.box, text = box_of(text)
            if entry.box is Box.MALFORMED:
                self.cautions.append(Caution(line, Doubt.MALFORMED_BOX))
            _, _, further = text.partition("\n")
            self._warn(further, line + 1)
        else:
            self._warn(text, line)
        entry.paragraphs.append(self.inline.prose(text, line))

    def _warn(self, text: str, line: int) -> None:
        """Tell of the lines that begin with a box and are no entry of a list."""
        self.cautions += (Caution(line + at, Doubt.MALFORMED_BOX) for at in lines_with_boxes(text))

    def _open_entry(self, token: Token) -> None:
        quoted = any(self.quote_depth)
        self.entries.append(_Open(_line(token), quoted, self.lists[-1]))
        self.quote_depth.append(0)

    def _close_entry(self) -> None:
        opened = self.entries.pop()
        self.quote_depth.pop()
        head, *more = opened.paragraphs or [Prose()]
        self._add(
            Entry(
                kind=EntryKind.BULLET,
                line=opened.line,
                head=head,
                more=tuple(more),
                quotes=tuple(opened.quotes),
                box=opened.box,
                quoted=opened.quoted,
                ordered=opened.ordered,
                section=self.sections.path(),
                children=tuple(opened.children),
            )
        )

    def _add(self, entry: Entry) -> None:
        if self.entries:
            self.entries[-1].children.append(entry)
        else:
            self.blocks.append(entry)

    def _html(self, token: Token) -> None:
        line = _line(token)
        raw = read_html(token.content)
        for opened, name in raw.details:
            if opened:
                self.sections.enter_details(name)
            else:
                self.sections.leave_details()
        if raw.summary:
            self.sections.name_details(raw.summary)
        if next(lines_with_boxes(raw.text), None) is not None:
            self.cautions.append(Caution(line, Doubt.BOX_IN_RAW_HTML))
        if raw.text.strip():
            self._weak(raw.prose(self.inline.reader), line)

    def _weak(self, prose: Prose, line: int) -> None:
        if self.entries:
            self.entries[-1].quotes.append(prose)
        elif prose.links:
            section = self.sections.path()
            self.blocks.append(Paragraph(line=line, prose=prose, section=section, weak=True))

    def _table_part(self, token: Token) -> None:
        match token.type:
            case "table_open":
                self.table = Table(quoted=any(self.quote_depth), section=self.sections.path())
            case "tr_open" if self.table is not None:
                self.table.row(_line(token))
            case "table_close" if self.table is not None:
                self._close_table(self.table)
                self.table = None

    def _close_table(self, table: Table) -> None:
        if table.has_status:
            for entry in table.entries():
                self._add(entry)
        else:
            for line, prose in _cells(table):
                self._weak(prose, line)


def _cells(table: Table) -> Iterator[tuple[int, Prose]]:
    for row in table.rows:
        for prose in row.cells:
            yield row.line, prose


def _line(token: Token) -> int:
    return token.map[0] + 1 if token.map else 0


def _all_bold(prose: Prose) -> bool:
    whole = prose.shown.strip().rstrip(":：")
    bold = len(prose.strong) == 1 and not prose.links and "\n" not in whole
    return bold and prose.shown[slice(*prose.strong[0])].strip().rstrip(":：") == whole != ""
