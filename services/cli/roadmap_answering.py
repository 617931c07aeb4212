"""What the commands about roadmaps share: the table at which they ask."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from projections.release_inclusion.view import HistoryCache
from projections.roadmap_status.editions.walk import EditionCache
from services.answers.questions.period import moment
from services.answers.roadmaps.asking import RoadmapAnswers, open_roadmaps, roadmap_question
from services.cli.answering import up_to_date


@contextmanager
def table(
    repository: str, as_of: str | None, known_at: str | None, data: Path | None
) -> Iterator[RoadmapAnswers]:
    """Open the read model, up to date, at the moment asked for."""
    with up_to_date(data) as stores:
        question = roadmap_question(
            stores.settings,
            repository,
            as_of=None if as_of is None else moment(as_of),
            known_at=None if known_at is None else moment(known_at),
        )
        with stores.read_model.snapshot() as snapshot:
            yield open_roadmaps(snapshot, question, HistoryCache(), EditionCache())
