"""Reading a text section by section, so that what two editions share is read once.

Headings of the outermost level below the title close everything that stands before them, so what
follows each is read alone, with the title above it. A text in which a section may reach beyond its
end (code fences, raw HTML, definitions of links), or whose legend gives marks another meaning, is
read as a whole. The result is the same; a test compares them.
"""

import re
from collections.abc import Callable, Sequence
from typing import Final

from msgspec.structs import replace

from projections.roadmap_status.items.item import Item, Roadmap
from projections.roadmap_status.items.legend import Legend
from projections.roadmap_status.items.links import merged
from projections.roadmap_status.reading import LONGEST_TEXT

Read = Callable[[str], Roadmap]

#: What may reach from one section into another: fences, HTML, definitions, setext underlines,
#: carriage returns and indented code are few in roadmaps, so nothing finer is tried.
_REACHING: Final = re.compile(r"```|~~~|<|^ {0,3}\[[^\]\n]+\]:|^ {0,3}(?:=+|-+)\s*+$|\r", re.M)
_SECTION: Final = re.compile(r"^##(?!#)[ \t]", re.M)
_TITLE: Final = re.compile(r"^#(?!#)[ \t]", re.M)
_PLAIN_TITLE: Final = re.compile(r"#[ \t]++[^#\n`]*\Z")
_STOP: Final = "\n\n## .\n\n* .\n"
"""Stands for what follows the title, so that it is not taken to stand alone."""


def read_piecewise(text: str, read: Read) -> Roadmap:
    """Read a text; `read` reads a whole one, and is expected to remember what it has read."""
    pieces = _pieces(text)
    if pieces is None:
        return read(text)
    head, title, sections = pieces
    first = read(head + _STOP)
    parts = [_without_stop(first)]
    if first.legend.marks:
        return read(text)
    for line, section in sections:
        part = read(f"{title}\n\n{section}")
        if part.legend.marks:
            return read(text)
        parts.append(_shifted(part, line - 2))
    return _joined(parts)


def _pieces(text: str) -> tuple[str, str, list[tuple[int, str]]] | None:
    """Return what stands before the sections, the title, and (lines before, text) of each."""
    if len(text) > LONGEST_TEXT or _REACHING.search(text):
        return None
    starts = [match.start() for match in _SECTION.finditer(text)]
    titles = [match.start() for match in _TITLE.finditer(text)]
    if not starts or len(titles) > 1 or (titles and titles[0] > starts[0]):
        return None
    head = text[: starts[0]]
    title = head[titles[0] :].partition("\n")[0] if titles else ""
    if titles and not _PLAIN_TITLE.fullmatch(title):
        return None
    ends = [*starts[1:], len(text)]
    sections = [
        (text.count("\n", 0, start), text[start:end])
        for start, end in zip(starts, ends, strict=True)
    ]
    return head, title, sections


def _without_stop(part: Roadmap) -> Roadmap:
    return replace(part, items=part.items[:-1])


def _shifted(part: Roadmap, lines: int) -> Roadmap:
    cautions = tuple(replace(caution, line=caution.line + lines) for caution in part.cautions)
    items = tuple(_moved(item, lines) for item in part.items)
    return replace(part, items=items, cautions=cautions)


def _moved(item: Item, lines: int) -> Item:
    children = tuple(_moved(child, lines) for child in item.children)
    return replace(item, line=item.line + lines, children=children)


def _joined(parts: Sequence[Roadmap]) -> Roadmap:
    definitions: dict[str, str] = {}
    for part in parts:
        for word, meaning in part.legend.definitions.items():
            definitions.setdefault(word, meaning)
    return Roadmap(
        items=tuple(item for part in parts for item in part.items),
        loose=merged(link for part in parts for link in part.loose),
        link_claims=tuple(dict.fromkeys(claim for part in parts for claim in part.link_claims)),
        legend=Legend({}, definitions),
        cautions=tuple(caution for part in parts for caution in part.cautions),
    )
