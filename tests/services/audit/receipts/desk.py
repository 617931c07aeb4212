"""A log that grows, its read model, and reports with receipts made on it."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from pathlib import Path

from sqlalchemy import Engine

from events.identity import RepositoryKey
from events.log.memory import MemoryLog
from events.record import Record
from projections.engine.read_model import ReadModel
from projections.engine.runner import Runner
from projections.release_inclusion.view import HistoryCache
from services.answers.questions.period import moment, period
from services.answers.questions.question import ReportQuestion
from services.answers.releases.asking import release_settings
from services.answers.reports.assemble import Report, assemble
from services.answers.reports.exclusion_rules import exclusion_rules
from services.answers.reports.render import render
from services.audit.configuration import record_configuration, record_rules
from services.audit.receipts.making import make_receipt
from services.audit.receipts.receipt import Receipt
from services.audit.receipts.verifying import Verdict, verify
from services.audit.restatements import (
    Restatement,
    compare,
    edition_before,
    file_before,
    known_before,
)
from services.config.exclusions import ExclusionSettings
from services.config.settings import Decided, RepositorySettings, Settings
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


@dataclass(kw_only=True)
class Desk:
    """What `services.audit.receipts.ground.Ground` asks for, and the means to make things
    happen."""

    settings: Settings = field(default_factory=lambda: Settings(data=Path("unused")))
    clock: SetClock = field(default_factory=SetClock)
    partition_of: Callable[[RepositoryKey], str] = str
    engine: Engine = field(default_factory=memory_engine)

    def __post_init__(self) -> None:
        self.log = MemoryLog(self.clock)
        self.model = ReadModel(self.engine)

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
        releases = release_settings(self.settings, "acme/widget")
        return ReportQuestion(
            full_name="acme/widget",
            period=period(start, end, tz),
            as_of=None if as_of is None else moment(as_of),
            known_at=None if known_at is None else at(known_at),
            roles=self.settings.roles("acme/widget"),
            families=releases.families,
            aliases=releases.aliases,
            rules=exclusion_rules(self.settings, "acme/widget"),
        )

    def make(self, start: str, end: str, *, form: str = "md", **asked: str) -> Made:
        """Make a report with its receipt."""
        question = self.question(start, end, **asked)
        with self.model.snapshot() as snapshot:
            report = assemble(snapshot, question, HistoryCache())
            text = render(report, form)
            receipt = make_receipt(self, snapshot, report, question, text, form)
        return Made(report=report, text=text, receipt=receipt)

    def verify(self, receipt: Receipt) -> Verdict:
        """Verify on what is known now."""
        with self.model.snapshot() as snapshot:
            return verify(self, snapshot, receipt)

    def compare(self, start: str, end: str, then: str, **asked: str) -> Restatement:
        """Compare with what was known at a time."""
        question = self.question(start, end, **asked)
        with self.model.snapshot() as snapshot:
            before = known_before(self, snapshot, question, at(then))
            return compare(self, snapshot, question, before)

    def compare_edition(self, start: str, end: str, named: str, **asked: str) -> Restatement:
        """Compare with a file or an edition."""
        question = self.question(start, end, **asked)
        with self.model.snapshot() as snapshot:
            path = Path(named)
            found = (
                file_before(self, snapshot, question, path)
                if path.exists()
                else edition_before(self, snapshot, question, named)
            )
            return compare(self, snapshot, question, found)
