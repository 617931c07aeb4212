"""The first line of an item: where its title ends, and where its status stands.

`Title — delivered on dev - what it is`: parts are set off by dashes, a Chinese colon, or bold type.
A part is a status only if it says little else; a sentence that holds a status word is none. So is
a status: a group in brackets, the end of a line without other parts, and any mark.
"""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import Final

import msgspec

from projections.roadmap_status.reading import Prose, Span
from projections.roadmap_status.reading.prose import MASK
from projections.roadmap_status.words.phrases import Phrase, Phrases, find_releases
from projections.roadmap_status.words.states import Mark

_PART: Final = re.compile(r"(?<!\s)(?:\s++(?:—|–|-{1,3}|→|=>)\s++|\s*+(?:——|：)\s*+)")
_EDGE: Final = " \t\n—–-:：,，、;；.。·|→=>*"
_GROUP: Final = re.compile(r"\(([^()]*)\)|\[([^\[\]]*)\]|（([^（）]*)）|【([^【】]*)】")
_FLAG: Final = re.compile(r"\s*+(\*+|†|‡)\s++(?=\S)")
_END_FLAG: Final = re.compile(r"((?<!\*)\*++|†|‡)\s*+$")
_LEADING: Final = re.compile(
    r"\s*+(?:(?:status|状态)\s*+[:：])?\s*+(?:[A-Za-z][A-Za-z -]{1,20}|[一-鿿]{2,6})\s*+[:：]\s*+",
    re.I,
)
_LINE_STATUS: Final = re.compile(
    r"^\W*(?:status|state|progress|状态|进度|进展)\W*[:：]\W*(?P<rest>.+)$", re.I
)
_SENTENCE_END: Final = re.compile(r"[.!?](?=\s)|[。！？]")
_COPULA: Final = re.compile(r"\b(?:is|are|was|were|has|have|will|can|remains?)\b", re.I)
_WORD: Final = re.compile(r"[A-Za-z0-9][\w.+-]*|[一-鿿]{2,}")
_LONGEST_STATUS: Final = 120
_LONGEST_LINE: Final = 2000
"""Characters of a first line in which a status is looked for."""


class Head(msgspec.Struct, frozen=True):
    """A first line taken apart; positions are those of its prose."""

    title: Span
    description: int
    """Where the description begins."""
    phrases: tuple[Phrase, ...]
    """The status words in places of status, in order."""
    status: tuple[Span, ...]
    """These places, to be left out of the title."""
    marks: tuple[Mark, ...]
    flag: str = ""
    """A mark of the document's own that the title carries, as `*`."""


@dataclass(slots=True)
class _Line:
    """The line at work."""

    prose: Prose
    phrases: Phrases
    words: str
    start: int = 0
    flag: str = ""
    spotted: dict[Span, tuple[Phrase, ...]] = field(default_factory=dict)

    def find(self, span: Span) -> tuple[Phrase, ...]:
        """Return the phrases in a part; a part that is a status is looked at twice."""
        if span not in self.spotted:
            within = slice(*span)
            self.spotted[span] = self.phrases.find(self.words[within], self.prose.shown[within])
        return self.spotted[span]


def split_head(prose: Prose, phrases: Phrases) -> Head:
    """Take the first line of an item apart."""
    end = prose.words.find("\n")
    line = _Line(prose, phrases, prose.words[: end if end >= 0 else len(prose.words)])
    line.words = line.words[:_LONGEST_LINE]
    _take_flag(line)
    title, rest = _title(line)
    places = list(_apart(_places(line, title, rest)))
    status_phrases = [phrase for span in places for phrase in line.find(span)]
    description = _description(line, rest, places)
    marks = _marks(line, description)
    return Head(title, description, tuple(status_phrases), tuple(places), marks, line.flag)


