"""For any two known times of a simulated world, what is explained adds up to what differs."""

import random
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

from events.instant import Instant
from events.log.memory import MemoryLog
from projections.engine.read_model import ReadModel
from services.answers.questions.period import Period
from services.answers.questions.question import ReportQuestion
from services.answers.reports.assemble import Report, assemble
from services.audit.restatements import Restatement, compare, known_before
from services.audit.restatements.figures import NAMES, figures
from services.config.settings import Settings
from services.logs.walk import entries
from services.simulator import World, simulate
from tests.projections.release_inclusion.worlds import recorded
from tests.properties.test_counts import ranges
from tests.services.audit.receipts.desk import Desk
from tests.worlds import SECOND, SetClock, log_end, log_of, project, record_of

HOUR = 3_600 * SECOND


@cache
def _world(seed: int) -> World:
    return simulate(seed, pulls=60, days=80)


class Late(Desk):
    """A world in a log, with the times at which its records came and what they are."""

    def __init__(self, world: World, log: MemoryLog, *, git: bool = False) -> None:
        self.settings = Settings(data=Path("unused"))
        self.world, self.log, self.git = world, log, git
        self.clock = SetClock()
        self.model: ReadModel = project(log)
        found = list(entries(log, "github.com/1001"))
        self.known: list[Instant] = [entry.recorded_at for entry in found]
        self.records = {entry.record.id for entry in found}


def late_deliveries(seed: int) -> Late:
    """A world whose deliveries came late, some of them by days, in that order."""
    delays = random.Random(seed)
    late = (2 * SECOND, 2 * SECOND, HOUR, 30 * HOUR, 300 * HOUR)
    deliveries = _world(seed).deliveries
    arrivals = sorted(
        (delivery.at + delays.choice(late), nth) for nth, delivery in enumerate(deliveries)
    )
    records = [record_of(deliveries[nth]) for _, nth in arrivals]
    return Late(_world(seed), log_of(records, lambda nth: arrivals[nth][0]))


def with_git(seed: int, folder: Path) -> Late:
    """A world whose git is read now and then: files, and so classes, are known later."""
    world = _world(seed)
    span = world.truth.end - world.truth.start
    cuts = [world.truth.start + span // 3, world.truth.start + 2 * span // 3]
    return Late(world, recorded(world, folder, cuts=cuts).log, git=True)


@pytest.fixture(
    scope="module",
    params=[
        *("33", "34 with git"),
        *(pytest.param(name, marks=pytest.mark.slow) for name in ("31", "32", "31 with git")),
    ],
)
def late(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Late:
    seed, _, git = request.param.partition(" ")
    if git:
        return with_git(int(seed), tmp_path_factory.mktemp("git"))
    return late_deliveries(int(seed))


def pairs(late: Late, count: int) -> Iterator[tuple[ReportQuestion, Instant]]:
    """Yield random periods with two known times at which something of them was known."""
    chosen = random.Random(17)
    last = log_end(late.log, "github.com/1001")
    periods = list(ranges(late.world, seed=8, randoms=40))
    for _ in range(count):
        start, end = chosen.choice(periods)
        first, second = sorted(
            min(chosen.choice(late.known) + chosen.choice((0, 1, HOUR)), last) for _ in range(2)
        )
        if start < first < second:
            period = Period(start=start, end=end, zone="UTC")
            yield ReportQuestion(full_name="acme/widget", period=period, known_at=second), first


def test_explained_differences_sum_to_the_difference_of_every_count(late: Late) -> None:
    told = 0
    kinds: set[str] = set()
    filtered = 0
    with late.model.snapshot() as snapshot:
        for question, first in pairs(late, 60):
            before = known_before(late.stores, snapshot, question, first)
            assert before.report is not None
            found = compare(late.stores, snapshot, question, before)
            adds_up(found, before.report, assemble(snapshot, question))
            caused(late, found)
            told += len(found.requests)
            kinds |= {each.cause.kind for each in found.requests}
            filtered += sum(change.name.basis == "excluded" for change in found.changes)
    assert told > 100, "hardly anything changed: this world shows nothing"
    assert kinds == {"late record", "later event"}
    assert filtered or not late.git, "no class changed: this world shows nothing"


def adds_up(found: Restatement, before: Report, after: Report) -> None:
    """Every figure is asked for on its own, and differs by what its moves say."""
    first, last = figures(before), figures(after)
    changed = {change.name: change for change in found.changes}
    moved = dict.fromkeys(NAMES, 0)
    for each in found.requests:
        for name, by in each.moves:
            moved[name] += by
    for name in NAMES:
        was, now = first[name].value, last[name].value
        assert was is not None
        assert now is not None
        assert now - was == moved[name], name
        assert name in changed or was == now, name
        assert name not in changed or changed[name].unlisted == 0


def caused(late: Late, found: Restatement) -> None:
    """Every cause is a record of the log that was recorded between the two known times."""
    after, until = found.before.known_at, found.after.known_at
    assert after is not None
    assert until is not None
    for each in found.requests:
        assert each.cause.record in late.records, each
        assert each.cause.recorded_at is not None
        assert after < each.cause.recorded_at <= until, each
