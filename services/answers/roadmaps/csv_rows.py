"""A roadmap as rows, one an item; times are RFC 3339 in UTC."""

import csv
import io
from typing import Final

from projections.roadmap_status.context import RoadmapView, ViewedItem
from services.answers.reports.wording import rfc3339
from services.answers.roadmaps.asking import RoadmapAnswers
from services.answers.roadmaps.documents import item

COLUMNS = (
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
)
#: A cell that begins so is taken for a formula by spreadsheets.
_FORMULA: Final = ("=", "+", "-", "@", "\t", "\r")


def render(table: RoadmapAnswers, shown: RoadmapView) -> str:
    """Render as CSV with a header."""
    buffer = io.StringIO()
    writer = csv.writer(buffer, lineterminator="\n")
    writer.writerow(COLUMNS)
    for one in shown.items:
        writer.writerow([_cell(cell) for cell in _row(table, one)])
    return buffer.getvalue()


def _row(table: RoadmapAnswers, one: ViewedItem) -> list[str]:
    judged, document = one.judged, item(table.desk, one)
    return [
        judged.id,
        " > ".join(judged.match.item.section),
        judged.match.item.title,
        judged.match.item.claim.state.value,
        " ".join(judged.match.item.claim.branches),
        judged.status.kind.value,
        " ".join(judged.status.branches),
        rfc3339(judged.status.since) or "",
        " ".join(document["releases"]),
        " ".join(f"{part.name}:{part.state.outcome.value}" for part in judged.parts),
        "; ".join(f"{drift.kind.value}: {drift.text}" for drift in one.drift),
        "; ".join(hint.kind.value for hint in one.hints),
        " ".join(document["evidence"]),
    ]


def _cell(text: str) -> str:
    return f"'{text}" if text.startswith(_FORMULA) else text