def status_lines(prose: Prose, phrases: Phrases) -> Iterator[Phrase]:
    """Yield the phrases of lines such as `Status: in progress`."""
    if ":" not in prose.words and "：" not in prose.words:
        return
    done = 0
    for words in prose.words.split("\n"):
        match = _LINE_STATUS.match(words[:_LONGEST_STATUS])
        if match:
            span = Span(done + match.start("rest"), done + len(words[:_LONGEST_STATUS]))
            yield from phrases.find(prose.words[slice(*span)], prose.shown[slice(*span)])
        done += len(words) + 1


def _take_flag(line: _Line) -> None:
    match = _FLAG.match(line.words)
    if match:
        line.start, line.flag = match.end(), match[1]


def _title(line: _Line) -> tuple[Span, int]:
    """Return the title, and where what follows it begins."""
    bold = next((span for span in line.prose.strong if span.end <= len(line.words)), None)
    if bold and not line.words[line.start : bold.start].strip(_EDGE + MASK + "✅☑✔🚧📋❌🚀\ufe0f"):
        return _flagged(line, bold), bold.end
    part = next(_parts(line, line.start), None)
    if part is None:
        return _flagged(line, Span(line.start, len(line.words))), len(line.words)
    return _flagged(line, Span(line.start, part.start)), part.end


def _flagged(line: _Line, title: Span) -> Span:
    match = _END_FLAG.search(line.words[title.start : title.end])
    if match and match.start():
        line.flag = line.flag or match[1]
        return Span(title.start, title.start + match.start())
    return title


def _parts(line: _Line, start: int) -> Iterator[Span]:
    """Yield what parts the line, outside of brackets."""
    depth, at = 0, start
    for match in _PART.finditer(line.words, start):
        between = line.words[at : match.start()]
        depth += sum(map(between.count, "([（")) - sum(map(between.count, ")]）"))
        at = match.end()
        if depth <= 0 and match.start() > start:
            yield Span(match.start(), match.end())


def _places(line: _Line, title: Span, rest: int) -> Iterator[Span]:
    """Yield where a status stands."""
    for match in _GROUP.finditer(line.words, title.start, title.end):
        if _is_status(line, Span(match.start() + 1, match.end() - 1), spare=2):
            yield Span(match.start(), match.end())
    if rest >= len(line.words):
        yield from _ends_of(line, title)
        return
    yield from _around_title(line, title)
    following = line.words[rest:]
    begin = rest + len(following) - len(following.lstrip(_EDGE))
    group = _GROUP.match(line.words, begin)
    if group and _is_status(line, Span(begin + 1, group.end() - 1), spare=2):
        yield Span(begin, group.end())
        begin = group.end()
        begin += len(line.words[begin:]) - len(line.words[begin:].lstrip(_EDGE))
    first = next(_parts(line, begin), Span(len(line.words), len(line.words)))
    if _is_status(line, candidate := _sentence(line, Span(begin, first.start)), spare=3):
        yield candidate
    last = [part.end for part in _parts(line, begin)][-1:]
    if last and _is_status(line, tail := Span(last[0], len(line.words)), spare=0):
        yield tail


def _apart(spans: Iterable[Span]) -> Iterator[Span]:
    done: list[Span] = []
    for span in spans:
        if not any(span.start < earlier.end and earlier.start < span.end for earlier in done):
            done.append(span)
            yield span


def _around_title(line: _Line, title: Span) -> Iterator[Span]:
    """A title that is itself a status: `Done - x`, `WIP: x` before bold type."""
    if _is_status(line, title, spare=0):
        yield title


def _ends_of(line: _Line, title: Span) -> Iterator[Span]:
    """A line without parts: its status is all of it, its beginning before a colon, or its end."""
    leading = _LEADING.match(line.words, title.start, title.end)
    if leading and _is_status(line, span := Span(leading.start(), leading.end()), spare=0):
        yield span
        return
    endings = line.phrases.find(line.words[: title.end], line.prose.shown[: title.end])
    if not endings:
        return
    last = endings[-1]
    if _bracketed(line, last):
        return
    if not _plain(line.words[last.end : title.end]):
        yield Span(last.start, title.end)
    elif not _plain(line.words[title.start : endings[0].start]) and _followed_by_end(
        line, endings[0]
    ):
        yield Span(title.start, endings[0].end)


