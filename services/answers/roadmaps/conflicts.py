"""How many items of each roadmap say something else than the facts, by kind."""

from collections import Counter

from events.errors import NotFound
from projections.roadmap_status.drift.drift import DriftKind
from services.answers.roadmaps.asking import RoadmapAnswers


def conflicts(roadmaps: RoadmapAnswers) -> Counter[tuple[int, DriftKind]]:
    """Count, by roadmap and kind, the items with a drift that nobody acknowledged.

    An item counts once for each kind, however many of its links differ. A roadmap without any
    conflict is not in it.
    """
    counts: Counter[tuple[int, DriftKind]] = Counter()
    for roadmap in roadmaps.context.roadmaps:
        try:
            items = roadmaps.context.view_of(roadmap.number).items
        except NotFound:  # it has no text yet
            continue
        for item in items:
            kinds = {drift.kind for drift in item.drift if drift.acknowledged is None}
            counts.update((roadmap.number, kind) for kind in kinds)
    return counts
