"""The door: a roadmap's text to a tree, as GitHub would show it.

markdown-it-py finds the blocks; the text of a paragraph is parsed only where it has marks, which
most lists of links have not. Any text is read: what is too long, too deep or too costly is left
out or read as plain text, and the document says so.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

from markdown_it import MarkdownIt
from markdown_it.token import Token

from projections.roadmap_status.reading.blocks import strikes
from projections.roadmap_status.reading.document import Caution, Document, Doubt
from projections.roadmap_status.reading.prose import Prose, all_struck, plain_prose, prose_of
from projections.roadmap_status.reading.references import Reader
from projections.roadmap_status.reading.strikes import strike_tildes
from projections.roadmap_status.reading.walk import Walk

LONGEST_TEXT: Final = 65_536
"""Characters. GitHub refuses a longer body, so what follows them was never a roadmap's."""

MOST_LINES: Final = 6_000
"""A body of so many lines has less than eleven characters in each: it is no roadmap."""

_DEEPEST: Final = 100
_BRACKET_WORK: Final = 4_000_000
"""Each `[` makes the parser look at the rest of its paragraph; this many looks take 0.1 s."""

_EMPTY: Final = Prose()

_MARKED: Final = re.compile(r"[*_~`\[<&\\!]")
_SURROGATES: Final = re.compile(r"[\ud800-\udfff]")


def _parser() -> MarkdownIt:
    parser = MarkdownIt("commonmark", {"html": True, "maxNesting": _DEEPEST})
    parser.enable("table")
    strike_tildes(parser)
    parser.core.ruler.enableOnly(["normalize", "block"])
    return parser


_PARSER: Final = _parser()


@dataclass(slots=True)
class Inline:
    """Reads the text of one paragraph after the other, within a budget of work."""

    reader: Reader
    env: dict[str, Any] = field(default_factory=dict)
    cautions: list[Caution] = field(default_factory=list)
    budget: int = _BRACKET_WORK
    struck: frozenset[int] = frozenset()
    """The lines that raw HTML strikes through."""

    def prose(self, text: str, line: int) -> Prose:
        """Read a paragraph that begins at a line."""
        if not text:
            return _EMPTY
        prose = self._read(text, line)
        return all_struck(prose) if line in self.struck else prose

    def _read(self, text: str, line: int) -> Prose:
        if not _MARKED.search(text):
            return plain_prose(_joined(text), self.reader)
        cost = text.count("[") * len(text)
        if cost > self.budget:
            self.cautions.append(Caution(line, Doubt.TOO_MANY_BRACKETS))
            return plain_prose(_joined(text), self.reader)
        self.budget -= cost
        tokens: list[Token] = []
        _PARSER.inline.parse(text, _PARSER, self.env, tokens)
        return prose_of(tokens, self.reader)


def read(text: str | None, reader: Reader) -> Document:
    """Read a body; None is an empty one."""
    text = _SURROGATES.sub("\ufffd", (text or "").removeprefix("\ufeff"))
    inline = Inline(reader)
    text, whole = _cut(text)
    if not whole:
        inline.cautions.append(Caution(text.count("\n") + 1, Doubt.TOO_LONG))
    tokens = _PARSER.parse(text, inline.env)
    inline.cautions += _too_deep(tokens)
    inline.struck = strikes(_raw_html(tokens))
    walk = Walk(inline)
    for token in tokens:
        walk.take(token)
    cautions = sorted(
        {*inline.cautions, *walk.cautions}, key=lambda caution: (caution.line, caution.about)
    )
    return Document(walk.finish(), tuple(cautions))


def _cut(text: str) -> tuple[str, bool]:
    """Return as much of a text as is read, and whether that is all of it."""
    kept = text
    if len(text) > LONGEST_TEXT:
        # At the end of a line: half a line might say the opposite of the whole one.
        end = text.rfind("\n", 0, LONGEST_TEXT)
        kept = text[: end if end > 0 else LONGEST_TEXT]
    lines = kept.splitlines(keepends=True)
    if len(lines) > MOST_LINES:
        kept = "".join(lines[:MOST_LINES])
    return kept, len(kept) == len(text)


def _joined(text: str) -> str:
    # As the parser does: spaces at the ends of a paragraph's lines are not shown.
    return "\n".join(line.strip(" ") for line in text.split("\n")) if "\n" in text else text


def _raw_html(tokens: Sequence[Token]) -> Iterator[tuple[int, str]]:
    for token in tokens:
        if token.type == "html_block" and token.map is not None:
            yield token.map[0] + 1, token.content


def _too_deep(tokens: Sequence[Token]) -> Iterator[Caution]:
    for token in tokens:
        if token.level >= _DEEPEST - 1 and token.map:
            yield Caution(token.map[0] + 1, Doubt.TOO_DEEP)
            return
