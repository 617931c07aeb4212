"""A restatement in its forms: short for readers, worst cause first; JSON lists every request.

Times are RFC 3339 in UTC.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby
from typing import Final

from projections.period_ledger.quality import named
from services.answers.reports.wording import rfc3339
from services.audit.restatements.answer import restatement_answer
from services.audit.restatements.figures import Figure, Name
from services.audit.restatements.restatement import Cause, CauseKind, Explained, Restatement, Side
from services.audit.restatements.told import ToldBefore, told_no_more
from services.audit.restatements.tracing import Change
from services.documents.forms import Forms
from services.documents.model import Block, Column, Document, List, Paragraph, Section, Table

#: How many requests of one cause have a line of their own; the rest are named by number.
_LINES: Final = 12
_HEADINGS: Final[dict[CauseKind, str]] = {
    "unexplained": "Not explained",
    "rule": "Other rules",
    "retried dead letter": "Records that could not be read then",
    "curation": "Decisions",
    "late record": "Recorded late",
    "later event": "Happened after the earlier cut",
}


def restatement_forms(restatement: Restatement) -> Forms:
    """Return a restatement in its forms."""
    return Forms(
        document=lambda: _document(restatement), answer=lambda: restatement_answer(restatement)
    )


# --- for programs ----------------------------------------------------------------------------


# --- for people ------------------------------------------------------------------------------


def _document(restatement: Restatement) -> Document:
    period = restatement.period
    first, last = period.first_day.isoformat(), period.last_day.isoformat()
    sides = f"Before: {_side(restatement.before)}. After: {_side(restatement.after)}."
    changed: list[Block] = [Paragraph("Nothing changed.")]
    if not restatement.empty:
        changed = list(_changed(restatement))
    return Document(
        title=f"What changed: {restatement.full_name}, {first} through {last}",
        blocks=(Paragraph(sides), *changed),
    )


def _changed(restatement: Restatement) -> Iterator[Block]:
    yield _table(restatement.changes)
    for kind, group in groupby(restatement.requests, key=lambda request: request.cause.kind):
        yield _section(kind, list(group))
    for cause in restatement.unlisted:
        says = Paragraph(_unlisted(restatement, cause))
        yield Section(f"Not listed by request: {cause.kind}", (says,))
    yield from _told(restatement.told)
    yield from _coverage(restatement)


def _side(side: Side) -> str:
    edition = f"edition {side.edition}" if side.edition else ""
    moments = (
        f"known at {rfc3339(side.known_at)}, cut at {rfc3339(side.end)}" if side.known_at else ""
    )
    return ", ".join(part for part in (edition, moments) if part)


def _table(changes: Sequence[Change]) -> Block:
    if not changes:
        return Paragraph("No figure changed.")
    columns = (
        Column("figure"),
        *(Column(name, number=True) for name in ("before", "after", "difference")),
    )
    rows = tuple(
        (
            _named(change.name),
            _figure(change.before),
            _figure(change.after),
            "" if change.difference is None else f"{change.difference:+,}",
        )
        for change in changes
    )
    return Table(columns, rows)


def _section(kind: CauseKind, group: Sequence[Explained]) -> Section:
    numbers = {explained.number for explained in group}
    lines = [
        f"#{explained.number}: {_moves(explained.moves)} — {_cause(explained.cause)}"
        for explained in group[:_LINES]
    ]
    rest = sorted({explained.number for explained in group[_LINES:]})
    if rest:
        lines.append(f"also {named(rest)}; JSON lists each with its record")
    return Section(f"{_HEADINGS[kind]} ({len(numbers):,})", (List(tuple(lines)),))


def _moves(moves: Sequence[tuple[Name, int]]) -> str:
    parts = [f"{_named(name)} {by:+d}" for name, by in moves if name.basis != "filtered"]
    raw = Counter(name.count for name, _ in moves if name.basis == "raw")
    alone = [(name, by) for name, by in moves if name.basis == "filtered" and not raw[name.count]]
    return ", ".join(parts + [f"{_named(name)} {by:+d}" for name, by in alone])


def _cause(cause: Cause) -> str:
    source = f" ({cause.source})" if cause.source else ""
    record = f"record {cause.record}{source}" if cause.record else ""
    when = f"recorded {rfc3339(cause.recorded_at)}" if cause.recorded_at is not None else ""
    return ", ".join(part for part in (cause.says, record, when) if part)


def _unlisted(restatement: Restatement, cause: Cause) -> str:
    parts = [
        f"{_named(change.name)} {change.unlisted:+,}"
        for change in restatement.changes
        if change.unlisted
    ]
    what = ", ".join(parts) or "The receipt tells no figures; they may have been others"
    return f"{what} — {_cause(cause)}."


def _told(requests: Sequence[ToldBefore]) -> Iterator[Section]:
    """Name the requests that the earlier edition told and the one of now does not."""
    missing = sum(request.now != "told" for request in requests)
    if not missing:
        return
    lines = [
        f"{now}{f' ({why})' if why else ''}: {named(numbers)}"
        for now, why, numbers in told_no_more(requests)
    ]
    if missing > _LINES:
        lines.append("JSON lists each with the theme that it had")
    yield Section(
        f"Told then, and not told now ({missing:,} of {len(requests):,})", (List(tuple(lines)),)
    )


def _coverage(restatement: Restatement) -> Iterator[Section]:
    if restatement.doubts_gone or restatement.doubts_new:
        lines = [f"no longer: {doubt.says}" for doubt in restatement.doubts_gone]
        lines += [f"new: {doubt.says}" for doubt in restatement.doubts_new]
        lines += _by(restatement.coverage_records[:_LINES])
        yield Section("Coverage", (List(tuple(lines)),))


def _by(causes: Iterable[Cause]) -> Iterator[str]:
    return (f"by {_cause(cause)}" for cause in causes)


def _named(name: Name) -> str:
    plain = name.count.replace("_", " ")
    return {"raw": plain, "filtered": f"{plain}, filtered", "excluded": f"excluded {plain}"}[
        name.basis
    ]


def _figure(figure: Figure) -> str:
    if figure.value is None:
        return "unknown"
    bound = "" if figure.quality in ("", "exact") else f"{figure.quality.replace('_', ' ')} "
    return f"{bound}{figure.value:,}"
