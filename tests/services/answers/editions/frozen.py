"""A desk at which drafts are made one after the other, and their themes recorded as commands do."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from sqlalchemy import Engine

from events.facts.base import Fact
from events.instant import Instant
from events.log.memory import MemoryLog
from events.record import Record
from events.sources.authored import author
from projections.engine.read_model import ReadModel
from projections.engine.runner import Runner
from projections.release_inclusion.view import HistoryCache
from services.answers.editions.assemble import assemble_edition
from services.answers.editions.edition import Edition
from services.answers.questions.period import period
from services.answers.questions.question import EditionQuestion, ReportQuestion
from services.authoring.grouping import grouping_records
from services.config.repository import ThemeSettings
from tests.builders import REPO
from tests.worlds import SetClock, memory_engine

MINUTE = 60_000_000
DEFAULT = ThemeSettings()


@dataclass(kw_only=True)
class DraftDesk:
    """A log that grows by a minute with each record, and drafts of one period on it."""

    log: MemoryLog
    clock: SetClock
    start: str
    end: str
    settings: ThemeSettings = DEFAULT
    engine: Engine = field(default_factory=memory_engine)

    def __post_init__(self) -> None:
        self.model = ReadModel(self.engine)
        self.catch_up()

    def catch_up(self) -> None:
        """Read the log to its end."""
        Runner(self.engine, self.log, self.clock).catch_up()

    def receive(self, *records: Record) -> Instant:
        """Take records; return when the last of them came."""
        for record in records:
            self.clock.now += MINUTE
            self.log.append([record])
        self.catch_up()
        return self.clock.now

    def decide(self, fact: Fact) -> Instant:
        """Take what a person, or Shipledger, states."""
        return self.receive(author(REPO, fact, time=self.clock.now))

    def draft(
        self,
        *,
        record: bool = True,
        regroup: bool = False,
        known_at: Instant | None = None,
        settings: ThemeSettings | None = None,
    ) -> Edition:
        """Draft the period, and record its themes as a command does."""
        question = EditionQuestion(
            report=ReportQuestion(
                full_name="acme/widget",
                period=period(self.start, self.end, "UTC"),
                known_at=known_at,
            ),
            themes=settings or self.settings,
            regroup=regroup,
        )
        with self.model.snapshot() as snapshot:
            edition = assemble_edition(snapshot, question, HistoryCache())
        if record and known_at is None:
            self.receive(*grouping_records(REPO, edition, self.clock.now))
        return edition


def themes_by_number(edition: Edition) -> dict[tuple[str, int], str]:
    """Return the theme of each number that is told in a section; empty where it fits none."""
    told: dict[tuple[str, int], str] = {
        (theme.section, number): theme.key for theme in edition.themes for number in theme.numbers
    }
    for section, changes in edition.left_over.items():
        told |= {(section, number): "" for change in changes for number in change.numbers}
    return told


def moved(before: Edition, after: Edition) -> set[int]:
    """Return the numbers that are told otherwise in two drafts: elsewhere, or not in both."""
    was, now = themes_by_number(before), themes_by_number(after)
    differing = {place for place in was.keys() | now.keys() if was.get(place) != now.get(place)}
    return {number for _, number in differing}


def named(edition: Edition) -> Mapping[int, str]:
    """Return what the draft says of each request that it names, the last of each."""
    return {move.number: move.says for move in edition.moves if not move.recorded}
