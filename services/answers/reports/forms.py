"""The report in its forms. The sheet is the ledger: a row for each request in each count."""

from collections.abc import Callable, Iterator

import msgspec

from projections.period_ledger.counting import LedgerEntry
from services.answers.reports.answer import report_answer
from services.answers.reports.assemble import Report
from services.answers.reports.document import report_document
from services.answers.reports.wording import rfc3339
from services.documents.csv import Cell, Sheet
from services.documents.forms import Forms

COLUMNS = (
    "count",
    "quality",
    "number",
    "title",
    "author",
    "base",
    "at",
    "evidence",
    "record",
    "flags",
    "branches",
    "releases",
    "class",
    "rules",
)


def report_forms(
    report: Report,
    *,
    answer: Callable[[], msgspec.Struct] | None = None,
    receipt: str = "",
    defined: bool = False,
) -> Forms:
    """Return a report in its forms; `answer` in the place of the plain one for programs.

    `receipt` and `defined` are as in `report_document`.
    """
    return Forms(
        document=lambda: report_document(report, receipt=receipt, defined=defined),
        answer=answer or (lambda: report_answer(report)),
        sheet=lambda: ledger_sheet(report),
    )


def ledger_sheet(report: Report) -> Sheet:
    """Return the ledger as rows; times are RFC 3339 in UTC."""
    return Sheet(COLUMNS, tuple(_rows(report)))


def _rows(report: Report) -> Iterator[tuple[Cell, ...]]:
    for name, entries in {**report.entries, "undated": report.ledger.undated}.items():
        for entry in entries:
            yield (name, report.quality.get(name, "unknown"), *_cells(report, entry))


def _cells(report: Report, entry: LedgerEntry) -> tuple[Cell, ...]:
    attributes = report.requests.get(entry.number)
    placed = report.places.requests.get(entry.number) if report.places else None
    classified = report.exclusions.requests.get(entry.number)
    return (
        entry.number,
        attributes.title if attributes else None,
        attributes.who if attributes else None,
        entry.base,
        rfc3339(entry.at),
        entry.evidence,
        entry.record_id,
        " ".join(entry.flags),
        " ".join(placed.branches) if placed else None,
        " ".join(placed.releases) if placed else None,
        classified.verdict.kind if classified else None,
        "; ".join(classified.verdict.rules) if classified else None,
    )
