"""The report in the shape in which it is published."""

import re
from collections.abc import Iterator

from projections.period_ledger.counting import DEFINITIONS, LedgerEntry
from projections.repositories.branch_roles import GROUPS
from services.answers.reports.assemble import Report
from services.answers.reports.coverage_summary import coverage_summary, proven
from services.answers.reports.of_which import sentence
from services.answers.reports.render.exclusion_text import (
    basis_table,
    excluded_line,
    reconciliation_lines,
)
from services.answers.reports.wording import figure, local, notes, rfc3339, title

_SECTIONS = (
    ("merged", "Merged"),
    ("closed_without_merge", "Closed without merge"),
    ("closed_unknown", "Closed, outcome unknown"),
    ("reopened", "Reopened"),
    ("opened_and_still_open", "Opened and still open"),
)
_FURTHER = (
    ("open_at_start", "open at start"),
    ("reopened", "reopened"),
    ("closed_unknown", "closed with unknown outcome"),
    ("open_at_end", "open at end"),
    ("active_and_open", "active and open at end"),
)
_SPECIAL = re.compile(r"([\\`*_\[\]<>|~]|&(?=#?\w+;))")
_COLUMNS = ("opened", "merged", "closed_without_merge", "reopened", "open_at_start", "open_at_end")


def heading(report: Report) -> str:
    """Write the title: project, kind of report, period."""
    project = report.full_name.rpartition("/")[2]
    return " ".join(
        f"{project} {report.period.kind} Activity Report — {report.period.name}".split()
    )


def period_line(report: Report) -> str:
    """Write the period with its zone and source."""
    first, last = report.period.first_day.isoformat(), report.period.last_day.isoformat()
    return f"Period: {first} through {last} ({report.period.zone}); source: {report.full_name}."


def count_line(report: Report) -> str:
    """Write the counts as the published reports do."""
    shown = {name: figure(report.counts[name], report.quality[name]) for name in DEFINITIONS}
    return (
        f"PRs opened: {shown['opened']}; merged during the period: {shown['merged']}; "
        f"closed without merge: {shown['closed_without_merge']}; "
        f"still open at period end: {shown['opened_and_still_open']}."
    )


def render(report: Report) -> str:
    """Render as Markdown (GitHub's dialect)."""
    return "\n".join(_lines(report)) + "\n"


def _lines(report: Report) -> Iterator[str]:
    yield f"# {escape(heading(report))}"
    yield ""
    yield escape(period_line(report))
    yield ""
    yield f"- {count_line(report)}"
    yield f"- {excluded_line(report.exclusions)}"
    yield from _more_counts(report)
    yield from _of_which(report)
    yield from reconciliation_lines(report.reconciliation)
    yield from _coverage(report)
    yield from basis_table(report.ledger, report.exclusions)
    yield from _base_table(report)
    yield from _released(report)
    for name, words in _SECTIONS:
        yield from _section(report, words, report.entries[name])
    yield from _section(report, "Merged or closed without any date", report.ledger.undated)
    yield from _footer(report)


def _more_counts(report: Report) -> Iterator[str]:
    counts, quality = report.counts, report.quality
    parts = [f"{words}: {figure(counts[name], quality[name])}" for name, words in _FURTHER]
    yield f"- {'; '.join(parts)}."
    balance = report.ledger.balance
    if balance is None:
        yield "- Balance: unknown."
    elif balance == 0:
        yield (
            "- Balance: open at start + opened + reopened = merged + closed + open at end, exactly."
        )
    else:
        yield f"- Balance: off by {balance}; please report this as a fault."


def _of_which(report: Report) -> Iterator[str]:
    for name in ("opened", "merged"):
        parts = sentence(report, name)
        if parts:
            yield f"- Of those {name}: {parts}."


