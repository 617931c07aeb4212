"""The complete ledger as rows: one for each request in each count."""

import csv
import io

from services.answers.reports.assemble import Report
from services.answers.reports.wording import rfc3339

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
#: A cell that begins so is taken for a formula by spreadsheets.
_FORMULA = ("=", "+", "-", "@", "\t", "\r")


def render(report: Report) -> str:
    """Render as CSV with a header; times are RFC 3339 in UTC."""
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(COLUMNS)
    groups = {**report.entries, "undated": report.ledger.undated}
    for name, entries in groups.items():
        for entry in entries:
            shown = report.requests.get(entry.number)
            placed = report.places.requests.get(entry.number) if report.places else None
            classified = report.exclusions.requests.get(entry.number)
            writer.writerow(
                [
                    name,
                    report.quality.get(name, "unknown"),
                    entry.number,
                    cell(shown.title if shown else None),
                    cell(shown.author if shown else None),
                    cell(entry.base),
                    rfc3339(entry.at) or "",
                    entry.evidence,
                    entry.record_id,
                    " ".join(entry.flags),
                    cell(" ".join(placed.branches) if placed else None),
                    cell(" ".join(placed.releases) if placed else None),
                    classified.verdict.kind if classified else "",
                    cell("; ".join(classified.verdict.rules) if classified else None),
                ]
            )
    return out.getvalue()


def cell(text: str | None) -> str:
    """Return what a cell holds, so that no spreadsheet takes it for a formula."""
    if text is None:
        return ""
    return f"'{text}" if text.startswith(_FORMULA) else text
