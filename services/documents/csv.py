"""Rows as CSV. What a spreadsheet would take for a formula is neutralised here only."""

import csv
import io
from collections.abc import Iterable
from typing import Final, TypeAlias

import msgspec

Cell: TypeAlias = str | int | None

#: A cell that begins so, also behind blanks, is taken for a formula by some spreadsheet; the last
#: four are full-width signs. https://owasp.org/www-community/attacks/CSV_Injection
_FORMULA: Final = ("=", "+", "-", "@", "\uff1d", "\uff0b", "\uff0d", "\uff20")
_EDGES: Final = ("\t", "\r", "\n")


class Sheet(msgspec.Struct, frozen=True):
    """Rows under columns; None is an empty cell."""

    columns: tuple[str, ...]
    rows: tuple[tuple[Cell, ...], ...]


def render(sheet: Sheet) -> str:
    """Write a header and the rows."""
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(sheet.columns)
    writer.writerows(_cells(row) for row in sheet.rows)
    return out.getvalue()


def cell(value: Cell) -> str | int:
    """Return what a cell holds, so that no spreadsheet takes it for a formula."""
    if value is None:
        return ""
    if isinstance(value, int):
        return value
    acting = value.startswith(_EDGES) or value.lstrip().startswith(_FORMULA)
    return f"'{value}" if acting else value


def _cells(row: Iterable[Cell]) -> list[str | int]:
    return [cell(value) for value in row]
