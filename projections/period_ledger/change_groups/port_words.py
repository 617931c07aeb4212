"""Ports in people's words: `Port of #12`, `Dev PR: #12`, `main version of …/pull/12`.

A template is taken where it opens a line of the text, or a part of the title. A line that only has
such a word and a number is for a person to look at; anything else says nothing. Comments, code and
quotations are not the author's own words and are not read.
"""

import re
from collections.abc import Iterator
from typing import Final

import msgspec

from projections.release_inclusion.messages.references import Names, numbers

_REF: Final = r"(?:https?://\S+?/pull/[0-9]+\b|(?:[\w.-]+/[\w.-]+)?#[0-9]+\b)"
_PR: Final = r"(?:(?:PRs?|MRs?|pull requests?)\s*+:?\s*+)?"
_TO: Final = r"(?P<branch>main|master|dev|develop|release)"
_THING: Final = (
    r"(?:back-?port|forward[ -]?port|port|cherry[ -]?pick|copy|mirror|twin|counterpart"
    r"|equivalent|version)"
)
_A_PORT: Final = (
    r"(?:this(?:\s++(?:PR|MR|pull request))?\s++is\s++)?(?:(?:a|an|the)\s++)?"
    r"(?:(?:manual|clean|direct)\s++)?(?:(?:main|master|dev|develop|release)(?:[ -]branch)?\s++)?"
)
_TEMPLATES: Final = (
    rf"{_A_PORT}{_THING}(?:\s++PR)?\s*+(?:of|for|:)\s*+(?:the\s++)?"
    rf"(?:(?:main|master|dev|develop|release)(?:\s++branch)?\s++)?{_PR}(?P<ref>{_REF})",
    rf"(?:this\s++(?:PR\s++)?)?(?:(?:back-?|forward-?)?ports|mirrors|cherry-?picks)\s++"
    rf"{_PR}(?P<ref>{_REF})",
    rf"(?:the\s++)?{_TO}(?:\s++branch)?\s++(?:PR|MR|pull request|port|counterpart|version|twin)"
    rf"(?:\s++(?:is|here))?\s*+[:=-]?\s*+(?P<ref>{_REF})",
    rf"(?:PR|MR|pull request|port|counterpart|version|twin)\s++(?:to|for|on|in|into)\s++"
    rf"(?:the\s++)?{_TO}(?:\s++branch)?\s*+(?:is\b)?\s*+[:=-]?\s*+(?P<ref>{_REF})",
)
_CERTAIN: Final = tuple(re.compile(template, re.IGNORECASE) for template in _TEMPLATES)
_WORD: Final = re.compile(
    r"\b(?:back-?port|forward[ -]?port|port(?:ed|s|ing)?|cherry[ -]?pick\w*|counterpart|twin"
    r"|mirror(?:s|ed)?|same (?:change|fix|patch) (?:as|on|in))\b"
    r"|\b(?:main|master|dev|develop)(?:\s++branch)?\s++(?:PR|MR|pull request)\b"
    r"|\b(?:PR|MR)\s++(?:to|for|on|in|into)\s++(?:the\s++)?(?:main|master|dev|develop|release)\b",
    re.IGNORECASE,
)
_NAMES_A_PORT: Final = re.compile(rf"\b{_THING}\b", re.IGNORECASE)
#: What follows a reference and keeps the line from saying what it began to say.
_TURNED: Final = re.compile(
    r"\b(?:not|no longer|instead|unlike|part(?:s|ly)? of|except|without|once|when|if|until|after"
    r"|first|superseded?s?|replaces?d?)\b",
    re.IGNORECASE,
)
_NOT_SAID: Final = re.compile(
    r"<!--.*?(?:-->|\Z)|^(```|~~~).*?(?:^\1|\Z)", re.DOTALL | re.MULTILINE
)
_OPENING: Final = re.compile(r"^[\s*+_#•+-]+|^\d+[.)]\s++")
_EMPHASIS: Final = re.compile(r"[*_`]+")
_PARTS: Final = re.compile(r"[()\[\]]")
_LONGEST_LINE: Final = 400


class PortWords(msgspec.Struct, frozen=True):
    """A request that somebody's words name as the other end of a port."""

    target: int
    says: str
    certain: bool
    branch: str | None = None


def own_words(text: str) -> str:
    """Return a text without comments, code blocks and quoted lines: what its author says."""
    spoken = _NOT_SAID.sub("\n", text.replace("\r\n", "\n"))
    return "\n".join(line for line in spoken.split("\n") if not line.lstrip().startswith(">"))


def read_title(title: str, names: Names) -> Iterator[PortWords]:
    """Yield the ports that the parts of a title name (`Tune it (port of #12)`)."""
    for part in _PARTS.split(title):
        yield from _read(part.strip(), names)


def read_text(text: str, names: Names) -> Iterator[PortWords]:
    """Yield the ports that the lines of an author's own words name."""
    for line in text.split("\n"):
        if len(line) <= _LONGEST_LINE:
            yield from _read(line.strip(), names)


def _read(line: str, names: Names) -> Iterator[PortWords]:
    if not _WORD.search(line) and not _NAMES_A_PORT.search(line):
        return
    named = numbers(line, names)
    if not 1 <= len(named) <= 2:
        return
    plain = _OPENING.sub("", _EMPHASIS.sub("", line))
    for template in _CERTAIN:
        match = template.match(plain)
        if match:
            target = numbers(match["ref"], names)
            branch = match.groupdict().get("branch")
            clear = len(named) == 1 and not _TURNED.search(plain)
            for number in target:
                yield PortWords(number, line, clear, branch.lower() if branch else None)
            return
    for number in named:
        yield PortWords(number, line, False)
