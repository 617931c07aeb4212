"""Tables: where a column is named for a status, each row is an entry; others only hold links."""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Final

from projections.roadmap_status.reading.document import Entry, EntryKind, SectionPath
from projections.roadmap_status.reading.prose import Prose

STATUS_COLUMN: Final = re.compile(
    r"\s*+(?:(?:current|delivery|overall|实现|完成|当前|开发)?\s*+"
    r"(?:status|state|progress|done\??|状态|进度|进展|完成情况))\s*+",
    re.IGNORECASE,
)
_NAME_COLUMN: Final = re.compile(
    r"\s*+(?:features?|items?|tasks?|names?|titles?|topics?|work|description|component|what"
    r"|功能|特性|任务|项目|名称|事项|内容|标题)\s*+",
    re.IGNORECASE,
)


@dataclass(slots=True)
class Row:
    """One row in the making."""

    line: int
    cells: list[Prose] = field(default_factory=list)


@dataclass(slots=True)
class Table:
    """A table in the making; its first row is the header."""

    quoted: bool
    section: SectionPath
    rows: list[Row] = field(default_factory=list)

    def row(self, line: int) -> None:
        """Begin a row."""
        self.rows.append(Row(line))

    def cell(self, prose: Prose, line: int) -> None:
        """Add a cell to the last row."""
        row = self.rows[-1]
        row.line = row.line or line
        row.cells.append(prose)

    @property
    def headers(self) -> list[str]:
        """Return the names of the columns."""
        return [cell.shown.strip() for cell in self.rows[0].cells] if self.rows else []

    @property
    def has_status(self) -> bool:
        """Tell whether a column is named for a status."""
        return any(STATUS_COLUMN.fullmatch(header) for header in self.headers)

    def entries(self) -> Iterator[Entry]:
        """Yield one entry for each row that says anything."""
        headers = self.headers
        at = _name_column(headers)
        for row in self.rows[1:]:
            if not any(cell.shown.strip() for cell in row.cells):
                continue
            yield Entry(
                kind=EntryKind.ROW,
                line=row.line,
                head=row.cells[at] if at < len(row.cells) else Prose(),
                quoted=self.quoted,
                section=self.section,
                cells=tuple(zip(headers, row.cells, strict=False)),
            )


def _name_column(headers: list[str]) -> int:
    for at, header in enumerate(headers):
        if _NAME_COLUMN.fullmatch(header):
            return at
    return next((at for at, name in enumerate(headers) if not STATUS_COLUMN.fullmatch(name)), 0)
