"""Reading an edition back from its text: figures, and the numbers told by theme. Pure.

It reads editions of releases like those of periods, with the figures that they print instead. It
reads both shapes and both languages, as plain text or Markdown, also those published before
Shipledger; what it cannot find is left out, and nothing is guessed.
"""

import re
from collections.abc import Iterator
from datetime import date
from typing import Final

import msgspec

from events.facts.editions import Language, Section, ToldTheme
from services.answers.editions.releases.words import RELEASE_WORDS
from services.answers.editions.words import CLASSES, LANGUAGES, WORDS, Words
from services.documents.neutral import JOINER

_FIELD: Final = re.compile(r"\{(\w+)\}")
_MARK: Final = re.compile(r"^\s*(?:#{1,6}\s+|[-*•]\s+)")
_ESCAPED: Final = re.compile(r"\\([\\`*_\[\]<>|~&#+.)-])")
_NUMBER: Final = re.compile(r"#(\d+)\b")
#: A number as it is cited with its branch and state; beside it a title may name others.
_CITED: Final = re.compile(r"\[[^\[\]]*#(\d+), [^\[\]#]+\]")
_FIGURE: Final = re.compile(r"\d[\d,]*")
_BULLET: Final = ("- ", "* ", "• ")
#: The marker of an issue, and the notes of a draft.
_NOT_TOLD: Final = ("<!--", ">")


class ReadEdition(msgspec.Struct, frozen=True, kw_only=True):
    """What a text says. Figures that it does not print are absent; `None` is "unknown"."""

    language: Language
    title: str
    figures: dict[str, int | None]
    excluded: dict[str, int | None]
    themes: tuple[ToldTheme, ...]
    bullets: tuple[tuple[str, ...], ...]
    """The bullets of each theme, in its order."""
    first_day: date | None = None
    last_day: date | None = None
    zone: str = ""
    source: str = ""


class _Theme:
    """A theme while its lines are read."""

    def __init__(self, section: Section, name: str) -> None:
        self.section, self.name = section, name
        self.numbers: set[int] = set()
        self.bullets: list[str] = []
        self.listed = False

    def told(self) -> ToldTheme:
        return ToldTheme(section=self.section, name=self.name, numbers=tuple(sorted(self.numbers)))


def read_edition(text: str) -> ReadEdition:
    """Read an edition; raise ValueError where it is none in any language."""
    lines = [_plain(line) for line in text.replace("\r\n", "\n").split("\n") if line.strip()]
    lines = [line for line in lines if not line.startswith(_NOT_TOLD)]
    for language in LANGUAGES:
        words = WORDS[language]
        counts = _first(_pattern(words.counts), lines) or _first(
            _pattern(RELEASE_WORDS[language].counts), lines
        )
        if counts is not None:
            return _read(lines, language, words, counts)
    raise ValueError("no line with the counts of a period is in it")


def _read(lines: list[str], language: Language, words: Words, counts: re.Match[str]) -> ReadEdition:
    period = _first(_pattern(words.period), lines)
    excluded = _first(_pattern(words.excluded), lines)
    themes = list(_themes(lines, words, RELEASE_WORDS[language].doubtful))
    return ReadEdition(
        language=language,
        title=_bare(lines[0]) if lines else "",
        figures={name: _figure(value) for name, value in counts.groupdict().items()},
        excluded=_excluded(excluded["items"] if excluded else "", words),
        themes=tuple(theme.told() for theme in themes),
        bullets=tuple(tuple(theme.bullets) for theme in themes),
        first_day=_day(period["first"]) if period else None,
        last_day=_day(period["last"]) if period else None,
        zone=period["zone"] if period else "",
        source=period["source"] if period else "",
    )


def _themes(lines: list[str], words: Words, doubtful: str) -> Iterator[_Theme]:
    """Yield the themes: a name, a sentence, bullets, and the numbers where they are listed.

    Under the heading `doubtful` stands what a release does not plainly deliver.
    """
    names = {heading: section for section, heading in words.sections.items()}
    section: Section | None = None
    theme: _Theme | None = None
    for line in lines:
        text = _bare(line)
        if text in names or text in (words.method, words.overview, doubtful):
            if theme is not None and theme.numbers:
                yield theme
            section, theme = names.get(text), None
        elif section is None:
            continue
        elif text.startswith(words.related.strip()) and theme is not None:
            theme.numbers, theme.listed = _numbers(text), True
        elif line.startswith(_BULLET) and theme is not None:
            theme.bullets.append(text)
            theme.numbers |= _cited(text)
        elif theme is None or theme.listed or theme.bullets:
            if theme is not None and theme.numbers:
                yield theme
            theme = _Theme(section, text)


def _excluded(items: str, words: Words) -> dict[str, int | None]:
    figures: dict[str, int | None] = {}
    # longer names first: one is the end of another
    for kind in sorted(CLASSES, key=lambda kind: -len(words.classes[kind])):
        match = re.search(rf"(?:^|[,，]\s*){re.escape(words.classes[kind])} ([^,，]+)", items)
        if match:
            figures[kind] = _figure(match[1])
    return {kind: figures[kind] for kind in CLASSES if kind in figures}


def _pattern(template: str) -> re.Pattern[str]:
    """Make a pattern of a format string, in which each field is a group."""
    parts = _FIELD.split(template)
    return re.compile(
        "".join(
            f"(?P<{part}>.+?)" if nth % 2 else re.escape(part) for nth, part in enumerate(parts)
        )
        + r"\s*$"
    )


def _first(pattern: re.Pattern[str], lines: list[str]) -> re.Match[str] | None:
    return next((match for line in lines if (match := pattern.match(_bare(line)))), None)


def _plain(line: str) -> str:
    """Take out what only keeps text from acting: escapes, word joiners."""
    return _ESCAPED.sub(r"\1", line.replace(JOINER, "")).strip()


def _bare(line: str) -> str:
    return _MARK.sub("", line).strip()


def _numbers(line: str) -> set[int]:
    return {int(number) for number in _NUMBER.findall(line)}


def _cited(line: str) -> set[int]:
    marked = {int(number) for number in _CITED.findall(line)}
    return marked or _numbers(line)


def _figure(text: str) -> int | None:
    match = _FIGURE.search(text)
    return None if match is None else int(match[0].replace(",", ""))


def _day(text: str) -> date | None:
    try:
        return date.fromisoformat(text)
    except ValueError:
        return None
