"""A log that grows, its read model, and reports with receipts made on it."""

from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path

import msgspec
from sqlalchemy import Engine

from events.log.memory import MemoryLog
from events.record import Record
from projections.engine.read_model import ReadModel
from projections.engine.runner import Runner
from projections.release_inclusion.view import HistoryCache
from services.answers.questions.builder import QuestionBuilder, QuestionRequest
from services.answers.questions.question import ReportQuestion
from services.answers.reports.assemble import Report, assemble
from services.audit.configuration import record_configuration, record_rules
from services.audit.receipts.making import make_receipt
from services.audit.receipts.printing import printed_forms
from services.audit.receipts.receipt import Receipt
from services.audit.receipts.verifying import Verdict, verify
from services.audit.restatements import (
    Restatement,
    compare,
    edition_before,
    file_before,
    known_before,
)
from services.config.repository import ExclusionSettings, RepositorySettings
from services.config.settings import Decided, Settings
from services.documents.forms import render
from services.stream.stores import Stores
from tests.answers import report_text, stores_of
from tests.builders import at
from tests.worlds import SetClock, memory_engine


def configured(**exclusions: tuple[str, ...]) -> Settings:
    """Return settings in which acme/widget has these rules."""
    repository = RepositorySettings(
        name="acme/widget", id=1001, exclusions=ExclusionSettings(**exclusions)
    )
    return Settings(data=Path("unused"), decided=Decided(repositories=(repository,)))


@dataclass(frozen=True, kw_only=True)
class Made:
    """A report as it was made."""

    report: Report
    text: str
    receipt: Receipt
    printed: str


@dataclass(kw_only=True)
class Desk:
    """What receipts are made on, and the means to make things happen."""

    settings: Settings = field(default_factory=lambda: Settings(data=Path("unused")))
    clock: SetClock = field(default_factory=SetClock)
    engine: Engine = field(default_factory=memory_engine)

    def __post_init__(self) -> None:
        self.log = MemoryLog(self.clock)
        self.model = ReadModel(self.engine)

    @property
    def stores(self) -> Stores:
        """What receipts are made on, as it is now."""
        return stores_of(self.model, log=self.log, clock=self.clock, settings=self.settings)

    def configure(self, when: str, settings: Settings) -> None:
        """From then on these are the settings, and recorded so."""
        self.clock.now = at(when)
        self.settings = settings
        record_configuration(self.log, settings, self.clock)
        record_rules(self.log, settings, self.clock)

    def receive(self, arrivals: Iterable[tuple[str, Record]]) -> None:
        """Take records at their times."""
        for when, record in arrivals:
            self.clock.now = at(when)
            self.log.append([record])

    def catch_up(self, until: str) -> None:
        """Read the log to its end, at a time."""
        self.clock.now = at(until)
        Runner(self.engine, self.log, self.clock).catch_up()

    def question(
        self,
        start: str,
        end: str,
        *,
        tz: str = "UTC",
        known_at: str | None = None,
        as_of: str | None = None,
    ) -> ReportQuestion:
        """Ask as the command does."""
        request = QuestionRequest(
            repository="acme/widget", start=start, end=end, zone=tz, as_of=as_of
        )
        question = QuestionBuilder(self.settings).report(request)
        known = None if known_at is None else at(known_at)
        return msgspec.structs.replace(question, known_at=known)

    def make(self, start: str, end: str, *, form: str = "md", **asked: str) -> Made:
        """Make a report with its receipt."""
        question = self.question(start, end, **asked)
        with self.model.snapshot() as snapshot:
            report = assemble(snapshot, question, HistoryCache())
            text = report_text(report, form)
            receipt = make_receipt(self.stores, snapshot, report, question, text, form)
            printed = render(printed_forms(self.stores, snapshot, report, question, form), form)
        return Made(report=report, text=text, receipt=receipt, printed=printed)

    def verify(self, receipt: Receipt) -> Verdict:
        """Verify on what is known now."""
        with self.model.snapshot() as snapshot:
            return verify(self.stores, snapshot, receipt)

    def compare(self, start: str, end: str, then: str, **asked: str) -> Restatement:
        """Compare with what was known at a time."""
        question = self.question(start, end, **asked)
        with self.model.snapshot() as snapshot:
            before = known_before(self.stores, snapshot, question, at(then))
            return compare(self.stores, snapshot, question, before)

    def compare_edition(self, start: str, end: str, named: str, **asked: str) -> Restatement:
        """Compare with a file or an edition."""
        question = self.question(start, end, **asked)
        with self.model.snapshot() as snapshot:
            path = Path(named)
            found = (
                file_before(self.stores, snapshot, question, path)
                if path.exists()
                else edition_before(self.stores, snapshot, question, named)
            )
            return compare(self.stores, snapshot, question, found)
