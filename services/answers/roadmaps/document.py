"""Answers about roadmaps as documents."""

from collections.abc import Iterator, Sequence
from itertools import groupby
from typing import Final

from events.instant import Instant
from projections.roadmap_status.checked import checked
from projections.roadmap_status.context import RoadmapView, ViewedItem
from projections.roadmap_status.drift.drift import Drift
from projections.roadmap_status.drift.release_holds import Extent
from projections.roadmap_status.items.claims import Claim
from projections.roadmap_status.progress import ChangeLog, Point
from projections.roadmap_status.release_matrix import Row, releases_of
from projections.roadmap_status.status.facts import Outcome
from projections.roadmap_status.status.parts import Part
from projections.roadmap_status.status.status import Status, StatusKind
from projections.roadmap_status.status.subs import SubIssue
from services.answers.releases.wording import day, listed
from services.answers.reports.wording import counted, rfc3339
from services.answers.roadmaps.asking import RoadmapAnswers
from services.documents.model import (
    Block,
    Code,
    Column,
    Document,
    Inline,
    Item,
    List,
    Paragraph,
    Section,
    Strong,
    Table,
    Text,
)

#: So many branches are named.
_FEW: Final = 3
_SIGNS: Final = {
    Extent.WHOLE: "yes",
    Extent.PARTLY: "partly",
    Extent.NOT: "–",
    Extent.UNKNOWN: "?",
}

#: What the signs of the table of releases mean; each means one thing.
_LEGEND: Final = (
    "yes: the release has all of it; partly: some of it; –: the release's history was read and has "
    "none of it; ?: cannot be told; blank: the item names no request that could be looked for."
)


def listing_document(roadmaps: RoadmapAnswers) -> Document:
    """Write which roadmaps there are."""
    rows = (
        (f"#{roadmap.number}", roadmap.title, roadmap.state.value if roadmap.state else "unknown")
        for roadmap in roadmaps.context.roadmaps
    )
    return Document(
        title=f"Roadmaps of {roadmaps.asked.full_name}",
        blocks=(Table(tuple(map(Column, ("roadmap", "title", "state"))), tuple(rows)),),
    )


def roadmap_document(
    roadmaps: RoadmapAnswers, view: RoadmapView, *, only_drift: bool = False
) -> Document:
    """Write a roadmap: its drift first, the gravest first, then all items with their status."""
    sections: list[Block] = list(_cautions(view))
    if not only_drift:
        for section, items in groupby(view.items, lambda item: item.judged.match.item.section):
            lines = tuple(_item(item) for item in items)
            sections.append(Section(" › ".join(section) or "Items", (List(lines),)))
        if view.sub_issues:
            parts = tuple(_sub_issue(part, view.roadmap.number) for part in view.sub_issues)
            sections.append(Section("Sub-issues", (List(parts),)))
    return Document(
        title=f"Roadmap #{view.roadmap.number} of {roadmaps.asked.full_name}",
        blocks=(*_preface(roadmaps, view), Section("Drift", tuple(_drifts(view))), *sections),
    )


def _cautions(view: RoadmapView) -> Iterator[Block]:
    cautions = view.edition.roadmap.cautions
    if cautions:
        lines = tuple(f"line {caution.line}: {caution.about.value}" for caution in cautions)
        yield Section("Lines that read otherwise than they look", (List(lines),))


def status_words(status: Status) -> str:
    """Write a status with its branches."""
    on = f" on {branch_words(status.branches)}" if status.branches else ""
    draft = " (draft)" if status.draft else ""
    together = ", together" if status.scattered else ""
    return f"{'at least ' if status.at_least else ''}{status.kind}{draft}{on}{together}"


def branch_words(branches: Sequence[str]) -> str:
    """Write branches, only the first few by name."""
    more = len(branches) - _FEW
    return listed([*branches[:_FEW], *([f"{more} more"] if more > 0 else [])])


def claim_words(claim: Claim) -> str:
    """Write a claim."""
    on = f" on {listed(claim.branches)}" if claim.branches else ""
    return f"{claim.state}{on}"


def changes_document(number: int, log: ChangeLog) -> Document:
    """Write what changed in a text."""
    since = day(log.before.version.at) if log.before is not None else "nothing"
    span = f"From {since} to {day(log.after.version.at)}, {log.editions} editions:"
    lines: list[Text] = []
    for change in log.changes:
        between = " → ".join(text for text in (change.before, change.after) if text)
        tail = f": {between}" if between else ""
        lines.append((f"{change.kind}: ", Strong(change.title), tail))
    changed: Block = List(tuple(lines)) if lines else Paragraph("nothing changed")
    return Document(title=f"Changes of roadmap #{number}", blocks=(Paragraph(span), changed))


def series_document(number: int, points: Sequence[Point]) -> Document:
    """Write a roadmap's statuses over time, as a table."""
    kinds = [kind for kind in StatusKind if any(point.statuses.get(kind) for point in points)]
    columns = (
        Column("day"),
        Column("items", number=True),
        *(Column(kind.value, number=True) for kind in kinds),
    )
    rows = tuple(
        (
            day(point.at),
            str(point.items),
            *(str(point.statuses.get(kind, 0)) for kind in kinds),
        )
        for point in points
    )
    return Document(title=f"Roadmap #{number} over time", blocks=(Table(columns, rows),))