def _bracketed(line: _Line, phrase: Phrase) -> bool:
    # A note in brackets is about the link before it, unless it is a status and nothing else.
    return any(m.start() < phrase.start < m.end() for m in _GROUP.finditer(line.words))


def _followed_by_end(line: _Line, phrase: Phrase) -> bool:
    return line.words[phrase.end : phrase.end + 1] in ("", MASK, ",", "，", ";")


def _sentence(line: _Line, span: Span) -> Span:
    end = _SENTENCE_END.search(line.words, span.start, span.end)
    return Span(span.start, end.start() if end else span.end)


def _is_status(line: _Line, span: Span, *, spare: int) -> bool:
    """Tell whether a part is a status: with at most so many words beside the status words."""
    if span.end <= span.start or span.end - span.start > _LONGEST_STATUS:
        return False
    words = line.words[slice(*span)]
    phrases = line.find(span)
    if not phrases:
        return _only_release(words)
    before = words[: phrases[0].start]
    if MASK in before or (_plain(before) and _COPULA.search(words)):
        return False  # "the port (#1) remains open", "it was reverted": a sentence
    left = _rest(words, phrases)
    return len(_WORD.findall(left)) <= spare and not _COPULA.search(left)


def _only_release(words: str) -> bool:
    releases = list(find_releases(words))
    return bool(releases) and not _plain(words[: releases[0][0]] + words[releases[-1][1] :])


def _rest(words: str, phrases: tuple[Phrase, ...]) -> str:
    pieces, done = [], 0
    for phrase in phrases:
        pieces.append(words[done : phrase.start])
        done = phrase.end
        if phrase.date is not None or phrase is phrases[-1]:
            # What follows the words is their date, release or branch: it says nothing else.
            done = max(done, _end_of_addition(words, done))
    return " ".join([*pieces, words[done:]])


_ADDITION: Final = re.compile(
    r"(?:\s*+,?\s*+(?:on|in|since|at|of|for|by|as of|~)?\s*+"
    r"(?:20\d\d[-/.]\d{1,2}[-/.]\d{1,2}|[A-Z][a-z]{2,8}\.?\s++\d{1,2}(?:,?\s++20\d\d)?"
    r"|\d{1,2}\s++[A-Z][a-z]{2,8}(?:\s++20\d\d)?|(?:core_)?v?\d+\.\d+[\w.]*|20\d\d[ -]?Q[1-4]"
    rf"|Q[1-4](?:[ -]?20\d\d)?|[{MASK}]+))*"
)


def _end_of_addition(words: str, at: int) -> int:
    match = _ADDITION.match(words, at)
    return match.end() if match else at


def _plain(text: str) -> bool:
    """Tell whether a text holds any word that is neither a link nor a sign."""
    return bool(re.search(r"[^\W_]", _GROUP.sub("", text.replace(MASK, " "))))


def _description(line: _Line, rest: int, places: list[Span]) -> int:
    inside = (span for span in places if span.start >= rest and span.end < len(line.words))
    return max((span.end for span in inside), default=rest)


def _marks(line: _Line, description: int) -> tuple[Mark, ...]:
    """Return the marks before the description, and those at the end of the line."""
    marks = list(line.phrases.marks.find(line.words))
    end = len(line.words.rstrip())
    kept = [mark for mark in marks if mark.end <= description or mark.start < description]
    for mark in reversed(marks[len(kept) :]):
        if _plain(line.words[mark.end : end]):
            break
        kept.append(mark)
    return tuple(sorted(kept, key=lambda mark: mark.start))
