"""A restatement for readers: short, worst cause first; JSON lists every request."""

from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import groupby
from typing import Final

from projections.period_ledger.quality import named
from services.answers.reports.render.markdown import escape
from services.answers.reports.wording import rfc3339
from services.audit.restatements.figures import Figure, Name
from services.audit.restatements.restatement import Cause, CauseKind, Explained, Restatement, Side
from services.audit.restatements.told import ToldBefore, told_no_more
from services.audit.restatements.tracing import Change

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


def render(found: Restatement) -> str:
    """Render as Markdown (GitHub's dialect)."""
    return "\n".join(_lines(found)) + "\n"


def _lines(found: Restatement) -> Iterator[str]:
    first, last = found.period.first_day.isoformat(), found.period.last_day.isoformat()
    yield f"# What changed: {escape(found.full_name)}, {first} through {last}"
    yield ""
    yield f"Before: {_side(found.before)}. After: {_side(found.after)}."
    yield ""
    if found.empty:
        yield "Nothing changed."
        return
    yield from _table(found.changes)
    for kind, group in groupby(found.requests, key=lambda each: each.cause.kind):
        yield from _section(kind, list(group))
    for cause in found.unlisted:
        yield from ("", f"## Not listed by request: {cause.kind}", "", _unlisted(found, cause))
    yield from _told(found.told)
    yield from _coverage(found)


def _side(side: Side) -> str:
    edition = f"edition {escape(side.edition)}" if side.edition else ""
    known = (
        f"known at {rfc3339(side.known_at)}, cut at {rfc3339(side.end)}" if side.known_at else ""
    )
    return ", ".join(part for part in (edition, known) if part)


def _table(changed: Sequence[Change]) -> Iterator[str]:
    if not changed:
        yield "No figure changed."
        return
    yield from ("| figure | before | after | difference |", "|---|---:|---:|---:|")
    for change in changed:
        difference = "" if change.difference is None else f"{change.difference:+,}"
        yield (
            f"| {_named(change.name)} | {_figure(change.before)} | {_figure(change.after)} "
            f"| {difference} |"
        )


def _section(kind: CauseKind, group: Sequence[Explained]) -> Iterator[str]:
    numbers = {each.number for each in group}
    yield from ("", f"## {_HEADINGS[kind]} ({len(numbers):,})", "")
    for each in group[:_LINES]:
        yield f"- #{each.number}: {_moves(each.moves)} — {_cause(each.cause)}"
    rest = sorted({each.number for each in group[_LINES:]})
    if rest:
        yield f"- also {named(rest)}; JSON lists each with its record"


def _moves(moves: Sequence[tuple[Name, int]]) -> str:
    parts = [f"{_named(name)} {by:+d}" for name, by in moves if name.basis != "filtered"]
    raw = Counter(name.count for name, _ in moves if name.basis == "raw")
    alone = [(name, by) for name, by in moves if name.basis == "filtered" and not raw[name.count]]
    return ", ".join(parts + [f"{_named(name)} {by:+d}" for name, by in alone])


def _cause(cause: Cause) -> str:
    source = f" ({cause.source})" if cause.source else ""
    record = f"record {cause.record}{source}" if cause.record else ""
    when = f"recorded {rfc3339(cause.recorded_at)}" if cause.recorded_at is not None else ""
    return escape(", ".join(part for part in (cause.says, record, when) if part))


def _unlisted(found: Restatement, cause: Cause) -> str:
    parts = [
        f"{_named(change.name)} {change.unlisted:+,}" for change in found.changes if change.unlisted
    ]
    what = ", ".join(parts) or "The receipt tells no figures; they may have been others"
    return f"{what} — {_cause(cause)}."


def _told(found: Sequence[ToldBefore]) -> Iterator[str]:
    """Name the requests that the earlier edition told and the one of now does not."""
    left = sum(one.now != "told" for one in found)
    if not left:
        return
    yield from ("", f"## Told then, and not told now ({left:,} of {len(found):,})", "")
    for now, why, numbers in told_no_more(found):
        yield f"- {now}{f' ({escape(why)})' if why else ''}: {named(numbers)}"
    if left > _LINES:
        yield "- JSON lists each with the theme that it had"


def _coverage(found: Restatement) -> Iterator[str]:
    if not (found.doubts_gone or found.doubts_new):
        return
    yield from ("", "## Coverage", "")
    for doubt in found.doubts_gone:
        yield f"- no longer: {escape(doubt.says)}"
    for doubt in found.doubts_new:
        yield f"- new: {escape(doubt.says)}"
    for cause in found.coverage_records[:_LINES]:
        yield f"- by {_cause(cause)}"


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
