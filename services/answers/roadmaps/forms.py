"""Answers about roadmaps in their forms. The sheet of a roadmap has one row an item."""

from collections.abc import Iterator
from typing import Final

from events.instant import DAY, Instant
from projections.roadmap_status.context import RoadmapView, ViewedItem
from projections.roadmap_status.lineage import steps, threads, unread
from projections.roadmap_status.progress import change_log, moments, series
from projections.roadmap_status.release_matrix import matrix
from services.answers.reports.wording import rfc3339
from services.answers.roadmaps import answer, document, item_answer
from services.answers.roadmaps.asking import RoadmapAnswers
from services.answers.roadmaps.lineage_answer import lineage_answer
from services.answers.roadmaps.lineage_document import lineage_document
from services.answers.roadmaps.propose import Proposal, propose
from services.documents.csv import Cell, Sheet
from services.documents.forms import Forms

COLUMNS: Final = (
    "id",
    "section",
    "title",
    "claim",
    "claimed_branches",
    "status",
    "branches",
    "since",
    "releases",
    "links",
    "drift",
    "hints",
    "evidence",
    "sub_issues",
)
_YEAR: Final = 365 * DAY


def listing_forms(roadmaps: RoadmapAnswers) -> Forms:
    """Return which roadmaps there are."""
    return Forms(
        document=lambda: document.listing_document(roadmaps),
        answer=lambda: answer.listing_answer(roadmaps),
    )


def roadmap_forms(roadmaps: RoadmapAnswers, number: int, *, only_drift: bool = False) -> Forms:
    """Return one roadmap, or its drift alone; raise NotFound for a number that is none."""
    view = roadmaps.context.view_of(number)
    return Forms(
        document=lambda: document.roadmap_document(roadmaps, view, only_drift=only_drift),
        answer=lambda: answer.roadmap_answer(roadmaps, view, only_drift=only_drift),
        sheet=lambda: _sheet(roadmaps, view),
    )


def changes_forms(roadmaps: RoadmapAnswers, number: int, start: Instant, end: Instant) -> Forms:
    """Return what the text changed between two moments."""
    log = change_log(roadmaps.context, number, start, end)
    return Forms(
        document=lambda: document.changes_document(number, log),
        answer=lambda: answer.changes_answer(roadmaps, log),
    )


def series_forms(roadmaps: RoadmapAnswers, number: int, *, days: int = 7) -> Forms:
    """Return the statuses over time: from the first edition, or a year back, to T."""
    end = roadmaps.context.as_of
    first = roadmaps.context.walk(number).versions[0].at
    at = moments(max(first, end - _YEAR), end, days=days)
    points = list(series(roadmaps.context, number, at))
    return Forms(
        document=lambda: document.series_document(number, points),
        answer=lambda: answer.series_answer(roadmaps, points),
    )


def matrix_forms(roadmaps: RoadmapAnswers, number: int, *, words: str = "") -> Forms:
    """Return items by releases; `words` keeps those that are about them."""
    rows = matrix(roadmaps.context, roadmaps.context.view_of(number), words)
    return Forms(
        document=lambda: document.matrix_document(number, rows),
        answer=lambda: answer.matrix_answer(roadmaps, rows),
    )


def lineage_forms(roadmaps: RoadmapAnswers, number: int) -> Forms:
    """Return how the roadmap follows others and is followed, and what slipped."""
    roadmaps.context.roadmap(number)
    chain = steps(roadmaps.context, number)
    slipping = threads(roadmaps.context, chain)
    without_text = unread(roadmaps.context, number, chain)
    return Forms(
        document=lambda: lineage_document(number, chain, slipping, without_text),
        answer=lambda: lineage_answer(roadmaps, chain, slipping, without_text),
    )


def proposal(roadmaps: RoadmapAnswers, number: int) -> Proposal:
    """Return the roadmap's own text with the status words that the facts prove."""
    context = roadmaps.context
    view = context.view_of(number)
    return propose(view, context.text(view.edition), context.drift_context)


def _sheet(roadmaps: RoadmapAnswers, view: RoadmapView) -> Sheet:
    return Sheet(COLUMNS, tuple(tuple(_row(roadmaps, item)) for item in view.items))


def _row(roadmaps: RoadmapAnswers, viewed: ViewedItem) -> Iterator[Cell]:
    judged = viewed.judged
    item, status = judged.match.item, judged.status
    yield judged.id
    yield " > ".join(item.section)
    yield item.title
    yield item.claim.state.value
    yield " ".join(item.claim.branches)
    yield status.kind.value
    yield " ".join(status.branches)
    yield rfc3339(status.since)
    yield " ".join(item_answer.releases_with(roadmaps.context, viewed))
    yield " ".join(f"{part.name}:{part.state.outcome.value}" for part in judged.parts)
    yield "; ".join(f"{drift.kind.value}: {drift.text}" for drift in viewed.drift)
    yield "; ".join(hint.kind.value for hint in viewed.hints)
    yield " ".join(item_answer.evidence(viewed))
    yield " ".join(f"{part.reference}:{part.state.outcome.value}" for part in viewed.sub_issues)
