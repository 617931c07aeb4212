"""Answers as tests ask for them: from stores in memory, printed in a format."""

from pathlib import Path
from typing import Any

import msgspec
from sqlalchemy import Engine

from events.facts.editions import Language
from events.log.memory import MemoryLog
from events.log.port import Clock, Log
from projections.engine.read_model import ReadModel
from services.answers.editions.edition import Edition
from services.answers.editions.forms import edition_forms
from services.answers.questions.question import Shape
from services.answers.reports.assemble import Report
from services.answers.reports.forms import report_forms
from services.config.settings import Settings
from services.documents.forms import Forms, render
from services.runtime.data_folder import DataFolder
from services.stream.stores import Stores
from tests.worlds import SetClock

NO_SETTINGS = Settings(data=Path("unused"))


def stores_of(
    model: ReadModel,
    *,
    log: Log | None = None,
    clock: Clock | None = None,
    settings: Settings = NO_SETTINGS,
    engine: Engine | None = None,
) -> Stores:
    """Return stores around a read model; what a test does not care for is empty."""
    clock = clock or SetClock()
    return Stores(
        settings=settings,
        clock=clock,
        folder=DataFolder(settings.data),
        log=log or MemoryLog(clock),
        engine=engine or model.engine,
        read_model=model,
    )


def report_text(report: Report, form: str, *, defined: bool = False) -> str:
    """Print a report."""
    return render(report_forms(report, defined=defined), form)


def edition_text(
    edition: Edition,
    form: str,
    language: Language = "en",
    shape: Shape = "seed",
    *,
    noted: bool = False,
) -> str:
    """Print an edition."""
    return render(edition_forms(edition, language, shape, noted=noted), form)


def plain(forms: Forms) -> Any:
    """Return an answer as programs read it."""
    return msgspec.json.decode(render(forms, "json"))
