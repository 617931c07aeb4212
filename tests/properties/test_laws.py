"""Laws that hold for every projection and every world (CASES.md, cross-cutting checks)."""

import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sqlalchemy import Engine

from events.log.memory import MemoryLog
from events.log.port import START
from projections.engine.catalog import PROJECTIONS
from projections.engine.rebuild import rebuild
from services.simulator import World, simulate
from tests.engines import NewEngine
from tests.laws import tried
from tests.worlds import (
    SECOND,
    log_of,
    present,
    project,
    record_of,
    rows,
    world_log,
)

seeds = st.integers(min_value=1, max_value=10_000)


@pytest.fixture
def law() -> settings:
    """Settings under which a law is tried: on few examples, as each is a world."""
    return tried(8)


def small(seed: int) -> World:
    return simulate(seed, pulls=12, days=45)


def test_the_present_does_not_depend_on_the_order_of_arrival(
    new_engine: NewEngine, law: settings
) -> None:
    @law
    @given(seed=seeds, shuffle=st.randoms(use_true_random=False))
    def holds(seed: int, shuffle: random.Random) -> None:
        world = small(seed)
        records = [record_of(delivery) for delivery in world.deliveries]
        expected = present(project(world_log(world), engine=new_engine()))
        shuffle.shuffle(records)
        late = world.deliveries[-1].at
        shuffled = log_of(records, lambda index: late + index * SECOND)
        assert present(project(shuffled, engine=new_engine())) == expected

    holds()


def test_repeated_records_change_nothing(new_engine: NewEngine, law: settings) -> None:
    """The log refuses a repetition where it can; here it can't, as in Kafka."""

    @law
    @given(seed=seeds, shuffle=st.randoms(use_true_random=False))
    def holds(seed: int, shuffle: random.Random) -> None:
        world = small(seed)
        log = world_log(world)
        expected = rows(project(log, engine=new_engine()))
        again = shuffle.sample(range(len(world.deliveries)), 20)
        entries = log.read(REPO_PARTITION, START, limit=100_000)
        repeated = _RepeatingLog(log, [entries[index].record.id for index in again])
        assert rows(project(repeated, engine=new_engine())) == expected

    holds()


@pytest.mark.parametrize("size", [1, pytest.param(2, marks=pytest.mark.slow), 7, 50])
@pytest.mark.parametrize("batches", [30, pytest.param(1_000, marks=pytest.mark.slow)])
def test_rows_do_not_depend_on_the_size_of_batches(
    new_engine: NewEngine, size: int, batches: int, law: settings
) -> None:
    """Of a stretch of the log that is read in at most so many batches."""

    @(law if batches < 100 else tried(2))
    @given(seed=seeds, start=st.integers(0, 200))
    def holds(seed: int, start: int) -> None:
        log = _Stretch(world_log(small(seed)), start, size * batches)
        assert rows(project(log, batch_records=size, engine=new_engine())) == rows(
            project(log, engine=new_engine())
        )

    holds()


def test_projecting_the_same_log_twice_changes_nothing(
    new_engine: NewEngine, law: settings
) -> None:
    @law
    @given(seed=seeds)
    def holds(seed: int) -> None:
        log = world_log(small(seed))
        model = project(log, engine=new_engine())
        before = rows(model)
        project(log, engine=model.engine)
        assert rows(model) == before

    holds()


@pytest.mark.parametrize(
    "seed", [1, *(pytest.param(each, marks=pytest.mark.slow) for each in (2, 3))]
)
def test_a_rebuild_equals_what_was_projected_live(seed: int, new_engine: NewEngine) -> None:
    world = small(seed)
    engine = new_engine()
    log = _live(world, engine)
    before = rows(project(log, engine=engine))
    for name, _ in PROJECTIONS:
        result = rebuild(engine, log, name, lambda: 0)
        assert result.switched, name
        assert result.differing == 0, name
        assert result.records == len(world.deliveries), name
        assert rows(project(log, engine=engine)) == before, name


def test_a_rebuild_that_was_ended_leaves_the_old_one_serving(new_engine: NewEngine) -> None:
    world = small(4)
    engine = new_engine()
    log = _live(world, engine)
    before = rows(project(log, engine=engine))

    def stop(done: int, _all: int) -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        rebuild(engine, log, "pull_requests", lambda: 0, stop)
    assert rows(project(log, engine=engine)) == before
    assert rebuild(engine, log, "pull_requests", lambda: 0).switched
    assert rows(project(log, engine=engine)) == before


def _live(world: World, engine: Engine) -> MemoryLog:
    """Project deliveries as they arrive, in uneven portions."""
    log = world_log(world)
    portions = random.Random(world.truth.seed)
    position = 0
    while position < len(world.deliveries):
        position += portions.randint(1, 40)
        project(_Prefix(log, position), engine=engine)
    return log


class _Stretch(MemoryLog):
    """A log that holds only so many records of another one, from some place in it."""

    def __init__(self, log: MemoryLog, start: int, length: int) -> None:
        super().__init__(lambda: 0)
        kept = log.read(REPO_PARTITION, START, limit=100_000)[start:]
        for entry in kept[:length]:
            self._store(entry.record, entry.recorded_at)


class _Prefix(MemoryLog):
    """A log as it was when it held only so many records."""

    def __init__(self, log: MemoryLog, length: int) -> None:
        super().__init__(lambda: 0)
        self.load(log.read(REPO_PARTITION, START, limit=length))


class _RepeatingLog(MemoryLog):
    """A log in which some records stand a second time, further on, as a broker may have them."""

    def __init__(self, log: MemoryLog, again: list[str]) -> None:
        super().__init__(lambda: 0)
        entries = log.read(REPO_PARTITION, START, limit=100_000)
        by_id = {entry.record.id: entry.record for entry in entries}
        for entry in entries:
            self._store(entry.record, entry.recorded_at)
        for record_id in again:
            self._store(by_id[record_id], entries[-1].recorded_at)


REPO_PARTITION = "github.com/1001"
