"""The answers about roadmaps by kind and format: JSON, Markdown, CSV, HTML."""

import json
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Final

from events.errors import InvalidQuestion
from events.instant import DAY, Instant
from projections.roadmap_status.lineage import steps, threads
from projections.roadmap_status.progress import change_log, moments, series
from projections.roadmap_status.release_matrix import matrix
from services.answers.reports.render.html_page import page
from services.answers.roadmaps import csv_rows, documents, markdown
from services.answers.roadmaps.asking import RoadmapAnswers
from services.answers.roadmaps.propose import Proposal, propose

#: Name -> media type.
MEDIA: Final = {
    "json": "application/json",
    "md": "text/markdown; charset=utf-8",
    "csv": "text/csv; charset=utf-8",
    "html": "text/html; charset=utf-8",
}
_YEAR: Final = 365 * DAY


@dataclass(frozen=True, slots=True)
class _Answer:
    """One answer in its forms; only a board has rows."""

    heading: str
    document: Callable[[], dict[str, Any]]
    text: Callable[[], str]
    rows: Callable[[], str] | None = None


def check(form: str) -> None:
    """Raise InvalidQuestion for a format that does not exist."""
    if form not in MEDIA:
        raise InvalidQuestion(f"unknown format {form!r}; there are: {', '.join(MEDIA)}")


def render_listing(table: RoadmapAnswers, form: str) -> str:
    """Render which roadmaps there are."""
    heading = f"Roadmaps of {table.asked.full_name}"
    answer = _Answer(heading, lambda: documents.listing(table), lambda: markdown.listing(table))
    return _render(answer, form)


def render_board(table: RoadmapAnswers, number: int, form: str, *, only_drift: bool = False) -> str:
    """Render one roadmap, or its drift alone."""
    shown = table.desk.view_of(number)
    answer = _Answer(
        markdown.heading(table, shown),
        lambda: _drifting(documents.board(table, shown), only_drift=only_drift),
        lambda: markdown.board(table, shown, only_drift=only_drift),
        lambda: csv_rows.render(table, shown),
    )
    return _render(answer, form)


def render_changes(
    table: RoadmapAnswers, number: int, start: Instant, end: Instant, form: str
) -> str:
    """Render what the text changed between two moments."""
    log = change_log(table.desk, number, start, end)
    answer = _Answer(
        f"Changes of roadmap #{number}",
        lambda: documents.change_log(table, log),
        lambda: markdown.changes(log),
    )
    return _render(answer, form)


def render_series(table: RoadmapAnswers, number: int, form: str, *, days: int = 7) -> str:
    """Render the statuses over time: from the first edition, or a year back, to T."""
    end = table.desk.as_of
    first = table.desk.walk(number).versions[0].at
    found = list(series(table.desk, number, moments(max(first, end - _YEAR), end, days=days)))
    answer = _Answer(
        f"Roadmap #{number} over time",
        lambda: documents.series(table, found),
        lambda: markdown.series(found),
    )
    return _render(answer, form)


def render_matrix(table: RoadmapAnswers, number: int, form: str, *, words: str = "") -> str:
    """Render items by releases."""
    rows = matrix(table.desk, table.desk.view_of(number), words)
    answer = _Answer(
        f"Releases of roadmap #{number}",
        lambda: documents.matrix(table, rows),
        lambda: markdown.matrix(rows),
    )
    return _render(answer, form)


def render_lineage(table: RoadmapAnswers, number: int, form: str) -> str:
    """Render how the roadmap follows others and is followed, and what slipped."""
    table.desk.roadmap(number)
    chain = steps(table.desk, number)
    found = threads(table.desk, chain)
    answer = _Answer(
        f"Before and after roadmap #{number}",
        lambda: documents.lineage(table, chain, found),
        lambda: markdown.lineage(chain, found),
    )
    return _render(answer, form)


def proposal(table: RoadmapAnswers, number: int) -> Proposal:
    """Return the roadmap's own text with the status words that the facts prove."""
    shown = table.desk.view_of(number)
    return propose(shown, table.desk.text(shown.edition), table.desk.drift_context)


def _drifting(document: dict[str, Any], *, only_drift: bool) -> dict[str, Any]:
    if only_drift:
        document["items"] = [one for one in document["items"] if one["drift"]]
    return document


def _render(answer: _Answer, form: str) -> str:
    check(form)
    if form == "json":
        return json.dumps(answer.document(), ensure_ascii=False, indent=2) + "\n"
    if form == "md":
        return answer.text()
    if form == "html":
        return page(answer.heading, answer.text())
    if answer.rows is None:
        raise InvalidQuestion("only a roadmap itself can be had as csv; ask for json or md")
    return answer.rows()
