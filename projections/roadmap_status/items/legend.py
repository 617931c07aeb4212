"""What a roadmap says that its own marks and words mean.

Read from a paragraph, list or table that names itself a legend ("Legend", "Status convention",
图例), as pairs of a mark and words: `✅ shipped · 🚧 = in progress`. A definition in words
(`"delivered on dev" means …`) is kept as text: what it adds is for people.
"""

import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Final

import msgspec

from projections.roadmap_status.reading import Document, Entry, Heading, Paragraph, Prose
from projections.roadmap_status.words.phrases import Phrases
from projections.roadmap_status.words.states import Marks, State, bare_mark

LEGEND_NAME: Final = re.compile(
    r"\W*(?:legend|key|status\s++(?:convention|key|legend|icons?|marks?)|conventions?|markers?"
    r"|图例|状态(?:说明|约定|标记)|标记说明)\b",
    re.IGNORECASE,
)
_QUOTED: Final = re.compile(r"[\"“「『`]([^\"“”「」『』`\n]{2,60})[\"”」』`]")
_MEANS: Final = re.compile(
    r"(?P<words>(?:[\"“「『`][^\"“”「」『』`\n]{2,60}[\"”」』`]\s*+(?:,|，|、|/|or|and|或|和)?\s*+){1,8})"
    r"(?:\bmeans?\b|=|表示|意味着)(?P<meaning>[^\n]{0,300})",
    re.IGNORECASE,
)
_FOOTNOTE: Final = re.compile(
    r"^\W{0,2}(?P<flag>\*+|†|‡)\s*+[:：]?\s++(?P<text>\w[^\n]{0,300})", re.M
)
_UNNAMED: Final = re.compile(r"\s*+[:：](?:\s|$)")
_SIGN: Final = re.compile(
    r"(:[a-z0-9_+-]+:|[\u2190-\u21ff\u2300-\u27bf\u2b00-\u2bff\U0001f000-\U0001faff][\ufe0e\ufe0f]?)"
)
_END_OF_MEANING: Final = re.compile(r"[,;|/·•\n，；、。]")


class Legend(msgspec.Struct, frozen=True):
    """The convention of one document."""

    marks: Mapping[str, State] = msgspec.field(default_factory=dict)
    """A sign that is defined by words that are not known means nothing: State.NONE."""
    definitions: Mapping[str, str] = msgspec.field(default_factory=dict)
    """Phrases and flags with what the document says that they mean, as written."""
    lines: frozenset[int] = frozenset()
    """Of the list entries and rows that state it: they are no items."""

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
    lines: set[int] = set()
    for prose, line in _legend_texts(document):
        lines.add(line)
        for sign, meaning in _pairs(prose):
            meanings = configured.find(meaning)
            marks[sign] = meanings[0].state if meanings else State.NONE
        for match in _MEANS.finditer(prose.shown):
            for word in _QUOTED.findall(match["words"]):
                definitions.setdefault(word.strip(), match["meaning"].strip())
    for block in document.blocks:
        if isinstance(block, Paragraph) and not block.weak:
            for match in _FOOTNOTE.finditer(block.prose.shown):
                definitions.setdefault(match["flag"], match["text"].strip())
        elif isinstance(block, Entry) and is_footnote(block):
            definitions.setdefault("*", block.head.shown.strip(" :："))
    return Legend(marks, definitions, frozenset(lines - {0}))


def is_footnote(entry: Entry) -> bool:
    """Tell whether a bullet is none: `* : …` explains the star."""
    return bool(_UNNAMED.match(entry.head.shown))


def is_legend(section: Iterable[Prose]) -> bool:
    """Tell whether a section, by the names of the headings above it, is a legend."""
    return any(LEGEND_NAME.match(name.shown) for name in section)


def _legend_texts(document: Document) -> Iterator[tuple[Prose, int]]:
    """Yield the texts of a legend; with the line of their entry, where they stand in one."""
    named = False
    for block in document.blocks:
        match block:
            case Heading():
                named = bool(LEGEND_NAME.match(block.prose.shown))
            case Paragraph():
                legend = bool(LEGEND_NAME.match(block.prose.shown))
                if legend or is_legend(block.section):
                    yield block.prose, 0
                # A list right below "Legend:" belongs to it, unless all is said before.
                named = legend and not _SIGN.search(block.prose.shown)
            case Entry():
                if named or is_legend(block.section) or LEGEND_NAME.match(block.head.shown):
                    yield from ((prose, block.line) for prose in _texts(block))


def _texts(entry: Entry) -> Iterator[Prose]:
    if entry.cells:
        joined = " ".join(cell.shown for _, cell in entry.cells)
        yield Prose(joined, joined)
    else:
        yield entry.head
    for child in entry.children:
        yield child.head


def _pairs(prose: Prose) -> Iterator[tuple[str, str]]:
    """Yield each sign with the words behind it, up to the next sign or mark of an end."""
    signs = list(_SIGN.finditer(prose.shown))
    for at, match in enumerate(signs):
        until = signs[at + 1].start() if at + 1 < len(signs) else len(prose.shown)
        meaning = prose.shown[match.end() : until].lstrip(" \t=:：—–-")
        end = _END_OF_MEANING.search(meaning)
        yield bare_mark(match[1]), meaning[: end.start() if end else 80].strip()
