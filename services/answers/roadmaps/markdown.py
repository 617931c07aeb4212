"""Answers about roadmaps in Markdown, for people and for the page made from it."""

from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby
from typing import Final

from events.instant import Instant
from projections.roadmap_status.context import RoadmapView, ViewedItem
from projections.roadmap_status.drift.drift import Drift
from projections.roadmap_status.drift.release_holds import Extent
from projections.roadmap_status.items.claims import Claim
from projections.roadmap_status.lineage import Step, Thread
from projections.roadmap_status.progress import ChangeLog, Point
from projections.roadmap_status.release_matrix import Row, releases_of
from projections.roadmap_status.status.facts import Outcome
from projections.roadmap_status.status.parts import Part
from projections.roadmap_status.status.status import Status, StatusKind
from services.answers.releases.wording import day, listed
from services.answers.reports.render.markdown import escape
from services.answers.reports.wording import rfc3339
from services.answers.roadmaps.asking import RoadmapAnswers

_FEW: Final = 3
_SIGNS: Final = {
    Extent.WHOLE: "yes",
    Extent.PARTLY: "partly",
    Extent.NOT: "–",
    Extent.UNKNOWN: "?",
}


def heading(table: RoadmapAnswers, shown: RoadmapView) -> str:
    """Write the title of a roadmap's page."""
    return f"Roadmap #{shown.roadmap.number} of {table.asked.full_name}"


def listing(table: RoadmapAnswers) -> str:
    """Write which roadmaps there are."""
    rows = [
        (f"#{one.number}", escape(one.title), one.state.value if one.state else "unknown")
        for one in table.desk.roadmaps
    ]
    return "\n".join(_table(("roadmap", "title", "state"), rows)) + "\n"


def board(table: RoadmapAnswers, shown: RoadmapView, *, only_drift: bool = False) -> str:
    """Write a roadmap: its drift first, the gravest first, then all items with their status."""
    lines = [f"# {escape(heading(table, shown))}", "", *_preface(table, shown), ""]
    lines += _drifts(shown.items)
    if not only_drift:
        for section, items in groupby(shown.items, lambda one: one.judged.match.item.section):
            lines += ["", f"## {escape(' › '.join(section) or 'Items')}", ""]
            for one in items:
                lines += _item(one)
    return "\n".join(lines).rstrip("\n") + "\n"


def status_words(status: Status) -> str:
    """Write a status with its branches."""
    on = f" on {branch_words(status.branches)}" if status.branches else ""
    draft = " (draft)" if status.draft else ""
    together = ", together" if status.scattered else ""
    return f"{'at least ' if status.at_least else ''}{status.kind}{draft}{on}{together}"


def branch_words(branches: Sequence[str]) -> str:
    """Write branches, only the first few by name."""
    named, more = branches[:_FEW], len(branches) - _FEW
    return listed([*named, *([f"{more} more"] if more > 0 else [])])


def claim_words(claim: Claim) -> str:
    """Write a claim."""
    on = f" on {listed(claim.branches)}" if claim.branches else ""
    return f"{claim.state}{on}"


def changes(log: ChangeLog) -> str:
    """Write what changed in a text."""
    since = day(log.before.version.at) if log.before is not None else "nothing"
    lines = [f"From {since} to {day(log.after.version.at)}, {log.editions} editions:", ""]
    for one in log.changes:
        between = " → ".join(escape(text) for text in (one.before, one.after) if text)
        lines.append(f"* {one.kind}: **{escape(one.title)}**{f': {between}' if between else ''}")
    return "\n".join(lines if log.changes else [*lines, "nothing changed"]) + "\n"


def series(points: Iterable[Point]) -> str:
    """Write a roadmap's statuses over time, as a table."""
    found = list(points)
    kinds = [kind for kind in StatusKind if any(one.statuses.get(kind) for one in found)]
    rows = [
        (day(one.at), str(one.items), *(str(one.statuses.get(kind, 0)) for kind in kinds))
        for one in found
    ]
    return "\n".join(_table(("day", "items", *(kind.value for kind in kinds)), rows)) + "\n"


