"""Tables in a request's text, and the two things that may be derived from one column. Pure."""

import re
from collections.abc import Iterator
from decimal import Decimal, InvalidOperation
from typing import Final

import msgspec

from projections.pull_requests.texts import RequestText
from services.answers.text.figures import caveats

_RULE: Final = re.compile(r"^\s*+\|?\s*+:?-+:?\s*+(?:\|\s*+:?-+:?\s*+)*\|?\s*+$")
_CELL: Final = re.compile(
    r"^[*_`~]*(?P<value>[-+\u2212]?\d+(?:,\d{3})*(?:\.\d+)?)\s?(?P<unit>[^\d\s|*_`][^|*_`]*)?[*_`]*$"
)


class Column(msgspec.Struct, frozen=True, kw_only=True):
    """One column of one table in the version `digest` of a text; cells exactly as they stand."""

    number: int
    digest: str
    heading: str
    cells: tuple[str, ...]
    caveats: tuple[str, ...] = ()

    @property
    def rows(self) -> int:
        """The number of rows of the table."""
        return len(self.cells)

    @property
    def span(self) -> str | None:
        """`lowest–highest`, each as it stands in its cell; None unless every cell is a number and
        all have one unit.
        """
        read = [_read(cell) for cell in self.cells]
        values = [value for value in read if value is not None]
        if len(values) < 2 or len(values) != len(read) or len({unit for _, unit in values}) != 1:
            return None
        placed = sorted(range(len(values)), key=lambda nth: (values[nth][0], nth))
        low, high = self.cells[placed[0]], self.cells[placed[-1]]
        return low if values[placed[0]] == values[placed[-1]] else f"{low}–{high}"


def columns(text: RequestText) -> tuple[Column, ...]:
    """Return the columns of all Markdown tables of a text that have a heading and a row."""
    limits = caveats(text.text)
    return tuple(
        Column(number=text.number, digest=text.digest, heading=heading, cells=cells, caveats=limits)
        for heading, cells in _columns(text.text)
    )


def _columns(text: str) -> Iterator[tuple[str, tuple[str, ...]]]:
    lines = text.replace("\r\n", "\n").split("\n")
    for nth in range(1, len(lines)):
        if "|" not in lines[nth - 1] or not _RULE.match(lines[nth]):
            continue
        headings = _cells(lines[nth - 1])
        rows = []
        for line in lines[nth + 1 :]:
            if "|" not in line:
                break
            rows.append(_cells(line))
        for place, heading in enumerate(headings):
            cells = tuple(row[place] if place < len(row) else "" for row in rows)
            if cells and heading:
                yield heading, cells


def _cells(line: str) -> list[str]:
    return [cell.strip() for cell in line.strip().removeprefix("|").removesuffix("|").split("|")]


def _read(cell: str) -> tuple[Decimal, str] | None:
    match = _CELL.match(cell)
    if match is None:
        return None
    try:
        value = Decimal(match["value"].replace(",", "").replace("\u2212", "-"))
    except InvalidOperation:
        return None
    return value, (match["unit"] or "").strip()
