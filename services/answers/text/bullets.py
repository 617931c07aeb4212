"""Bullets of a theme: cleaned titles with their own citations, and gaps for a person.

A bullet says only what one change group's own title says. A summary sentence over several requests
is never made up: its place is marked, and a person (or a checked language model) fills it.
"""

from collections.abc import Iterable, Sequence
from typing import Final

import msgspec

from projections.pull_requests.texts import RequestText
from services.answers.text.figures import Quotation, caveats, quotations
from services.answers.text.tables import Column, columns
from services.answers.text.titles import clean_title

#: What stands where a person has to write. It holds no word that could be taken for the report's.
GAP: Final = "[TO WRITE: {what}]"


class Bullet(msgspec.Struct, frozen=True, kw_only=True):
    """One told change: `text` is its title, `numbers` its own citations, lead first.

    `marks` are printed at the end (`[main #6870, open]`); `caveats` are words of its texts that
    limit it and must be printed with any of its figures.
    """

    text: str
    numbers: tuple[int, ...]
    marks: tuple[str, ...] = ()
    quotations: tuple[Quotation, ...] = ()
    columns: tuple[Column, ...] = ()
    caveats: tuple[str, ...] = ()

    @property
    def line(self) -> str:
        """The bullet as it is printed: title, caveats, marks."""
        limits = f" ({', '.join(self.caveats)})" if self.caveats else ""
        return " ".join((self.text + limits, *self.marks))


class Source(msgspec.Struct, frozen=True, kw_only=True):
    """What a bullet is made from: a change group's title, numbers, marks and texts."""

    title: str
    numbers: tuple[int, ...]
    marks: tuple[str, ...] = ()
    draft: bool = False
    texts: tuple[RequestText, ...] = ()


def bullet(source: Source) -> Bullet:
    """Make the bullet of one change group."""
    limits = [word for text in source.texts for word in caveats(text.text)]
    limits += ["draft"] if source.draft else []
    in_title = source.title.lower()
    by_key = {word.lower(): word for word in reversed(limits) if word.lower() not in in_title}
    return Bullet(
        text=clean_title(source.title),
        numbers=source.numbers,
        marks=source.marks,
        quotations=tuple(quotation for text in source.texts for quotation in quotations(text)),
        columns=tuple(
            column for text in source.texts for column in columns(text) if column.span is not None
        ),
        caveats=tuple(sorted(by_key.values(), key=str.lower)),
    )


def summary_gap(theme: str, numbers: Sequence[int]) -> str:
    """Return the mark that asks a person for the summary sentence of a theme."""
    listed = ", ".join(f"#{number}" for number in numbers)
    return GAP.format(what=f"summary of {theme}, from {listed}")


def overview_gap(themes: Iterable[str]) -> str:
    """Return the mark that asks a person for the overview."""
    return GAP.format(what=f"overview of {', '.join(themes)}")
