"""C8: a clock jumps ten years forward and back; the records of then say so, everywhere."""

from pathlib import Path

import pytest
from prometheus_client import CollectorRegistry
from sqlalchemy import Engine

from events.instant import DAY, SECOND, Instant, format_instant
from events.log.memory import MemoryLog
from events.record import Record
from projections.engine.read_model import ReadModel
from projections.engine.runner import Runner
from projections.store import progress as reading
from projections.store.progress import CLOCK_TOLERANCE
from services.answers.questions.period import period
from services.answers.questions.question import ReportQuestion
from services.answers.reports.answer import report_answer
from services.answers.reports.assemble import Report, assemble
from services.api.health import measure
from services.config.settings import ReadinessSettings, load
from services.logs.sqlite import SqliteLog
from services.processes.doctor import examine
from services.runtime.clock import wall_clock
from services.runtime.telemetry import Metrics
from services.stream.clock_ahead import ahead_of_clock, stamped_ahead
from services.stream.health import Health, State
from tests.answers import report_text
from tests.builders import REPO, at, close, pull_request
from tests.engines import NewEngine
from tests.lab import created
from tests.services_fixtures import Run
from tests.worlds import SetClock, memory_engine

NOW = at("06-10")
TEN_YEARS = 3_650 * DAY


class Jumping:
    """A log whose clock was ahead for one record, read by a reader with the same clock."""

    def __init__(self, engine: Engine | None = None, by: Instant = TEN_YEARS) -> None:
        self.clock = SetClock(at("01-01"))
        self.log = MemoryLog(self.clock)
        self.engine = engine or memory_engine()
        self.arrive(created()[1], at("01-01"))
        self.arrive(pull_request("a", 1, "opened", "06-01"), at("06-01"))
        self.arrive(pull_request("b", 2, "opened", "06-02"), NOW + by)
        self.arrive(close("c", 1, "06-09"), NOW)

    def arrive(self, record: Record, now: Instant) -> None:
        self.clock.now = now
        self.log.append([record])
        Runner(self.engine, self.log, self.clock).catch_up()

    def health(self) -> State:
        return Health(
            read_model=ReadModel(self.engine),
            log=self.log,
            clock=self.clock,
            limits=ReadinessSettings(),
            fault=lambda: None,
        ).look()

    def report(self, end: str = "2026-07-01", known_at: Instant | None = None) -> Report:
        asked = ReportQuestion(
            full_name="acme/widget", period=period("2026-06-01", end, "UTC"), known_at=known_at
        )
        with ReadModel(self.engine).snapshot() as snapshot:
            return assemble(snapshot, asked)


def test_the_process_can_be_asked_and_says_which_records_are_stamped_in_the_future() -> None:
    state = Jumping().health()
    assert state.ready
    (warning,) = state.warnings
    assert warning.startswith(f"{REPO}: records are stamped up to 2036-")
    assert "3,650.0 days ahead of this clock (2026-06-10T00:00:00Z)" in warning
    assert state.clock_ahead_seconds == pytest.approx(TEN_YEARS / SECOND)
    metrics = Metrics(CollectorRegistry())
    measure(metrics, state)
    value = metrics.registry.get_sample_value("shipledger_clock_ahead_seconds")
    assert value == pytest.approx(TEN_YEARS / SECOND)


@pytest.mark.parametrize("by", [-DAY, 0, SECOND, CLOCK_TOLERANCE])
def test_clocks_that_agree_within_minutes_are_no_news(by: Instant) -> None:
    bench = Jumping(by=by)
    bench.clock.now = NOW + SECOND
    assert bench.health().warnings == ()
    assert not bench.report().stamped_ahead
    assert ahead_of_clock("p", NOW + CLOCK_TOLERANCE, NOW) is None


def test_until_when_everything_was_read_goes_back_with_the_clock(new_engine: NewEngine) -> None:
    bench = Jumping(new_engine())
    report = bench.report()
    assert report.caught_up_at == NOW
    assert report.end == NOW
    assert report.is_cut


def test_a_reader_that_writes_a_little_later_than_another_takes_nothing_back(
    new_engine: NewEngine,
) -> None:
    engine = new_engine()
    with engine.begin() as connection:
        reading.mark_all(connection, reading.LIVE, NOW)
        reading.mark_all(connection, reading.LIVE, NOW - 3_000 * SECOND)
        assert reading.caught_up_at(connection, ["x"], ["p"])["p"] == NOW
        reading.mark_all(connection, reading.LIVE, NOW - 3_601 * SECOND)
        assert reading.caught_up_at(connection, ["x"], ["p"])["p"] == NOW - 3_601 * SECOND


def test_a_report_says_that_records_are_stamped_ahead_also_where_it_leaves_them_out() -> None:
    bench = Jumping()
    whole, earlier = bench.report(), bench.report(known_at=NOW)
    assert (whole.counts["opened"], earlier.counts["opened"]) == (2, 1)
    for report in (whole, earlier):
        assert report.stamped_ahead
        assert report_answer(report).stamped_ahead is True
        for form in ("txt", "md", "html"):
            words = " ".join(report_text(report, form).split())
            assert "a clock was ahead when they were recorded" in words
    assert "stamped_ahead" not in report_text(Jumping(by=0).report(), "json")


def test_the_read_model_names_its_partitions_on_both_engines(new_engine: NewEngine) -> None:
    bench = Jumping(new_engine())
    with bench.engine.connect() as connection:
        (warning,) = stamped_ahead(connection, NOW)
        assert warning.startswith(REPO)
        assert stamped_ahead(connection, NOW + TEN_YEARS) == []


def test_doctor_and_every_command_say_so(shipledger: Run, tmp_path: Path) -> None:
    ahead = wall_clock() + TEN_YEARS
    folder = tmp_path / "data"
    folder.mkdir()
    log = SqliteLog(folder / "log.sqlite", clock=lambda: ahead)
    log.append([created()[1], pull_request("a", 1, "opened", "06-01")])
    log.close()
    findings = examine(load(data=folder))
    faults = [finding.says for finding in findings if finding.verdict == "fault"]
    assert len(faults) == 1
    assert f"stamped up to {format_instant(ahead + 1)}" in faults[0]
    done = shipledger("repositories", "list", "--data", str(folder))
    assert done.exit_code == 0, done.output
    assert f"warning: {REPO}: records are stamped up to" in done.stderr