def matrix(rows: Sequence[Row]) -> str:
    """Write items by releases; where no release has an item yet, after which cut it came."""
    shown = releases_of(rows)  # those that hold something: there may be dozens of others
    table = []
    for row in rows:
        held = {one.release.tag: one.extent for one in row.holdings}
        landed = ", ".join(f"{one.branch} {day(one.at)}" for one in row.landings)
        first = row.first.tag if row.first is not None else ""
        if not first and row.after is not None:
            first = f"after the cut of {row.after.tag}"
        cells = (_SIGNS[held.get(one.tag, Extent.NOT)] if held else "" for one in shown)
        title = escape(row.item.judged.match.item.title)
        table.append((title, landed, first, *cells))
    return "\n".join(_table(("item", "landed", "first", *(r.tag for r in shown)), table)) + "\n"


def lineage(chain: Sequence[Step], threads: Sequence[Thread]) -> str:
    """Write how roadmaps follow each other, and what slipped."""
    lines = []
    for one in chain:
        slipped = sum(each.slipped for each in one.carried.carried)
        lines.append(
            f"* #{one.old} is continued in #{one.new}: {len(one.carried.carried)} items carried "
            f"over, {slipped} of them not done, {len(one.carried.left_open)} left open, "
            f"{len(one.carried.fresh)} fresh"
        )
    lines += [""] * bool(threads)
    for each in threads:
        if each.slipped:
            times = "once" if each.slipped == 1 else f"{each.slipped} times"
            lines.append(f"* slipped {times}: {escape(each.title)}")
    return "\n".join(lines or ["no roadmap continues this one, and it continues none"]) + "\n"


def _preface(table: RoadmapAnswers, shown: RoadmapView) -> Iterator[str]:
    version = shown.edition.version
    title = version.title or shown.roadmap.title
    named = f"**{escape(title)}**, edition of" if title else "Edition of"
    how = ", which an edit replaced before it was ever shown" if version.reconstructed else ""
    yield f"{named} {rfc3339(version.at)}{how}."
    yield (
        f"As of {rfc3339(shown.moment)}, known at {rfc3339(table.asked.known_at)}. "
        f"“Delivered” without a branch is tested on {table.desk.drift_context.default}."
    )
    if table.desk.view is None:
        yield "No git history is recorded: branches are those that GitHub names; no releases."


def _drifts(items: Iterable[ViewedItem]) -> Iterator[str]:
    found = [(drift, one) for one in items for drift in one.drift]
    yield "## Drift"
    yield ""
    for drift, one in sorted(found, key=lambda each: each[0].kind.severity):
        title = escape(one.judged.match.item.title)
        words = f"{escape(drift.text)}{_since(drift.since)}{_quiet(drift)}"
        yield f"* **{drift.kind}**: {title}: {words}"
    if not found:
        yield "Text and facts agree, as far as known."


def _quiet(drift: Drift) -> str:
    quiet = drift.acknowledged
    if quiet is None:
        return f" `{drift.digest}`"
    until = f" until {day(quiet.expires_at)}" if quiet.expires_at is not None else ""
    return f" (acknowledged by {escape(quiet.author)}{until}: {escape(quiet.reason)})"


def _item(one: ViewedItem) -> Iterator[str]:
    judged = one.judged
    claim = judged.match.item.claim
    said = f"; the text: {claim_words(claim)}" if claim.state.value != "none" else ""
    words = f"{status_words(judged.status)}{_since(judged.status.since)}"
    yield f"* **{escape(judged.match.item.title)}** — {words}{said} `{judged.id[:10]}`"
    for part in judged.parts:
        yield f"  * {_part(part)}"
    for hint in one.hints:
        about = f": {escape(', '.join(hint.about))}" if hint.about else ""
        yield f"  * hint: {hint.kind}{about}"


def _part(part: Part) -> str:
    state = part.state
    on = f"{branch_words(state.branches)}, " if state.branches else ""
    words = f"[{on}{state.outcome}]"
    dated = _since(state.since) if state.outcome is not Outcome.UNKNOWN else ""
    title = f" {escape(part.title)}" if part.title else ""
    return f"{escape(part.name)}{title} ({part.role}) {escape(words)}{dated}"


def _since(instant: Instant | None) -> str:
    return "" if instant is None or not instant else f" since {day(instant)}"


def _table(headings: Sequence[str], rows: Iterable[Sequence[str]]) -> Iterator[str]:
    yield f"| {' | '.join(headings)} |"
    yield f"|{'---|' * len(headings)}"
    for row in rows:
        yield f"| {' | '.join(cell.replace('|', '&#124;') for cell in row)} |"
