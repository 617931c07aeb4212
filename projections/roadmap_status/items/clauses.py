"""Clauses: the parts of a sentence in which the words for a link stand, with all that they hold."""

import re
from bisect import bisect_left
from collections.abc import Iterator, Sequence
from typing import Final

import msgspec
from msgspec.structs import replace

from projections.roadmap_status.reading import LinkSpan, Prose
from projections.roadmap_status.words.dates import StatedDate, find_dates
from projections.roadmap_status.words.phrases import Phrase, Phrases, StatedRelease, find_releases

_CLAUSE_END: Final = re.compile(r"[.!?](?=\s|$)|[;；。！？\n]")
OPENERS: Final = "(（[【"
_CLOSERS: Final = ")）]】"
_MOST_LINKS: Final = 50
"""Links of one clause that are read; no sentence has more, and the cost stays small."""
_LONGEST_CLAUSE: Final = 2000
"""Characters; for the same reason."""
_LOOK_BACK: Final = 160
"""Characters before a link in which its clause tells what it is."""


class Clause(msgspec.Struct, frozen=True):
    """One clause with links, and the status words, brackets, dates and releases in it."""

    start: int
    end: int
    prose: Prose
    links: tuple[LinkSpan, ...]
    phrases: tuple[Phrase, ...]
    groups: tuple[tuple[int, int], ...]
    """Bracketed ranges, inner ones after the outer ones that hold them."""

    dates: tuple[tuple[int, int, StatedDate], ...]
    releases: tuple[tuple[int, int, StatedRelease], ...]
    _around: dict[int, tuple[int, int] | None] = msgspec.field(default_factory=dict)

    def group_of(self, at: int) -> tuple[int, int] | None:
        """Return the innermost brackets around a position."""
        if at not in self._around:
            around = (group for group in reversed(self.groups) if group[0] <= at < group[1])
            self._around[at] = next(around, None)
        return self._around[at]


def clauses(prose: Prose, phrases: Phrases) -> Iterator[Clause]:
    """Yield the clauses of a text that have links and status words, in order."""
    ends = [match.end() for match in _CLAUSE_END.finditer(prose.words)]
    starts = [link.start for link in prose.links]
    begin = 0
    for end in [*ends, len(prose.words)]:
        low = bisect_left(starts, begin)
        links = prose.links[low : min(bisect_left(starts, end), low + _MOST_LINKS)]
        if links:
            read = min(end, begin + _LONGEST_CLAUSE)
            clause = _clause(prose, phrases, begin, read, links)
            if clause.phrases:
                yield clause
        begin = end


def _clause(
    prose: Prose, phrases: Phrases, begin: int, end: int, links: tuple[LinkSpan, ...]
) -> Clause:
    words = prose.words[begin:end]
    spotted = phrases.find(words, prose.shown[begin:end])
    if not spotted:
        return Clause(begin, end, prose, links, (), (), (), ())
    return Clause(
        start=begin,
        end=end,
        prose=prose,
        links=links,
        phrases=_shifted(spotted, begin),
        groups=_groups(prose.words, begin, end),
        dates=tuple((s + begin, e + begin, stated) for s, e, stated in find_dates(words)),
        releases=tuple((s + begin, e + begin, stated) for s, e, stated in find_releases(words)),
    )


def _shifted(spotted: Sequence[Phrase], by: int) -> tuple[Phrase, ...]:
    return tuple(
        replace(phrase, start=phrase.start + by, end=phrase.end + by) for phrase in spotted
    )


def _groups(words: str, begin: int, end: int) -> tuple[tuple[int, int], ...]:
    opened: list[int] = []
    groups: list[tuple[int, int]] = []
    for at in range(begin, end):
        if words[at] in OPENERS:
            opened.append(at)
        elif words[at] in _CLOSERS and opened:
            groups.append((opened.pop(), at + 1))
    return tuple(sorted(groups))


def clause_before(prose: Prose, link: LinkSpan) -> str:
    """Return what the link's clause says before it."""
    begin = max(0, link.start - _LOOK_BACK)
    ends = [match.end() for match in _CLAUSE_END.finditer(prose.words, begin, link.start)]
    return prose.shown[ends[-1] if ends else begin : link.start]
