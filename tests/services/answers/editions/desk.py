"""Editions of small cases and of simulated months."""

from typing import Any

from events.facts.base import Fact
from events.instant import DAY
from events.record import Record
from events.sources.authored import author
from projections.engine.read_model import ReadModel
from projections.release_inclusion.view import HistoryCache
from services.answers.editions.assemble import assemble_edition
from services.answers.editions.edition import Edition
from services.answers.questions.period import period
from services.answers.questions.question import EditionQuestion, ReportQuestion, Stage
from services.config.themes import ThemeSettings
from services.simulator import World
from tests.builders import REPO, at
from tests.lab import Lab
from tests.worlds import project, world_log

#: So that a theme of one change is told too.
SMALL = ThemeSettings(smallest=1)


def edition_of(
    model: ReadModel,
    start: str = "2026-07-01",
    end: str = "2026-08-01",
    *,
    tz: str = "UTC",
    stage: Stage = "",
    full_name: str = "acme/widget",
    themes: ThemeSettings = SMALL,
    **asked: Any,
) -> Edition:
    """Return the edition of [start, end)."""
    question = EditionQuestion(
        report=ReportQuestion(full_name=full_name, period=period(start, end, tz), **asked),
        themes=themes,
        stage=stage,
    )
    with model.snapshot() as snapshot:
        return assemble_edition(snapshot, question, HistoryCache())


def with_facts(arrivals: list[tuple[str, Record]], *facts: tuple[str, Fact]) -> Lab:
    """Return a lab in which our own facts arrived after the deliveries."""
    return Lab([*arrivals, *((when, author(REPO, fact, time=at(when))) for when, fact in facts)])


def simulated(world: World) -> ReadModel:
    """Return the read model of a world, whose reader has long caught up."""
    return project(world_log(world), clock=lambda: world.truth.end + 365 * DAY)
