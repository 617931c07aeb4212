"""Do an edition's languages say the same? Each is rendered, read back, and compared. Pure."""

import re
from collections import Counter
from collections.abc import Iterator, Mapping
from typing import Final

from events.facts.editions import Language
from services.answers.editions.edition import Edition, Line
from services.answers.editions.forms import edition_forms
from services.answers.editions.reading import ReadEdition, read_edition
from services.answers.editions.words import LANGUAGES
from services.answers.questions.question import Shape
from services.documents.forms import render

_NUMERAL: Final = re.compile(r"\d+(?:[.,]\d+)*")
#: Chinese writes the month as a number where English has a name: `7 月`, July.
_MONTH: Final = re.compile(r"(?<!\d)\d++\s*+月")


def parity(edition: Edition, shape: Shape = "seed") -> tuple[str, ...]:
    """Return where English and Chinese differ: figures, lists, numbers in texts; empty: nowhere."""
    english, chinese = (
        read_edition(render(edition_forms(edition, language, shape), "txt"))
        for language in LANGUAGES
    )
    return (*compared(english, chinese), *_texts(edition))


def compared(english: ReadEdition, chinese: ReadEdition) -> Iterator[str]:
    """Yield where two editions differ in figures, periods or lists."""
    for name in ("figures", "excluded", "first_day", "last_day", "zone", "source"):
        in_en, in_zh = getattr(english, name), getattr(chinese, name)
        if in_en != in_zh:
            yield f"{name}: {in_en} in English, {in_zh} in Chinese"
    english_lists = [(theme.section, theme.numbers) for theme in english.themes]
    chinese_lists = [(theme.section, theme.numbers) for theme in chinese.themes]
    if english_lists != chinese_lists:
        yield f"the themes' lists: {english_lists} in English, {chinese_lists} in Chinese"
    for theme, in_en, in_zh in zip(english.themes, english.bullets, chinese.bullets, strict=False):
        if len(in_en) != len(in_zh):
            yield f"{theme.name}: {len(in_en)} bullets in English, {len(in_zh)} in Chinese"


def _texts(edition: Edition) -> Iterator[str]:
    """Yield texts of persons whose numbers differ between the languages."""
    for name, lines in _pairs(edition):
        if any(line.origin == "gap" for line in lines.values()):
            continue
        in_en, in_zh = _numerals(lines["en"].text), _numerals(lines["zh"].text)
        if in_en != in_zh:
            yield f"{name}: numbers {_shown(in_en)} in English, {_shown(in_zh)} in Chinese"


def _pairs(edition: Edition) -> Iterator[tuple[str, Mapping[Language, Line]]]:
    """Yield every text that an edition has in each language, by what it is."""
    yield "overview", edition.overview
    for theme in edition.themes:
        yield f"summary of {theme.key}", theme.summary
        for change in theme.changes:
            yield f"bullet of #{change.lead}", change.bullets


def _numerals(text: str) -> Counter[str]:
    return Counter(numeral.replace(",", "") for numeral in _NUMERAL.findall(_MONTH.sub("", text)))


def _shown(numerals: Counter[str]) -> str:
    return ", ".join(sorted(numerals.elements())) or "none"
