"""The door: the text of a roadmap to its items.

An item is a list entry, a row of a table with a status column, or a heading that links to a
request or stands alone with its status. Entries that are only links belong to the item above.
In sections that are no plan (feedback, credits, a legend) only boxes make items.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Final

from msgspec.structs import replace

from projections.roadmap_status.items.claims import claim_of, column_phrases, stated_releases
from projections.roadmap_status.items.heads import Head, split_head, status_lines
from projections.roadmap_status.items.item import Item, Roadmap
from projections.roadmap_status.items.legend import Legend, is_footnote, read_legend
from projections.roadmap_status.items.links import (
    Link,
    is_link_line,
    line_links,
    main_links,
    merged,
    only_outside,
    text_links,
)
from projections.roadmap_status.items.sentences import LinkClaim, link_claims
from projections.roadmap_status.items.titles import (
    clean_heading,
    clean_title,
    column_owners,
    owners_of,
    series_of,
)
from projections.roadmap_status.items.undone import undone_in
from projections.roadmap_status.reading import (
    Block,
    Box,
    Doubt,
    Entry,
    EntryKind,
    Heading,
    Paragraph,
    Prose,
    Reader,
    read,
)
from projections.roadmap_status.reading.lookalikes import begins_with_sign
from projections.roadmap_status.reading.prose import MASK
from projections.roadmap_status.words.phrases import Phrases

_NO_PLAN: Final = re.compile(
    r"\W*(?:how\s+(?:to|can)|(?:provid\w+\s+)?feedback|credits?|contribut\w+|acknowledge?ments?"
    r"|thanks|resources|references|useful\s+links|related\s+links|反馈|致谢|贡献|如何|参考|相关链接)",
    re.IGNORECASE,
)
_SENTENCE: Final = re.compile(r"\b(?:is|are|was|were|has|have|remains?)\b|[。，]", re.IGNORECASE)
_NOTHING: Final = re.compile(r"<!--.*?(?:-->|\Z)|[\s\u200b-\u200f\u2060\ufeff]+", re.DOTALL)
_COMMON: Final = Phrases()


def read_roadmap(text: str | None, reader: Reader, phrases: Phrases = _COMMON) -> Roadmap:
    """Read one version of a roadmap; any text is read, None is an empty one.

    `phrases` are what the configuration says that words mean; the document's own legend goes
    before them.
    """
    document = read(text, reader)
    legend = read_legend(document, phrases)
    maker = _Maker(reader, legend.phrases(phrases), legend)
    items = tuple(maker.items(document.blocks))
    # A legend that says what a sign of a box means takes it for a mark, as it is read.
    agreed = any(begins_with_sign(mark) for mark in legend.marks)
    claims = tuple(dict.fromkeys(maker.claims))
    return Roadmap(
        items=items,
        loose=merged(maker.loose),
        link_claims=claims,
        legend=legend,
        cautions=tuple(c for c in document.cautions if not (agreed and c.about is Doubt.BOX_SIGN)),
        empty=_is_empty(text),
    )


def _is_empty(text: str | None) -> bool:
    return not _NOTHING.sub("", text or "")


@dataclass(slots=True)
class _Parts:
    """What is nested in an entry: links of its own, and items below it."""

    lines: list[Entry] = field(default_factory=list)
    items: list[tuple[Entry, Head]] = field(default_factory=list)


@dataclass(slots=True)
class _Maker:
    reader: Reader
    phrases: Phrases
    legend: Legend
    loose: list[Link] = field(default_factory=list)
    claims: list[LinkClaim] = field(default_factory=list)
    sections: dict[int, str] = field(default_factory=dict)

    def items(self, blocks: Sequence[Block]) -> Iterator[Item]:
        """Yield the items of a document that are nested in no other."""
        for at, block in enumerate(blocks):
            match block:
                case Entry():
                    parts = self._parts((block,), nested=False)
                    yield from (self._item(entry, head) for entry, head in parts.items)
                case Heading():
                    yield from self._heading(block, alone=_stands_alone(blocks, at))
                case Paragraph():
                    self._leave_loose(block.prose, weak=block.weak)

    def _heading(self, heading: Heading, *, alone: bool) -> Iterator[Item]:
        if not (heading.prose.links or alone):
            return
        head = split_head(heading.prose, self.phrases)
        if heading.prose.links or head.phrases or head.marks:
            kind, section = EntryKind.BULLET, heading.section
            entry = Entry(kind=kind, line=heading.line, head=heading.prose, section=section)
            yield self._item(entry, head)

    def _leave_loose(self, prose: Prose, *, weak: bool) -> None:
        self.loose += text_links(prose, 0, self.reader, listed=True, weak=weak)
        if not weak:
            self.claims += link_claims(prose, self.phrases)

    def _parts(self, entries: Iterable[Entry], *, nested: bool) -> _Parts:
        """Part entries into link lines and items; what is neither leaves its links loose."""
        parts = _Parts()
        for entry in entries:
            head = split_head(entry.head, self.phrases)
            if nested and is_link_line(entry, head) and not entry.quoted:
                parts.lines.append(entry)
            elif self._is_item(entry):
                parts.items.append((entry, head))
            else:
                for prose in (entry.head, *entry.more, *entry.quotes):
                    self._leave_loose(prose, weak=True)
                below = self._parts(entry.children, nested=nested)
                parts.lines += below.lines
                parts.items += below.items
        return parts

    def _is_item(self, entry: Entry) -> bool:
        if entry.box is not None:
            return True
        says = bool(entry.head.shown.strip() or entry.more) and not only_outside(entry.head)
        plan = not any(_NO_PLAN.match(name.shown) for name in entry.section)
        apart = entry.quoted or is_footnote(entry) or entry.line in self.legend.lines
        return says and plan and not apart

    def _item(self, entry: Entry, head: Head) -> Item:
        parts = self._parts(entry.children, nested=True)
        rows = [cell for _, cell in entry.cells if cell is not entry.head]
        beside = [*entry.more, *rows]
        proses = [entry.head, *beside]
        everything = "\n".join(prose.words for prose in proses)
        columns = column_phrases(entry, self.phrases)
        lines = [phrase for prose in proses for phrase in status_lines(prose, self.phrases)]
        releases = stated_releases(everything)
        return Item(
            title=clean_title(entry.head, head),
            section=self._section(entry),
            line=entry.line,
            claim=claim_of(head, entry.box, entry.head, (*columns, *lines), releases),
            links=merged(self._links(entry, head, beside, parts)),
            link_claims=tuple(dict.fromkeys(self._link_claims(entry, head, beside, parts))),
            undone=tuple(undone_in([*proses, *(line.head for line in parts.lines)])),
            series=series_of(entry.head.shown[: head.description]),
            owners=self._owners(entry, proses),
            flag=head.flag,
            columns=tuple((name, " ".join(cell.shown.split())) for name, cell in entry.cells),
            text=_text([*proses, *(line.head for line in parts.lines)]),
            quoted=entry.quoted,
            children=tuple(self._item(child, its_head) for child, its_head in parts.items),
        )

    def _links(
        self, entry: Entry, head: Head, beside: Sequence[Prose], parts: _Parts
    ) -> Iterator[Link]:
        listed = bool(parts.lines)
        weak = entry.box is Box.MALFORMED
        row = entry.kind is EntryKind.ROW
        yield from text_links(entry.head, head.description, self.reader, listed=listed, weak=weak)
        for prose in beside:
            yield from text_links(prose, 0, self.reader, listed=listed and not row, weak=weak)
        for line in parts.lines:
            yield from line_links(line, self.reader)
        for prose in entry.quotes:
            yield from text_links(prose, 0, self.reader, listed=True, weak=True)

    def _link_claims(
        self, entry: Entry, head: Head, beside: Sequence[Prose], parts: _Parts
    ) -> Iterator[LinkClaim]:
        yield from link_claims(_without_title(entry.head, head), self.phrases)
        for prose in beside:
            yield from link_claims(prose, self.phrases)
        for line in parts.lines:
            # The title of a request is not a statement about it: only what stands behind counts.
            start = main_links(line.head)[0].start
            yield from link_claims(_masked(line.head, 0, start), self.phrases)

    def _owners(self, entry: Entry, proses: Sequence[Prose]) -> tuple[str, ...]:
        named = [name for prose in proses for name in owners_of(prose)]
        return tuple(dict.fromkeys([*named, *column_owners(entry.cells)]))

    def _section(self, entry: Entry) -> tuple[str, ...]:
        return tuple(self._section_name(prose) for prose in entry.section)

    def _section_name(self, prose: Prose) -> str:
        # The same heading stands above many entries.
        if id(prose) not in self.sections:
            self.sections[id(prose)] = clean_heading(prose, self.phrases)
        return self.sections[id(prose)]


def _stands_alone(blocks: Sequence[Block], at: int) -> bool:
    """Tell whether a heading has neither entries nor smaller headings below it."""
    heading = blocks[at]
    for block in blocks[at + 1 :]:
        if isinstance(block, Heading):
            return not (isinstance(heading, Heading) and block.level > heading.level)
        if isinstance(block, Entry):
            return False
    return True


def _without_title(prose: Prose, head: Head) -> Prose:
    """Mask a title: its words name a thing and say nothing of it, unless it is a sentence."""
    # The status behind the title is the item's own, not that of a link in its description.
    for span in head.status:
        if span.start >= head.title.end:
            prose = _masked(prose, span.start, span.end)
    title = prose.words[head.title.start : head.title.end]
    inside = any(span.start < head.title.end for span in head.status)
    if inside or _SENTENCE.search(title):
        return prose
    return _masked(prose, head.title.start, head.title.end)


def _masked(prose: Prose, start: int, end: int) -> Prose:
    words = prose.words[:start] + MASK * (end - start) + prose.words[end:]
    return replace(prose, words=words)


def _text(proses: Iterable[Prose]) -> str:
    return "\n".join(" ".join(prose.shown.split()) for prose in proses if prose.shown.strip())
