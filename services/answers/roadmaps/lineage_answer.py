"""How roadmaps follow each other, and what slipped, as programs read it."""

from collections.abc import Iterable

import msgspec

from projections.roadmap_status.lineage import Step, Thread, Unread
from services.answers.releases.asked import Asked, asked_fields
from services.answers.roadmaps.asking import RoadmapAnswers


class StepAnswer(msgspec.Struct, frozen=True, kw_only=True, rename={"old": "from", "new": "to"}):
    """One roadmap that is continued in another one."""

    old: int
    new: int
    words: str
    record: str
    carried: int
    slipped: int
    left_done: tuple[str, ...]
    left_dropped: tuple[str, ...]
    left_open: tuple[str, ...]
    fresh: tuple[str, ...]


class PlaceAnswer(msgspec.Struct, frozen=True, kw_only=True):
    """An item in one roadmap."""

    roadmap: int
    item: str


class ThreadAnswer(msgspec.Struct, frozen=True, kw_only=True):
    """One item through several roadmaps, and how often it slipped."""

    title: str
    slipped: int
    places: tuple[PlaceAnswer, ...]


class UnreadAnswer(msgspec.Struct, frozen=True, kw_only=True):
    """A roadmap that is named before or after another one, and of which no text is recorded."""

    roadmap: int
    other: str
    relation: str
    words: str
    record: str


class LineageAnswer(Asked, frozen=True, kw_only=True):
    """How roadmaps follow each other, and what slipped how often."""

    steps: tuple[StepAnswer, ...]
    threads: tuple[ThreadAnswer, ...]
    unread: tuple[UnreadAnswer, ...]


def lineage_answer(
    roadmaps: RoadmapAnswers,
    steps: Iterable[Step],
    threads: Iterable[Thread],
    unread: Iterable[Unread],
) -> LineageAnswer:
    """Return how roadmaps follow each other, and what slipped how often."""
    return LineageAnswer(
        **asked_fields(roadmaps.asked),
        steps=tuple(map(_step, steps)),
        threads=tuple(
            ThreadAnswer(
                title=thread.title,
                slipped=thread.slipped,
                places=tuple(
                    PlaceAnswer(roadmap=number, item=item) for number, item in thread.places
                ),
            )
            for thread in threads
        ),
        unread=tuple(
            UnreadAnswer(
                roadmap=named.roadmap,
                other=named.other,
                relation="before" if named.before else "after",
                words=named.words,
                record=named.named_by,
            )
            for named in unread
        ),
    )


def _step(step: Step) -> StepAnswer:
    return StepAnswer(
        old=step.old,
        new=step.new,
        words=step.words,
        record=step.named_by,
        carried=len(step.carried.carried),
        slipped=sum(carried.slipped for carried in step.carried.carried),
        left_done=tuple(step.carried.left_done),
        left_dropped=tuple(step.carried.left_dropped),
        left_open=tuple(step.carried.left_open),
        fresh=tuple(step.carried.fresh),
    )
