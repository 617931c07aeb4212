"""What a draft tells the person who has to write the sentence of a theme. Pure.

The figures that the requests state themselves: each in its exact words, with its request and the
words that limit it. They stand in drafts alone, and only while the sentence is not written: nothing
of them is published unless a person takes it into the sentence.
"""

from collections.abc import Iterator, Sequence
from typing import Final

from events.facts.editions import Language
from services.answers.editions.edition import EditionTheme, ToldChange
from services.answers.editions.words import WORDS, Words
from services.documents.model import Note

#: So many are listed under one theme; the rest is counted, and stands in JSON.
_LISTED: Final = 20


def notes(theme: EditionTheme, language: Language) -> Iterator[Note]:
    """Yield the quotable figures of a theme whose sentence is a gap, and nothing of others."""
    words = WORDS[language]
    quoted = [text for change in theme.changes for text in quotable(change, words)]
    if theme.summary[language].origin != "gap" or not quoted:
        return
    quotations = quoted[:_LISTED]
    if len(quoted) > _LISTED:
        quotations.append(words.more_notes.format(count=len(quoted) - _LISTED))
    yield Note(words.notes, tuple(quotations))


def quotable(change: ToldChange, words: Words) -> Iterator[str]:
    """Yield what a change's requests say in figures, each with its request and its limits."""
    for quotation in change.made.quotations:
        where = _limits(quotation.number, quotation.caveats)
        yield words.quotation.format(quote=quotation.quote, where=where)
    for column in change.made.columns:
        yield words.column.format(
            heading=column.heading,
            span=column.span,
            rows=column.rows,
            where=_limits(column.number, column.caveats),
        )


def _limits(number: int, caveats: Sequence[str]) -> str:
    """Write where a figure stands and what limits it: `#7; not tested, proxy`."""
    return "; ".join(part for part in (f"#{number}", ", ".join(caveats)) if part)
