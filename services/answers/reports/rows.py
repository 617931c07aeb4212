"""The rows of a report: one line for each request of a count: who, where, and what is doubted."""

from collections.abc import Iterator
from typing import Final

from projections.period_ledger.counting import LedgerEntry
from projections.pull_requests.attributes import Attributes
from services.answers.reports.assemble import Report
from services.answers.reports.wording import local, notes, title
from services.documents.model import List, Paragraph, Section

#: Of a repository of many packages, a change ships first in as many tags.
_NAMED_RELEASES: Final = 4


def row_sections(report: Report, words: str, entries: tuple[LedgerEntry, ...]) -> Iterator[Section]:
    """Yield the section of a count under a heading; nothing where it has no entries."""
    if not entries:
        return
    shared = set(notes(entries[0])).intersection(*(notes(entry) for entry in entries))
    ordered = sorted(entries, key=lambda entry: (entry.at, entry.number))
    yield Section(
        f"{words} ({len(entries):,})",
        (
            *(Paragraph(f"All of these: {note}.") for note in sorted(shared)),
            List(tuple(_row(report, entry, shared) for entry in ordered)),
        ),
    )


def _row(report: Report, entry: LedgerEntry, shared: set[str]) -> str:
    attributes = report.requests.get(entry.number)
    author = f", {attributes.who}" if attributes and attributes.who else ""
    author += _landed_or_merged_by(attributes, entry)
    base = f" [{entry.base}]" if entry.base else ""
    own_notes = "".join(f" ({note})" for note in notes(entry) if note not in shared)
    when = local(entry.at, report.period.zone)
    where = _where(report, entry.number)
    return f"#{entry.number} {title(attributes)}{base} — {when}{author}{where}{own_notes}"


def _landed_or_merged_by(attributes: Attributes | None, entry: LedgerEntry) -> str:
    """Write the commit that landed a request, or who merged it where that was not its author."""
    if attributes is None:
        return ""
    if entry.enter == "landed" and attributes.landed_by:
        return f", landed by {attributes.landed_by[:12]}"
    is_other = attributes.merger not in (None, attributes.author)
    return f", merged by {attributes.merger}" if is_other and entry.enter == "merged" else ""


def _where(report: Report, number: int) -> str:
    placed = report.places.requests.get(number) if report.places else None
    if placed is None:
        return ""
    on = f"; on {', '.join(placed.branches)}" if placed.branches else ""
    named = placed.first[:_NAMED_RELEASES]
    inside = f"; in {', '.join(named)}" if named else ""
    later = len(placed.releases) - len(named)
    return f"{on}{inside}{f' and {later} more' if later else ''}"
