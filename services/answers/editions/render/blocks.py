"""An edition as a row of blocks, from which every format for people is written.

Titles, branch names and what persons wrote are plain text: each format keeps it from meaning
anything but itself.
"""

from collections.abc import Iterator

from events.facts.editions import Language, Section
from services.answers.editions.edition import SECTIONS, Edition, EditionTheme, ToldChange
from services.answers.editions.render.block import Block
from services.answers.editions.render.figures import (
    count_line,
    excluded_line,
    heading,
    period_line,
    reconciliation_line,
)
from services.answers.editions.render.notes import notes
from services.answers.editions.words import WORDS, Words
from services.answers.questions.question import Shape
from services.answers.reports.coverage_summary import coverage_summary


def blocks(
    edition: Edition, language: Language, shape: Shape, *, noted: bool = False
) -> Iterator[Block]:
    """Yield an edition in a language: `seed` lists the numbers under each theme, `inline` cites
    them, with branch and state, in each bullet. `noted`: with notes for the writer of a draft.
    """
    words, report = WORDS[language], edition.report
    yield Block("title", heading(edition, language))
    yield Block("author", edition.author)
    yield Block("title", heading(edition, language))
    yield Block("paragraph", period_line(report, language))
    yield Block("section", words.overview)
    yield Block("paragraph", edition.overview[language].text)
    yield Block("bullet", count_line(report, language))
    yield Block("bullet", excluded_line(report, language))
    for section in SECTIONS:
        yield from _section(edition, section, language, shape, noted=noted)
    yield Block("section", words.method)
    yield Block("paragraph", words.method_text)
    yield from by_model(edition, language)
    yield Block("paragraph", reconciliation_line(edition.reconciliation, language))
    yield Block("paragraph", coverage_summary(report, language))
    yield from left_over(edition, language)


def _section(
    edition: Edition, section: Section, language: Language, shape: Shape, *, noted: bool
) -> Iterator[Block]:
    words, report = WORDS[language], edition.report
    yield Block("section", words.sections[section])
    themes = edition.of(section)
    if not themes:
        known = section != "in_progress" or report.counts["active_and_open"] is not None
        yield Block("paragraph", words.nothing if known else words.not_known)
    for theme in themes:
        yield Block("theme", theme.names[language])
        yield Block("paragraph", theme.summary[language].text)
        if noted:
            yield from notes(theme, language)
        for change in theme.changes:
            yield Block("bullet", "".join(_bullet(change, words, language, shape)))
        if shape == "seed":
            yield Block("related", "".join(_related(theme, words)))


def _bullet(change: ToldChange, words: Words, language: Language, shape: Shape) -> Iterator[str]:
    yield change.bullets[language].text
    said = words.tellings.get(change.told.telling)
    if said:
        yield f" — {said}"
    if shape == "inline":
        for number in (change.lead, *change.told.group.twins):
            yield f" {mark(change, number, words)}"


def _related(theme: EditionTheme, words: Words) -> Iterator[str]:
    """Numbers whose state is that of the section stand alone; the others carry their mark."""
    yield words.related
    by_number = {number: change for change in theme.changes for number in change.numbers}
    for place, number in enumerate(sorted(by_number)):
        yield ", " if place else ""
        change = by_number[number]
        yield f"#{number}" if number in change.plain else mark(change, number, words)


def mark(change: ToldChange, number: int, words: Words) -> str:
    """Write a number with its branch and its state at the end: `[main #6870, open]`."""
    one = change.members[number]
    return f"[{one.base or words.unknown} #{number}, {words.states[one.state]}]"


def by_model(edition: Edition, language: Language) -> Iterator[Block]:
    """Say of which themes a language model wrote the sentence."""
    words = WORDS[language]
    names = [theme.names[language] for theme in edition.by_model(language)]
    if names:
        said = words.by_model.format(themes=words.names_separator.join(dict.fromkeys(names)))
        yield Block("paragraph", said)


def left_over(edition: Edition, language: Language) -> Iterator[Block]:
    """Yield the changes that fit no theme, by section, each with its numbers."""
    words = WORDS[language]
    for section, changes in edition.left_over.items():
        if changes:
            heading = words.not_grouped.format(section=words.sections[section])
            yield Block("section", heading)
        for change in changes:
            numbers = words.separator.join(f"#{number}" for number in change.numbers)
            yield Block("bullet", f"{numbers} {change.bullets[language].text}")