def _coverage(report: Report) -> Iterator[str]:
    yield ""
    yield "## Coverage"
    yield ""
    if proven(report):
        yield "Complete: nothing is known to be missing for this period."
    else:
        yield from (escape(coverage_summary(report)), "")
    for doubt in report.coverage:
        yield f"- {escape(doubt.says[:1].upper() + doubt.says[1:])}."
    for said in report.places.doubts if report.places else ():
        yield f"- {escape(said[:1].upper() + said[1:])}."
    if report.is_cut:
        yield f"- The period was cut at {local(report.end, report.period.zone)}."


def _base_table(report: Report) -> Iterator[str]:
    table = report.ledger.by_base
    # a column in which nothing is known says nothing
    columns = [
        column
        for column in (*_COLUMNS, "retargeted_in", "retargeted_out")
        if any(row[column] is not None for row in table.values())
    ]
    if not columns:
        return
    yield from ("", "## By base branch", "")
    yield f"| base | {' | '.join(column.replace('_', ' ') for column in columns)} |"
    yield f"|---|{'---:|' * len(columns)}"
    for group in GROUPS:
        if group in table:
            row = [table[group][column] for column in columns]
            cells = ["unknown" if value is None else f"{value:,}" for value in row]
            yield f"| {group} | {' | '.join(cells)} |"


def _released(report: Report) -> Iterator[str]:
    if report.places is None or not report.places.released:
        return
    yield from ("", f"## Released in this period ({len(report.places.released)})", "")
    for one in report.places.released:
        also = "".join(f", {escape(alias)}" for alias in one.aliases)
        when = local(one.at, report.period.zone)
        doubt = " (assumed)" if one.evidence == "assumed" else ""
        against = f" against {escape(one.against)}" if one.against else ""
        brings = "contents not recorded"
        if one.new is not None and one.removed is not None:
            brings = f"{one.new:,} new, {one.removed:,} removed{against}"
        command = f"shipledger release {report.full_name} {one.tag}"
        yield f"- {escape(one.tag)}{also} — {when}{doubt}: {brings}; `{command}`"


def _section(report: Report, words: str, entries: tuple[LedgerEntry, ...]) -> Iterator[str]:
    if not entries:
        return
    yield from ("", f"## {words} ({len(entries):,})", "")
    shared = set(notes(entries[0])).intersection(*(notes(entry) for entry in entries))
    for note in sorted(shared):
        yield from (f"All of these: {note}.", "")
    for entry in sorted(entries, key=lambda entry: (entry.at, entry.number)):
        yield _line(report, entry, shared)


def _line(report: Report, entry: LedgerEntry, shared: set[str]) -> str:
    shown = report.requests.get(entry.number)
    author = f", {escape(shown.author)}" if shown and shown.author else ""
    base = f" [{escape(entry.base)}]" if entry.base else ""
    said = "".join(f" ({note})" for note in notes(entry) if note not in shared)
    when = local(entry.at, report.period.zone)
    where = escape(_where(report, entry.number))
    return f"- #{entry.number} {escape(title(shown))}{base} — {when}{author}{where}{said}"


def _where(report: Report, number: int) -> str:
    placed = report.places.requests.get(number) if report.places else None
    if placed is None:
        return ""
    on = f"; on {', '.join(placed.branches)}" if placed.branches else ""
    inside = f"; in {', '.join(placed.first)}" if placed.first else ""
    later = len(placed.releases) - len(placed.first)
    return f"{on}{inside}{f' and {later} more' if later else ''}"


def _footer(report: Report) -> Iterator[str]:
    yield from ("", "---", "")
    yield (
        f"As of {rfc3339(report.as_of)}, known at {rfc3339(report.known_at)}"
        f"{' (settled)' if report.settled else ''}. "
        "Every figure can be traced: `--format json` names the record behind each row."
    )


def escape(text: str) -> str:
    """Make text from outside mean itself in Markdown, and mention nobody."""
    return _SPECIAL.sub(r"\\\1", text).replace("@", "@\u2060")
