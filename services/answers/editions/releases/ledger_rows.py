"""The complete ledger of a release edition as rows: one for each request, with where it is told."""

import csv
import io
from collections.abc import Iterable, Iterator, Mapping
from typing import Final

from projections.period_ledger.excluding import Classified
from services.answers.editions.edition import Edition
from services.answers.editions.placing import Place, place_of
from services.answers.editions.releases.content import DOUBTFUL, ReleaseContent
from services.answers.releases.release_page import Row
from services.answers.reports.render.csv_rows import cell

COLUMNS: Final = (
    *("list", "number", "title", "author", "verdict", "how", "by", "first_shipped_in"),
    *("told", "theme", "class", "rules", "because", "commits"),
)


def render(edition: Edition, content: ReleaseContent) -> str:
    """Render every request of a release edition as CSV with a header."""
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(COLUMNS)
    classes = edition.report.exclusions.requests
    for name, rows in _lists(content):
        for row in rows:
            place = place_of(edition, row.number)
            writer.writerow(_cells(edition, name, row, place, classes))
    return out.getvalue()


def _lists(content: ReleaseContent) -> Iterator[tuple[str, Iterable[Row]]]:
    yield "brought", content.rows.values()
    for name in DOUBTFUL:
        yield name, content.doubtful[name]
    yield "carrier", content.page.carriers


def _cells(
    edition: Edition, name: str, row: Row, place: Place, classes: Mapping[int, Classified]
) -> list[object]:
    shown, verdict, its = row.attributes, row.verdict, classes.get(row.number)
    by = row.brings if verdict is None else verdict.by
    return [
        name,
        row.number,
        cell(shown.title if shown else None),
        cell(shown.author if shown else None),
        verdict.outcome if verdict else "",
        (verdict.how or "") if verdict else "brings",
        " ".join(str(number) for number in by),
        cell(row.first),
        part_of(edition, row.number),
        cell(place.theme),
        its.verdict.kind if its else "",
        cell("; ".join(its.verdict.rules) if its else None),
        cell(row.because),
        " ".join(verdict.evidence) if verdict else "",
    ]


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
