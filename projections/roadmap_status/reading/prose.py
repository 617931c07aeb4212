"""The text of one paragraph, heading or cell as it is shown, and what stands where in it.

Code, struck words and links keep their place but count as no status words; escaped characters,
entities, code and the labels of links make no links.
"""

import re
from bisect import bisect_right
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final, NamedTuple

import msgspec
from markdown_it.token import Token
from msgspec.structs import replace

from projections.roadmap_status.reading.references import Reader, Reference

MASK: Final = "\ufffc"
"""Stands for each character that is not to be read as a word."""

_HIDDEN: Final = re.compile(r"[\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff]")
_TAG: Final = re.compile(r"<(/?)\s*([a-zA-Z]+)")
_STYLES: Final[Mapping[str, str]] = {
    **dict.fromkeys(("s", "del", "strike"), "s"),
    **dict.fromkeys(("strong", "b"), "strong"),
    **dict.fromkeys(("code", "pre", "kbd"), "code"),
}


class Span(NamedTuple):
    """A half-open range of characters."""

    start: int
    end: int


class LinkSpan(msgspec.Struct, frozen=True):
    """A link to a request or an issue, and where it stands."""

    start: int
    end: int
    reference: Reference
    struck: bool = False


class Prose(msgspec.Struct, frozen=True):
    """Text as shown, lines parted by a newline."""

    shown: str = ""
    words: str = ""
    """Of the same length: code, struck text and links are masked."""
    links: tuple[LinkSpan, ...] = ()
    outside: tuple[Span, ...] = ()
    """Links to anything else."""
    strong: tuple[Span, ...] = ()
    struck: tuple[Span, ...] = ()


@dataclass(slots=True)
class _Writer:
    """Collects the pieces of one paragraph."""

    reader: Reader
    shown: list[str] = field(default_factory=list)
    words: list[str] = field(default_factory=list)
    scan: list[str] = field(default_factory=list)
    length: int = 0
    depth: dict[str, int] = field(default_factory=lambda: {"s": 0, "strong": 0, "code": 0})
    since: dict[str, int] = field(default_factory=dict)
    spans: dict[str, list[Span]] = field(default_factory=lambda: {"s": [], "strong": []})
    links: list[LinkSpan] = field(default_factory=list)
    outside: list[Span] = field(default_factory=list)
    href: str | None = None
    href_start: int = 0

    def write(self, text: str, *, linkable: bool = True, code: bool = False) -> None:
        text = _HIDDEN.sub("", text)
        mask = MASK * len(text)
        code = code or self.depth["code"] > 0
        self.shown.append(text)
        self.words.append(mask if code or self.depth["s"] else text)
        self.scan.append(text if linkable and not code and self.href is None else mask)
        self.length += len(text)

    def style(self, name: str, opened: bool) -> None:
        before = self.depth[name]
        self.depth[name] = max(0, before + (1 if opened else -1))
        if opened and not before:
            self.since[name] = self.length
        elif before == 1 and not opened and name in self.spans:
            self.spans[name].append(Span(self.since[name], self.length))

    def link(self, href: str) -> None:
        self.href, self.href_start = href, self.length

    def end_link(self) -> None:
        target = self.reader.address(self.href or "")
        if target is None:
            self.outside.append(Span(self.href_start, self.length))
        else:
            struck = self.depth["s"] > 0
            self.links.append(LinkSpan(self.href_start, self.length, target, struck))
        self.href = None

    def finish(self) -> Prose:
        for name in self.spans:
            while self.depth[name]:
                self.style(name, opened=False)
        struck = self.spans["s"]
        links = [
            LinkSpan(start, end, target, _within(start, struck))
            for start, end, target in self.reader.find("".join(self.scan))
        ]
        links = sorted([*links, *self.links], key=lambda link: (link.start, link.end))
        text = "".join(self.shown)
        words = _masked("".join(self.words), links)
        strong = tuple(self.spans["strong"])
        return Prose(text, words, tuple(links), tuple(self.outside), strong, tuple(struck))


def prose_of(tokens: Sequence[Token], reader: Reader) -> Prose:
    """Read the inline tokens of one paragraph."""
    writer = _Writer(reader)
    for token in tokens:
        _take(writer, token)
    return writer.finish()


def all_struck(prose: Prose) -> Prose:
    """Return a text as it stands inside of something that is struck through."""
    return replace(
        prose,
        words=MASK * len(prose.words),
        links=tuple(replace(link, struck=True) for link in prose.links),
        struck=(Span(0, len(prose.shown)),),
    )


def plain_prose(text: str, reader: Reader) -> Prose:
    """Read a text that holds no Markdown."""
    if not text.isascii():
        text = _HIDDEN.sub("", text)
    links = [LinkSpan(start, end, target) for start, end, target in reader.find(text)]
    return Prose(text, _masked(text, links), tuple(links))


def _take(writer: _Writer, token: Token) -> None:
    match token.type:
        case "text":
            writer.write(token.content)
        case "text_special":
            writer.write(token.content, linkable=False)
        case "code_inline":
            writer.write(token.content, code=True)
        case "softbreak" | "hardbreak":
            writer.write("\n")
        case "link_open":
            writer.link(str(token.attrs.get("href", "")))
        case "link_close":
            writer.end_link()
        case "s_open" | "s_close" | "strong_open" | "strong_close":
            name, _, end = token.type.partition("_")
            writer.style(name, opened=end == "open")
        case "html_inline":
            _take_tag(writer, token.content)


def _take_tag(writer: _Writer, content: str) -> None:
    match = _TAG.match(content)
    if not match:
        return
    name = match[2].lower()
    if name == "br":
        writer.write("\n")
    elif name in _STYLES:
        writer.style(_STYLES[name], opened=not match[1])


def _within(start: int, spans: Sequence[Span]) -> bool:
    at = bisect_right(spans, start, key=lambda span: span.start) - 1
    return at >= 0 and start < spans[at].end


def _masked(text: str, links: Sequence[LinkSpan]) -> str:
    if not links:
        return text
    pieces, done = [], 0
    for link in links:
        pieces += [text[done : link.start], MASK * (link.end - max(done, link.start))]
        done = max(done, link.end)
    return "".join([*pieces, text[done:]])
