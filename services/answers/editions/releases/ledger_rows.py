"""The complete ledger of a release edition as rows: one for each request, with where it is told."""

from collections.abc import Iterable, Iterator
from typing import Final

from services.answers.editions.edition import Edition
from services.answers.editions.placing import place_of
from services.answers.editions.release_content import DOUBTFUL, ReleaseContent
from services.answers.releases.release_page import Row
from services.documents.csv import Cell, Sheet

COLUMNS: Final = (
    *("list", "number", "title", "author", "verdict", "how", "by", "first_shipped_in"),
    *("told", "theme", "class", "rules", "because", "commits"),
)


def release_sheet(edition: Edition, content: ReleaseContent) -> Sheet:
    """Return every request of a release edition as rows."""
    return Sheet(
        COLUMNS,
        tuple(_cells(edition, name, row) for name, rows in _lists(content) for row in rows),
    )


def _lists(content: ReleaseContent) -> Iterator[tuple[str, Iterable[Row]]]:
    yield "brought", content.rows.values()
    for name in DOUBTFUL:
        yield name, content.doubtful[name]
    yield "carrier", content.page.carriers


def _cells(edition: Edition, name: str, row: Row) -> tuple[Cell, ...]:
    attributes, verdict = row.attributes, row.verdict
    classified = edition.report.exclusions.requests.get(row.number)
    by = row.brings if verdict is None else verdict.by
    return (
        name,
        row.number,
        attributes.title if attributes else None,
        attributes.who if attributes else None,
        verdict.outcome if verdict else None,
        verdict.how if verdict else "brings",
        " ".join(str(number) for number in by),
        row.first,
        part_of(edition, row.number),
        place_of(edition, row.number).theme,
        classified.verdict.kind if classified else None,
        "; ".join(classified.verdict.rules) if classified else None,
        row.because,
        " ".join(verdict.evidence) if verdict else None,
    )


def part_of(edition: Edition, number: int) -> str:
    """Return the part of the reconciliation that a number is in; empty for one that was not
    brought.
    """
    parts = edition.reconciliation
    lists: dict[str, tuple[int, ...]] = {
        "told": parts.told,
        "twin": parts.twins,
        **{str(kind): numbers for kind, numbers in parts.excluded.items()},
        "not told": parts.not_told,
    }
    return next((name for name, numbers in lists.items() if number in numbers), "")
