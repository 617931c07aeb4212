"""What the documents of editions are put together from, those of periods and of releases alike.

Titles, branch names and what persons wrote are plain text, in which numbers lead to their requests.
"""

from collections.abc import Callable, Iterable, Iterator
from urllib.parse import quote

from events.facts.editions import Language
from events.identity import host_of
from services.answers.editions.edition import Edition, EditionTheme, ToldChange
from services.answers.editions.notes import notes, quotable
from services.answers.editions.words import WORDS, Words
from services.answers.questions.question import Shape
from services.answers.reports.assemble import Report
from services.documents.linking import with_numbers
from services.documents.model import Block, Fold, List, Paragraph, Quotation, Section, Text

Mark = Callable[[ToldChange, int], str]
"""Writes a number with its branch and its state: `[main #6870, open]`."""


class Told:
    """Writes the parts of one edition in one language and shape.

    `seed` lists the numbers under each theme, `inline` cites them, with branch and state, in each
    bullet. `mark` writes a number; `remark` is what is said of a change behind its bullet.
    """

    def __init__(
        self,
        edition: Edition,
        language: Language,
        shape: Shape,
        *,
        mark: Mark,
        remark: Callable[[ToldChange], str],
        noted: bool,
    ) -> None:
        self.edition, self.language, self.shape, self.noted = edition, language, shape, noted
        self.mark, self.remark = mark, remark
        self.words: Words = WORDS[language]

    def text(self, words: str) -> Text:
        """Return a text whose numbers are links."""
        return linked(self.edition.report, words)

    def line(self, words: str) -> Paragraph:
        """Return a paragraph."""
        return Paragraph(self.text(words))

    def overview(self, lines: Iterable[str]) -> Section:
        """Return the overview: what was written, then the lines of counts."""
        written = self.edition.overview[self.language].text
        return Section(
            self.words.overview, (self.line(written), List(tuple(map(self.text, lines))))
        )

    def theme(self, theme: EditionTheme) -> Section:
        """Return a theme: its sentence, its bullets, and its numbers where they are listed."""
        blocks: list[Block] = [self.line(theme.summary[self.language].text)]
        if self.noted:
            blocks += notes(theme, self.language)
        blocks.append(List(tuple(self.text(self._bullet(change)) for change in theme.changes)))
        if self.shape == "seed":
            blocks.append(Paragraph(self.text("".join(self._related(theme))), "related"))
        return Section(theme.names[self.language], tuple(blocks))

    def by_model(self) -> Iterator[Paragraph]:
        """Say of which themes a language model wrote the sentence."""
        names = [theme.names[self.language] for theme in self.edition.by_model(self.language)]
        if names:
            themes = self.words.names_separator.join(dict.fromkeys(names))
            yield self.line(self.words.by_model.format(themes=themes))

    def left_over(self) -> Iterator[Section]:
        """Yield the changes that fit no theme, by section, each with its numbers."""
        for section, changes in self.edition.left_over.items():
            if changes:
                heading = self.words.not_grouped.format(section=self.words.sections[section])
                yield Section(heading, (List(tuple(map(self._left, changes))),))

    def quotations(self) -> Iterator[Fold]:
        """Show what the requests themselves say in figures, exactly as it stands there."""
        for theme in self.edition.themes:
            for change in theme.changes:
                quoted = tuple(
                    Quotation(self.text(words)) for words in quotable(change, self.words)
                )
                if quoted:
                    numbers = ", ".join(f"#{number}" for number in change.made.numbers)
                    yield Fold(self.words.quotable.format(numbers=numbers), quoted)

    def fold(self, name: str, lines: Iterable[str], count: int) -> Fold:
        """Return details that open: each line a paragraph of its own."""
        return Fold(f"{name} ({count:,})", tuple(map(self.line, lines)))

    def _bullet(self, change: ToldChange) -> str:
        bullet = change.bullets[self.language].text + self.remark(change)
        if self.shape == "inline":
            for number in (change.lead, *change.told.group.twins):
                bullet += f" {self.mark(change, number)}"
        return bullet

    def _related(self, theme: EditionTheme) -> Iterator[str]:
        """Numbers whose state is that of the section stand alone; the others carry their mark."""
        yield self.words.related
        by_number = {number: change for change in theme.changes for number in change.numbers}
        for place, number in enumerate(sorted(by_number)):
            yield ", " if place else ""
            change = by_number[number]
            yield f"#{number}" if number in change.plain else self.mark(change, number)

    def _left(self, change: ToldChange) -> Text:
        numbers = self.words.separator.join(f"#{number}" for number in change.numbers)
        return self.text(f"{numbers} {change.bullets[self.language].text}")


def linked(report: Report, words: str) -> Text:
    """Return a text whose numbers lead to their requests on the repository's host."""
    base = f"https://{host_of(report.repo)}/{quote(report.full_name)}/pull/"
    return with_numbers(words, base)