def matrix_document(number: int, rows: Sequence[Row]) -> Document:
    """Write items by releases; where no release has an item yet, after which cut it came."""
    releases = releases_of(rows)  # those that hold something: there may be dozens of others
    names = ("item", "landed", "first", *(release.tag for release in releases))
    table = tuple(
        (
            row.item.judged.match.item.title,
            _landed(row),
            _first(row),
            *_held(row, [release.tag for release in releases]),
        )
        for row in rows
    )
    columns = tuple(map(Column, names))
    legend = (Paragraph(_LEGEND),) if releases else ()
    return Document(title=f"Releases of roadmap #{number}", blocks=(Table(columns, table), *legend))


def _preface(roadmaps: RoadmapAnswers, view: RoadmapView) -> Iterator[Paragraph]:
    version = view.edition.version
    title = version.title or view.roadmap.title
    heading: tuple[Inline, ...] = (Strong(title), ", edition of") if title else ("Edition of",)
    how = ", which an edit replaced before it was ever shown" if version.reconstructed else ""
    yield Paragraph((*heading, f" {rfc3339(version.at)}{how}."))
    yield Paragraph(
        f"As of {rfc3339(view.moment)}, known at {rfc3339(roadmaps.asked.known_at)}. “Delivered” "
        f"without a branch is tested on {roadmaps.context.drift_context.default}."
    )
    if roadmaps.context.view is None:
        yield Paragraph(
            "No git history is recorded: branches are those that GitHub names; no releases."
        )


def _drifts(view: RoadmapView) -> Iterator[Block]:
    yield Paragraph(checked_words(view))
    drifts = [(drift, item) for item in view.items for drift in item.drift]
    if drifts:
        drifts.sort(key=lambda pair: pair[0].kind.severity)
        yield List(tuple(_drift(drift, item) for drift, item in drifts))


def checked_words(view: RoadmapView) -> str:
    """Write in how many items text and facts differ, and how many cannot be checked."""
    if view.edition.roadmap.empty:
        return "The text is empty: there is nothing to check."
    if not view.items:
        return "The text holds no items: there is nothing to check."
    counts = checked(view.items)
    quiet = f" ({counts.acknowledged} acknowledged)" if counts.acknowledged else ""
    rest = f", {counts.uncheckable} cannot" if counts.uncheckable else ""
    drifts, items = counted(counts.drifts, "drift"), counted(counts.checkable, "item")
    return f"{drifts}{quiet} in {items} that can be checked{rest}."


def _drift(drift: Drift, item: ViewedItem) -> Text:
    title = item.judged.match.item.title
    words = f": {title}: {drift.text}{_since(drift.since)}"
    acknowledgement = drift.acknowledged
    if acknowledgement is None:
        return Strong(drift.kind), f"{words} ", Code(drift.digest)
    until = (
        f" until {day(acknowledgement.expires_at)}"
        if acknowledgement.expires_at is not None
        else ""
    )
    acknowledged = f" (acknowledged by {acknowledgement.author}{until}: {acknowledgement.reason})"
    return Strong(drift.kind), f"{words}{acknowledged}"


def _item(viewed: ViewedItem) -> Item:
    judged = viewed.judged
    claim = judged.match.item.claim
    claim_text = f"; the text: {claim_words(claim)}" if claim.state.value != "none" else ""
    words = f"{status_words(judged.status)}{_since(judged.status.since)}"
    hints = (
        ": ".join(filter(None, (f"hint: {hint.kind}", ", ".join(hint.about))))
        for hint in viewed.hints
    )
    title = Strong(judged.match.item.title)
    return Item(
        (title, f" — {words}{claim_text} ", Code(judged.id[:10])),
        (*map(_part, judged.parts), *map(_sub_issue, viewed.sub_issues), *hints),
    )


def _sub_issue(part: SubIssue, of: int | None = None) -> str:
    title = f" {part.title}" if part.title else ""
    parent = "" if part.parent == of else f" (sub-issue of #{part.parent})"
    known = part.state.outcome is not Outcome.UNKNOWN
    dated = _since(part.state.since) if known else ""
    return f"{part.reference}{title}{parent} [{part.state.outcome}]{dated}"


def _part(part: Part) -> str:
    state = part.state
    on = f"{branch_words(state.branches)}, " if state.branches else ""
    dated = _since(state.since) if state.outcome is not Outcome.UNKNOWN else ""
    title = f" {part.title}" if part.title else ""
    moved = f"transferred to {state.moved_to}, " if state.moved_to is not None else ""
    return f"{part.name}{title} ({part.role}) [{moved}{on}{state.outcome}]{dated}"


def _landed(row: Row) -> str:
    if row.item.judged.status.kind is StatusKind.DROPPED:
        return StatusKind.DROPPED.value
    return ", ".join(f"{landing.branch} {day(landing.at)}" for landing in row.landings)


def _first(row: Row) -> str:
    if row.first is not None:
        return row.first.tag
    return "" if row.after is None else f"after the cut of {row.after.tag}"


def _held(row: Row, tags: Sequence[str]) -> Iterator[str]:
    extents = {holding.release.tag: holding.extent for holding in row.holdings}
    for tag in tags:
        yield _SIGNS[extents.get(tag, Extent.NOT)] if extents else ""


def _since(instant: Instant | None) -> str:
    return "" if instant is None or not instant else f" since {day(instant)}"
