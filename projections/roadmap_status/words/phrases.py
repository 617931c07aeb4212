"""Status words in a text: which state, on which branches, in which release, and when.

`Phrases` holds what one document means by them: its own words first, then the common ones.
"""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Final

import msgspec
from msgspec.structs import replace

from projections.roadmap_status.words.dates import StatedDate, find_dates
from projections.roadmap_status.words.states import Marks, State
from projections.roadmap_status.words.vocabulary import (
    MAY_HOLD_STATUS,
    STATE_OF_GROUP,
    STATUS_WORDS,
)

_BRANCH: Final = (
    r"main(?:line)?|master|trunk|dev(?:elop(?:ment)?)?|(?:release|core_r)[/_-]?v?[0-9][\w.]*"
)
_NEXT: Final = r"(?:\s*+(?:,|，|、|&|\+|/)\s*+|\s*+(?:\band\b|和|与|及)\s*+)"
_VERSION: Final = (
    r"(?P<{0}>(?:core_|release[ -])?v?[0-9]+\.[0-9]+(?:\.[0-9]+){{0,2}}(?:rc[0-9]+)?)"
    r"(?![0-9A-Za-z_%–-]|\.[0-9])"
)
_TARGETED: Final = (
    r"(?:target(?:ed|s|ing)?|planned|scheduled|slated|aim(?:ed|ing)?|expected|due|milestone|目标|计划)"
    r"(?:\s++|(?=[:：]))(?:release\s++)?(?:for|in|at|with|on|:|：|于|在)?\s*+"
    rf"(?:the\s++)?(?:release\s++|version\s++|版本)?{_VERSION.format('targeted')}"
)
_INSIDE: Final = (
    r"(?:\b(?:in|with|as\s++part\s++of|since)\s++(?:the\s++)?(?:release\s++|version\s++)?"
    rf"|(?:released|shipped|delivered)\s++|(?:在|于|随)\s*+){_VERSION.format('inside')}"
)
_VERSION_LIKE: Final = re.compile(r"[0-9]\.[0-9]")
_RELEASE: Final = re.compile(f"{_TARGETED}|{_INSIDE}", re.IGNORECASE)


class StatedRelease(msgspec.Struct, frozen=True):
    """A release as named in the text."""

    name: str
    target: bool
    """True: it is to be in it; False: the text says that it is in it."""


class Phrase(msgspec.Struct, frozen=True, kw_only=True):
    """Status words, as a half-open range of characters of a text."""

    start: int
    end: int
    state: State
    text: str
    branches: tuple[str, ...] = ()
    date: StatedDate | None = None


@dataclass(frozen=True, slots=True)
class Phrases:
    """What the status words and marks of one document mean."""

    words: Mapping[str, State] = field(default_factory=dict)
    """The document's own phrases, in lower case; they go before the common ones."""
    marks: Marks = field(default_factory=Marks)
    branches: frozenset[str] = frozenset()
    """Names of branches beside the common ones (main, dev, release/…)."""
    own: re.Pattern[str] | None = field(init=False)
    on_branches: re.Pattern[str] = field(init=False)
    branch: re.Pattern[str] = field(init=False)

    def __post_init__(self) -> None:
        """Build the patterns once: they are used on every line."""
        longest_first = sorted(self.words, key=lambda word: (-len(word), word))
        either = "|".join(re.escape(word) for word in longest_first)
        own = re.compile(rf"(?<![\w-])(?:{either})(?![\w-])", re.I) if either else None
        names = "|".join([*map(re.escape, sorted(self.branches)), _BRANCH])
        branch = rf"(?:the\s++|both\s++|`)?\b(?:{names})(?![\w/-])(?:\s++branch(?:es)?\b|\s*+分支)?"
        on = r"(?:\s++(?:(?:in)?to|on(?:to)?|in|for|at)\s++|\s*+(?:到|至|入|在|于)?\s*+)"
        object.__setattr__(self, "own", own)
        object.__setattr__(self, "branch", re.compile(rf"\b(?:{names})(?![\w/-])", re.I))
        object.__setattr__(
            self, "on_branches", re.compile(rf"{on}{branch}(?:{_NEXT}(?:on\s++)?{branch})*", re.I)
        )

    def find(self, words: str, prose: str | None = None) -> tuple[Phrase, ...]:
        """Return the phrases of a text in order.

        `words` may be masked; branches are read from `prose`, where code keeps its letters.
        """
        return tuple(self._find(words, words if prose is None else prose))

    def branch_names(self, text: str) -> tuple[str, ...]:
        """Return the branches that a text names, each once; `mainline` is main."""
        names = (match[0].lower() for match in self.branch.finditer(text))
        named = ("main" if name == "mainline" else name for name in names)
        return tuple(dict.fromkeys("dev" if n.startswith("develop") else n for n in named))

    def _find(self, words: str, prose: str) -> Iterator[Phrase]:
        if not (self.own or MAY_HOLD_STATUS.search(words)):
            return
        spotted = sorted(self._spotted(words), key=lambda phrase: phrase.start)
        dates = list(find_dates(words)) if spotted else []
        for at, phrase in enumerate(spotted):
            until = spotted[at + 1].start if at + 1 < len(spotted) else len(words)
            match = self.on_branches.match(prose, phrase.end)
            end = match.end() if match else phrase.end
            text = prose[phrase.start : end].strip()
            named = text if match or not text.isascii() else ""
            date = next((d for s, _, d in dates if phrase.start <= s < until), None)
            yield replace(phrase, end=end, text=text, branches=self.branch_names(named), date=date)

    def _spotted(self, words: str) -> Iterator[Phrase]:
        own = list(self.own.finditer(words)) if self.own else []
        for match in own:
            state = self.words[match[0].lower()]
            yield Phrase(start=match.start(), end=match.end(), state=state, text=match[0])
        for match in STATUS_WORDS.finditer(words):
            if any(
                match.start() < own_match.end() and own_match.start() < match.end()
                for own_match in own
            ):
                continue
            state = STATE_OF_GROUP[match.lastgroup or ""]
            yield Phrase(start=match.start(), end=match.end(), state=state, text=match[0])


def find_releases(text: str) -> Iterator[tuple[int, int, StatedRelease]]:
    """Yield (start, end, release) for "in 0.19" and "targeted for core_v0.19", in order."""
    if not _VERSION_LIKE.search(text):
        return
    done = 0
    for match in _RELEASE.finditer(text):
        if match.start() >= done:
            done = match.end()
            version = match["targeted"] or match["inside"]
            yield match.start(), done, StatedRelease(version, target=match["targeted"] is not None)
