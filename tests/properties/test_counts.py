"""Every count of every range, in several zones, on both clocks, equals the simulator's truth."""

import random
from collections.abc import Iterator
from datetime import date, timedelta
from functools import cache

import pytest
from sqlalchemy import Engine

from events.instant import DAY, Instant
from projections.engine.read_model import ReadModel
from projections.period_ledger.counting import balance_gap
from projections.period_ledger.queries import Ledger, ledger
from projections.repositories.branch_roles import BranchRoles, group_of
from projections.store.snapshot import Snapshot
from services.answers.questions.period import midnight
from services.simulator import World, simulate
from services.simulator.counts import counts, counts_by_group
from tests.engines import NewEngine
from tests.worlds import REPO, SECOND, log_of, project, record_of

ZONES = ("UTC", "Asia/Shanghai", "America/Los_Angeles", "Asia/Kolkata")
ROLES = BranchRoles(main=("main",), dev=("dev",), release=("core_r*",))


class Projected:
    """A world in the read model, with the stamp at which each delivery became known."""

    def __init__(self, world: World, seed: int, engine: Engine | None = None) -> None:
        self.world = world
        delays = random.Random(seed)
        self.recorded: list[Instant] = []
        for delivery in world.deliveries:
            arrival = delivery.at + delays.choice((1, 1, 2, 30, 7_200)) * SECOND
            previous = self.recorded[-1] if self.recorded else 0
            self.recorded.append(max(arrival, previous + 1))
        log = log_of(map(record_of, world.deliveries), self.recorded.__getitem__)
        self.model: ReadModel = project(log, engine=engine)

    def deliveries_known(self, known_at: Instant) -> int:
        """Return how many deliveries were recorded by K (inclusive)."""
        return sum(recorded <= known_at for recorded in self.recorded)


@pytest.fixture(scope="module", params=[11, pytest.param(12, marks=pytest.mark.slow)])
def projected(request: pytest.FixtureRequest, lasting_engine: NewEngine) -> Projected:
    return Projected(_world(request.param), request.param, lasting_engine())


@cache
def _world(seed: int) -> World:
    return simulate(seed, pulls=120, days=100)


def ranges(world: World, seed: int, randoms: int) -> Iterator[tuple[Instant, Instant]]:
    """Yield every week and month in every zone, and random ranges, some ending on an event."""
    for zone in ZONES:
        yield from _months(world, zone)
        yield from _weeks(world, zone)
    chosen = random.Random(seed)
    moments = [step.at for pull in world.truth.pulls for step in pull.transitions]
    for _ in range(randoms):
        edges = [chosen.choice(moments) + chosen.choice((0, 0, 1, SECOND)) for _ in range(2)]
        a, b = sorted(edges)
        if a < b:
            yield a, b


def _months(world: World, zone: str) -> Iterator[tuple[Instant, Instant]]:
    start = date(2026, 4, 1)
    while midnight(start, zone) < world.truth.end:
        following = (start + timedelta(days=32)).replace(day=1)
        yield midnight(start, zone), midnight(following, zone)
        start = following


def _weeks(world: World, zone: str) -> Iterator[tuple[Instant, Instant]]:
    start = date(2026, 4, 27)
    while midnight(start, zone) < world.truth.end:
        yield midnight(start, zone), midnight(start, zone, days=7)
        start += timedelta(days=7)


def counted(snapshot: Snapshot, a: Instant, b: Instant, known_at: Instant) -> Ledger:
    return ledger(snapshot, REPO, a, b, known_at, ROLES)


def test_every_range_equals_the_truth_when_all_is_known(projected: Projected) -> None:
    world, known_at = projected.world, projected.recorded[-1]
    with projected.model.snapshot() as snapshot:
        for a, b in ranges(world, seed=1, randoms=60):
            found = counted(snapshot, a, b, known_at)
            assert found.counts == counts(world.truth.pulls, a, b), (a, b)
            assert set(found.quality.values()) == {"exact"}, found.doubts
            assert found.balance == 0


def test_every_range_equals_what_was_knowable_at_any_moment(projected: Projected) -> None:
    world = projected.world
    chosen = random.Random(5)
    with projected.model.snapshot() as snapshot:
        for a, b in ranges(world, seed=2, randoms=60):
            known_at = chosen.choice(projected.recorded) + chosen.choice((0, 0, -1, 3_600 * SECOND))
            b = min(b, known_at)
            if a >= b:
                continue
            pulls = world.truth.pulls_upto(projected.deliveries_known(known_at))
            found = counted(snapshot, a, b, known_at)
            assert found.counts == counts(pulls, a, b), (a, b, known_at)


def test_ledgers_balance_by_base_group(projected: Projected) -> None:
    world, known_at = projected.world, projected.recorded[-1]
    heads = {pull.head for pull in world.truth.pulls if pull.head is not None}
    moved = 0
    with projected.model.snapshot() as snapshot:
        for a, b in ranges(world, seed=3, randoms=40):
            found = counted(snapshot, a, b, known_at)
            for group, row in found.by_base.items():
                known = {name: value for name, value in row.items() if value is not None}
                assert balance_gap(known) == 0, (group, row)
                moved += known["retargeted_in"]
            expected = counts_by_group(
                world.truth.pulls, a, b, lambda base: group_of(base, ROLES, heads)
            )
            assert found.by_base == expected
    assert moved > 0, "no request moved between groups: this world shows nothing"


def test_adjacent_periods_add_up(projected: Projected) -> None:
    chosen = random.Random(7)
    start, end = projected.world.truth.start, projected.world.truth.end
    with projected.model.snapshot() as snapshot:
        for _ in range(30):
            a, b, c = sorted(chosen.randrange(start, end) for _ in range(3))
            first, second, whole = (
                _additive(counted(snapshot, x, y, projected.recorded[-1]))
                for x, y in ((a, b), (b, c), (a, c))
            )
            assert {name: first[name] + second[name] for name in whole} == whole


def _additive(found: Ledger) -> dict[str, int]:
    numbers = {name: value or 0 for name, value in found.counts.items()}
    return {
        "opened": numbers["opened"],
        "merged": numbers["merged"],
        "closed": numbers["closed_without_merge"] + numbers["closed_unknown"] - numbers["reopened"],
    }


def test_opened_is_open_or_merged_or_closed_at_every_instant(projected: Projected) -> None:
    start = projected.world.truth.start - DAY
    chosen = random.Random(9)
    with projected.model.snapshot() as snapshot:
        for _ in range(30):
            until = chosen.randrange(projected.world.truth.start, projected.world.truth.end)
            found = counted(snapshot, start, until, projected.recorded[-1])
            numbers = {name: value or 0 for name, value in found.counts.items()}
            parts = ("open_at_end", "merged", "closed_without_merge", "closed_unknown")
            assert numbers["opened"] == sum(numbers[name] for name in parts)


@pytest.mark.slow
def test_a_world_of_two_thousand_requests_equals_its_truth() -> None:
    projected = Projected(simulate(2_000, pulls=2_000, days=365), 2_000)
    test_every_range_equals_the_truth_when_all_is_known(projected)
    test_every_range_equals_what_was_knowable_at_any_moment(projected)
