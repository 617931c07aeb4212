"""What encloses a line: headings, collapsed blocks, and the raw HTML that begins and ends them.

Of raw HTML collapsed blocks are followed; the rest is weak text at most.
"""

import re
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Final

import msgspec

from projections.roadmap_status.reading.prose import Prose, plain_prose
from projections.roadmap_status.reading.references import Reader

_COMMENT: Final = re.compile(r"<!--.*?(?:-->|\Z)", re.S)
_CODE: Final = re.compile(r"<(pre|code|script|style)\b.*?(?:</\1\s*>|\Z)", re.S | re.I)
_DETAILS: Final = re.compile(r"<(/?)details\b[^>]*>", re.I)
_SUMMARY: Final = re.compile(r"<summary\b[^>]*>(.*?)(?:</summary\s*>|\Z)", re.S | re.I)
_TAG: Final = re.compile(r"</?[a-zA-Z][^<>]*>")
_STRIKE: Final = re.compile(r"<(/?)(?:del|s|strike)(?:\s[^<>]*)?>", re.I)


class RawHtml(msgspec.Struct, frozen=True):
    """What a block of raw HTML means for the Markdown around it."""

    text: str
    """As shown: without tags, comments and code."""
    details: tuple[tuple[bool, str], ...]
    """(begins?, summary) of each collapsed block's tag, in order."""
    summary: str
    """A summary that stands apart from its block's tag."""

    def prose(self, reader: Reader) -> Prose:
        """Read the links in the text; GitHub makes them in raw HTML too."""
        return plain_prose(self.text, reader)


def read_html(content: str) -> RawHtml:
    """Read one block of raw HTML."""
    content = _CODE.sub("", _COMMENT.sub("", content))
    tags = list(_DETAILS.finditer(content))
    details = []
    for at, tag in enumerate(tags):
        end = tags[at + 1].start() if at + 1 < len(tags) else len(content)
        details.append((not tag[1], "" if tag[1] else _summary(content[tag.end() : end])))
    apart = "" if tags else _summary(content)
    text = _TAG.sub(" ", _SUMMARY.sub("", content))
    return RawHtml(text, tuple(details), apart)


def strikes(blocks: Iterable[tuple[int, str]]) -> frozenset[int]:
    """Return the lines between raw HTML that begins to strike and raw HTML that ends it.

    `blocks` are (line, content). What is never ended strikes nothing.
    """
    opened: list[int] = []
    struck: list[tuple[int, int]] = []
    for line, content in blocks:
        for tag in _STRIKE.finditer(_CODE.sub("", _COMMENT.sub("", content))):
            if not tag[1]:
                opened.append(line)
            elif opened:
                struck.append((opened.pop(), line))
    lines: set[int] = set()
    done = 0
    for begin, end in sorted(struck):
        lines.update(range(max(begin, done), end))
        done = max(done, end)
    return frozenset(lines)


def _summary(content: str) -> str:
    match = _SUMMARY.search(content)
    return " ".join(_TAG.sub(" ", match[1]).split()) if match else ""


BOLD_LEVEL: Final = 7
"""Of a paragraph all in bold, below every heading."""

_DETAILS_LEVEL: Final = 0


@dataclass(slots=True)
class Sections:
    """The open headings; headings inside a collapsed block end with it."""

    opened: list[tuple[int, Prose]] = field(default_factory=list)

    def path(self) -> tuple[Prose, ...]:
        """Return the names that a line stands under, outermost first."""
        return tuple(name for _, name in self.opened if name.shown.strip())

    def above(self, level: int) -> tuple[Prose, ...]:
        """Return what a heading of this level would stand under."""
        kept = self.opened[: self._kept(level)]
        return tuple(name for _, name in kept if name.shown.strip())

    def enter(self, level: int, name: Prose) -> None:
        """Begin the section of a heading."""
        del self.opened[self._kept(level) :]
        self.opened.append((level, name))

    def enter_details(self, name: str) -> None:
        """Begin a collapsed block."""
        self.opened.append((_DETAILS_LEVEL, Prose(name, name)))

    def name_details(self, name: str) -> None:
        """Take the summary of a collapsed block that begins apart from it."""
        for at in range(len(self.opened) - 1, -1, -1):
            level, known = self.opened[at]
            if level == _DETAILS_LEVEL:
                if not known.shown:
                    self.opened[at] = (_DETAILS_LEVEL, Prose(name, name))
                return

    def leave_details(self) -> None:
        """End the innermost collapsed block, and the headings in it; none open: do nothing."""
        for at in range(len(self.opened) - 1, -1, -1):
            if self.opened[at][0] == _DETAILS_LEVEL:
                del self.opened[at:]
                return

    def _kept(self, level: int) -> int:
        kept = len(self.opened)
        while kept and self.opened[kept - 1][0] >= level:
            kept -= 1
        return kept
