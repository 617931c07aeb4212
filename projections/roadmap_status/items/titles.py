"""Titles without their ornaments, and what ornaments say: series marks and owners."""

import re
from collections.abc import Iterable, Iterator
from typing import Final

import msgspec

from projections.roadmap_status.items.heads import Head
from projections.roadmap_status.items.tidying import GAP, is_quiet, tidied
from projections.roadmap_status.reading import Prose, Span
from projections.roadmap_status.words.phrases import Phrases

_SERIES: Final = re.compile(
    r"[\[(（]\s*+(?:part\s*+)?(?P<at1>[0-9]{1,3})\s*+(?:/|\bof\b)\s*+(?P<all1>[0-9]{1,3}|[Nn?xX])"
    r"(?:\s++of\s++#(?P<of>[0-9]{1,10}))?\s*+[\])）]"
    r"|\bpart\s*+\(?\s*+(?P<at2>[0-9]{1,3})(?:\s*+(?:/|\bof\b)\s*+(?P<all2>[0-9]{1,3}|[Nn?xX]))?\s*+\)?"
    r"|第\s*+(?P<at3>[0-9]{1,3})\s*+部分(?:\s*+[/／]?\s*+共\s*+(?P<all3>[0-9]{1,3})\s*+部分)?",
    re.IGNORECASE,
)
_OWNER: Final = re.compile(
    r"(?<![A-Za-z0-9_/.`@])@([A-Za-z0-9](?:-?[A-Za-z0-9]){0,38}(?:/[A-Za-z0-9_.-]{1,100})?)"
    r"(?![A-Za-z0-9_@-])(?!\.[A-Za-z])"
)
_OWNER_COLUMN: Final = re.compile(
    r"\s*+(?:owners?|assignees?|dri|poc|lead|负责人|责任人)\s*+", re.IGNORECASE
)
_REFERENCE: Final = re.compile(r"#[0-9]|://|^GH-[0-9]", re.IGNORECASE)
_WORD_NEXT: Final = re.compile(r"[ \t]*+\w")
_SPACES: Final = re.compile(r"\s++")
_EDGE: Final = " \t\n—–-:：,，、;；|·→*"


class Series(msgspec.Struct, frozen=True):
    """The place of a part in a series: "2/5", "Part 1/N"."""

    part: int
    total: int | None = None
    """None where the text does not say, or says N."""
    of: int | None = None
    """The number of the request that was split, if said."""


def series_of(text: str) -> Series | None:
    """Return the first series mark of a text."""
    match = _SERIES.search(text)
    if not match:
        return None
    part = match["at1"] or match["at2"] or match["at3"]
    total = match["all1"] or match["all2"] or match["all3"] or ""
    of = int(match["of"]) if match["of"] else None
    return Series(int(part), int(total) if total.isdigit() else None, of)


def owners_of(prose: Prose) -> tuple[str, ...]:
    """Return the accounts that a text names with `@`, each once; code names none."""
    if "@" not in prose.words:
        return ()
    return tuple(dict.fromkeys(match[1] for match in _OWNER.finditer(prose.words)))


def column_owners(cells: Iterable[tuple[str, Prose]]) -> Iterator[str]:
    """Yield the accounts in the columns that are named for owners, with or without `@`."""
    for header, cell in cells:
        if _OWNER_COLUMN.fullmatch(header):
            for name in re.split(r"[,;，、\s]+", cell.words):
                if re.fullmatch(r"@?[A-Za-z0-9](?:-?[A-Za-z0-9]){0,38}", name):
                    yield name.removeprefix("@")


def clean_title(prose: Prose, head: Head) -> str:
    """Return a title without links' numbers, status, marks, series and owners.

    Where nothing else is there, the title is what the line shows: `#12`.
    """
    cuts = [*head.status, *(Span(mark.start, mark.end) for mark in head.marks)]
    title = _clean(_without(prose.shown, head.title, cuts, _gaps(prose)))
    if any(char.isalnum() for char in title) and not (prose.links and is_quiet(title)):
        return title
    labels = [prose.shown[link.start : link.end] for link in prose.links]
    return _spaced(_without(prose.shown, head.title, list(head.status))) or " ".join(labels[:1])


def clean_heading(prose: Prose, phrases: Phrases) -> str:
    """Return the name of a section without links, marks and a status in brackets."""
    cuts = [Span(mark.start, mark.end) for mark in phrases.marks.find(prose.words)]
    groups = re.finditer(r"\(([^()]*)\)|（([^（）]*)）", prose.words)
    cuts += [Span(*match.span()) for match in groups if phrases.find(match[0])]
    whole = Span(0, len(prose.shown))
    return _clean(_without(prose.shown, whole, cuts, _gaps(prose))) or _spaced(prose.shown)


def _gaps(prose: Prose) -> list[Span]:
    """Return the links that a title goes without: all but those whose own words are in a sentence
    of it ("Support [fused kernels](…) on Hopper").
    """
    gaps = []
    for link in prose.links:
        label = prose.shown[link.start : link.end]
        within = _WORD_NEXT.match(prose.shown, link.end) and not _REFERENCE.search(label)
        if not within or is_quiet(label):
            gaps.append(Span(link.start, link.end))
    return gaps


def _without(text: str, within: Span, cuts: Iterable[Span], gaps: Iterable[Span] = ()) -> str:
    """Return a part of a text without some spans; links and owners leave a gap."""
    pieces, done = [], within.start
    marked = [*((cut, " ") for cut in cuts), *((gap, f" {GAP} ") for gap in gaps)]
    for cut, instead in sorted(marked):
        if cut.start >= within.end or cut.end <= done:
            continue
        pieces += [text[done : max(done, cut.start)], instead]
        done = cut.end
    return "".join([*pieces, text[done : within.end]] if done < within.end else pieces)


def _clean(text: str) -> str:
    return tidied(_OWNER.sub(GAP, _SERIES.sub(" ", text)))


def led_title(text: str) -> str:
    """Return the words before a link as its title, without those that only lead to it."""
    return tidied(f"{_OWNER.sub(GAP, text)} {GAP}")


def _spaced(text: str) -> str:
    return _SPACES.sub(" ", text.replace("\ufe0f", "")).strip(_EDGE)
