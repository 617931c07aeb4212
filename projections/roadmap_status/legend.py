"""What a roadmap says that its own marks and words mean.

Read from a paragraph, list or table that names itself a legend ("Legend", "Status convention",
图例), as pairs of a mark and words: `✅ shipped · 🚧 = in progress`. A definition in words
(`"delivered on dev" means …`) is kept as text: what it adds is for people.
"""

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Final

from projections.roadmap_status.marks import Marks, bare_mark
from projections.roadmap_status.phrases import Phrases
from projections.roadmap_status.reading import Document, Entry, Heading, Paragraph, Prose
from projections.roadmap_status.states import State

LEGEND_NAME: Final = re.compile(
    r"\W*(?:legend|key|status\s+(?:convention|key|legend|icons?|marks?)|conventions?|markers?"
    r"|图例|状态(?:说明|约定|标记)|标记说明)\b",
    re.IGNORECASE,
)
_MEANS: Final = re.compile(
    r"[\"“”「『`](?P<word>[^\"“”「」『』`\n]{2,60})[\"”」』`][^\"“”.。;；]{0,30}?"
    r"(?:\bmeans?\b|=|表示|意味着)(?P<meaning>[^\n]{0,300})",
    re.IGNORECASE,
)
_FOOTNOTE: Final = re.compile(r"^\W{0,2}(?P<flag>\*+|†|‡)\s*[:：]?\s+(?P<text>\w[^\n]{0,300})", re.M)
_SIGN: Final = re.compile(
    r"(:[a-z0-9_+-]+:|[\u2190-\u21ff\u2300-\u27bf\u2b00-\u2bff\U0001f000-\U0001faff][\ufe0e\ufe0f]?)"
)
_END_OF_MEANING: Final = re.compile(r"[,;|/·•\n，；、。]")


@dataclass(frozen=True, slots=True)
class Legend:
    """The convention of one document."""

    marks: Mapping[str, State] = field(default_factory=dict)
    """A sign that is defined by words that are not known means nothing: State.NONE."""
    definitions: Mapping[str, str] = field(default_factory=dict)
    """Phrases and flags with what the document says that they mean, as written."""

    def phrases(self, configured: Phrases) -> Phrases:
        """Return what marks and words mean here: the document's own goes before the configured."""
        if not self.marks:
            return configured
        marks = Marks({**configured.marks.states, **self.marks})
        return Phrases(configured.words, marks, configured.branches)


def read_legend(document: Document, configured: Phrases) -> Legend:
    """Read the convention of a document; nothing is taken where none is stated."""
    marks: dict[str, State] = {}
    definitions: dict[str, str] = {}
    for prose in _legend_texts(document):
        for sign, meaning in _pairs(prose):
            found = configured.find(meaning)
            marks[sign] = found[0].state if found else State.NONE
        for match in _MEANS.finditer(prose.shown):
            definitions.setdefault(match["word"].strip(), match["meaning"].strip())
    for prose in _paragraphs(document.blocks):
        for match in _FOOTNOTE.finditer(prose.shown):
            definitions.setdefault(match["flag"], match["text"].strip())
    return Legend(marks, definitions)


def is_legend(section: Iterable[Prose]) -> bool:
    """Tell whether a section, by the names of the headings above it, is a legend."""
    return any(LEGEND_NAME.match(name.shown) for name in section)


def _legend_texts(document: Document) -> Iterator[Prose]:
    named = False
    for block in document.blocks:
        match block:
            case Heading():
                named = bool(LEGEND_NAME.match(block.prose.shown))
            case Paragraph():
                named = bool(LEGEND_NAME.match(block.prose.shown)) or is_legend(block.section)
                if named:
                    yield block.prose
            case Entry():
                # A list right below "Legend:" belongs to it.
                if named or is_legend(block.section) or LEGEND_NAME.match(block.head.shown):
                    yield from _texts(block)


def _texts(entry: Entry) -> Iterator[Prose]:
    if entry.cells:
        joined = " ".join(cell.shown for _, cell in entry.cells)
        yield Prose(joined, joined)
    else:
        yield entry.head
    for child in entry.children:
        yield child.head


def _paragraphs(blocks: Iterable[object]) -> Iterator[Prose]:
    for block in blocks:
        if isinstance(block, Paragraph) and not block.weak:
            yield block.prose


def _pairs(prose: Prose) -> Iterator[tuple[str, str]]:
    """Yield each sign with the words behind it, up to the next sign or mark of an end."""
    found = list(_SIGN.finditer(prose.shown))
    for at, match in enumerate(found):
        until = found[at + 1].start() if at + 1 < len(found) else len(prose.shown)
        meaning = prose.shown[match.end() : until].lstrip(" \t=:：—–-")
        end = _END_OF_MEANING.search(meaning)
        yield bare_mark(match[1]), meaning[: end.start() if end else 80].strip()
