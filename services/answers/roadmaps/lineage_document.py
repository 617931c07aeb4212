"""How roadmaps follow each other, and what slipped, as a document."""

from collections.abc import Sequence

from projections.roadmap_status.lineage import Step, Thread, Unread
from services.documents.model import Document, List, Paragraph


def lineage_document(
    number: int, steps: Sequence[Step], threads: Sequence[Thread], unread: Sequence[Unread]
) -> Document:
    """Write how roadmaps follow each other, and what slipped."""
    follows = [*map(_step, steps), *map(_unread, unread)]
    slipped = [
        f"slipped {'once' if thread.slipped == 1 else f'{thread.slipped} times'}: {thread.title}"
        for thread in threads
        if thread.slipped
    ]
    blocks = [List(tuple(lines)) for lines in (follows, slipped) if lines]
    alone = Paragraph("no roadmap continues this one, and it continues none")
    return Document(title=f"Before and after roadmap #{number}", blocks=tuple(blocks or [alone]))


def _step(step: Step) -> str:
    slipped = sum(carried.slipped for carried in step.carried.carried)
    return (
        f"#{step.old} is continued in #{step.new}: {len(step.carried.carried)} items carried over, "
        f"{slipped} of them not done, {len(step.carried.left_open)} left open, "
        f"{len(step.carried.left_dropped)} dropped, "
        f"{len(step.carried.fresh)} fresh"
    )


def _unread(named: Unread) -> str:
    relation = "continues" if named.before else "is continued in"
    return (
        f"#{named.roadmap} {relation} {named.other}, of which no text is recorded: what was "
        "carried over cannot be told"
    )
