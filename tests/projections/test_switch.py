"""Two processes at once, and the switch of a generation, on both engines.

On SQLite the two share a file, as `shipledger up` and a command do.
"""

import multiprocessing
import random
import re
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any, TypeVar

import pytest
from sqlalchemy import Engine, inspect, select, text, update

from events.errors import InvalidQuestion, TransientError
from events.instant import Instant
from events.log.memory import MemoryLog
from projections.engine import generations
from projections.engine.read_model import ReadModel
from projections.engine.rebuild import RebuildResult, rebuild
from projections.engine.runner import Runner
from projections.store.schema import checkpoints
from projections.store.schema import generations as generation_table
from services.answers.questions.period import Period
from services.answers.questions.question import ReportQuestion
from services.answers.reports.assemble import assemble
from services.logs.sqlite import SqliteLog
from services.simulator import World, simulate
from services.stream.engines import Place, reading_engine, writing_engine
from tests.engines import ENGINES
from tests.worlds import REPO, SECOND, project, record_of, rows, world_log

Result = TypeVar("Result")
LATE: Instant = 2_000_000_000 * SECOND


class Shared:
    """A read model that several engines may open."""

    def __init__(self, place: Place) -> None:
        self.place = place
        self._engines: list[Engine] = []

    def writing(self) -> Engine:
        return self._kept(writing_engine(self.place))

    def reading(self) -> ReadModel:
        return ReadModel(self._kept(reading_engine(self.place)))

    def _kept(self, engine: Engine) -> Engine:
        self._engines.append(engine)
        return engine

    def close(self) -> None:
        for engine in self._engines:
            engine.dispose()


@pytest.fixture(params=ENGINES)
def empty(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Shared]:
    """A database without any tables."""
    if request.param == "sqlite":
        shared = Shared(tmp_path / "read_model.sqlite")
    else:
        shared = Shared(request.getfixturevalue("postgres_url"))
    yield shared
    shared.close()


@pytest.fixture
def shared(empty: Shared) -> Shared:
    generations.prepare(empty.writing())
    return empty


def small(seed: int = 5) -> World:
    return simulate(seed, pulls=60, days=60)


def test_many_processes_may_prepare_at_once(empty: Shared) -> None:
    engines = [empty.writing() for _ in range(6)]
    with ThreadPoolExecutor(len(engines)) as pool:
        list(pool.map(generations.prepare, engines))
    with engines[0].connect() as connection:
        found = connection.execute(select(generation_table)).all()
        assert sorted(row.generation for row in found) == [1] * len(found)
        assert {row.status for row in found} == {"active"}


@pytest.mark.parametrize(
    "older",
    ["DROP TABLE patch_identity_g1", "ALTER TABLE file_list_g1 DROP COLUMN fields"],
)
def test_a_generation_that_lacks_what_this_program_reads_is_made_again(
    shared: Shared, older: str
) -> None:
    log, engine = world_log(small()), shared.writing()
    Runner(engine, log, lambda: LATE).catch_up()
    before = rows(shared.reading())
    with engine.begin() as connection:
        connection.execute(text(older))
        mine = generation_table.c.projection == "changed_files"
        connection.execute(update(generation_table).where(mine).values(fold_version=1))
    generations.prepare(shared.writing())
    Runner(shared.writing(), log, lambda: LATE).catch_up()
    assert rows(shared.reading()) == before
    with engine.connect() as connection:
        found = {one.name: one.generation for one in generations.active(connection)}
    assert found.pop("changed_files") == 2
    assert set(found.values()) == {1}
    result = rebuild(engine, log, "changed_files", lambda: LATE)  # which drops the older one
    assert (result.new_generation, result.differing) == (3, 0)


def test_older_rules_alone_go_on_answering(shared: Shared) -> None:
    engine = shared.writing()
    with engine.begin() as connection:
        connection.execute(update(generation_table).values(fold_version=0))
    generations.prepare(shared.writing())
    with engine.connect() as connection:
        assert {one.generation for one in generations.active(connection)} == {1}


def test_two_runners_take_in_each_record_once(shared: Shared) -> None:
    log = world_log(small())
    engines = [shared.writing() for _ in range(3)]
    start = threading.Barrier(len(engines))

    def run(engine: Engine) -> int:
        start.wait()
        return _patiently(Runner(engine, log, lambda: 0, batch_records=20).catch_up)

    with ThreadPoolExecutor(len(engines)) as pool:
        applied = list(pool.map(run, engines))
    with engines[0].connect() as connection:
        active = len(generations.active(connection))
    assert sum(applied) == active * sum(log.ends().values())
    assert rows(shared.reading()) == rows(project(log))


@pytest.mark.slow
def test_a_rebuild_switches_under_a_live_writer_and_readers(shared: Shared) -> None:
    """Nothing is lost, and no question fails or goes back in time while tables are exchanged."""
    world = small(6)
    log, live = MemoryLog(lambda: LATE), shared.writing()
    records = [record_of(delivery) for delivery in world.deliveries]
    half = len(records) // 2
    log.append(records[:half])
    Runner(live, log, lambda: LATE).catch_up()
    done = threading.Event()

    def write() -> None:
        runner = Runner(live, log, lambda: LATE, batch_records=7)
        while len(results) < 4 or log.ends() != {REPO: len(records)}:
            log.append(records[sum(log.ends().values()) :][:10])
            _patiently(runner.catch_up)
        done.set()

    def read() -> list[int]:
        model, found = shared.reading(), []
        while not done.is_set():
            with model.snapshot() as snapshot:
                asked = Period(start=world.truth.start, end=LATE, zone="UTC")
                answer = assemble(snapshot, ReportQuestion(full_name="acme/widget", period=asked))
            found.append(answer.counts["opened"] or 0)
            time.sleep(0.02)
        return found

    results: list[RebuildResult] = []
    rebuilder = shared.writing()
    with ThreadPoolExecutor(4) as pool:
        readers = [pool.submit(read) for _ in range(2)]
        writer = pool.submit(write)
        while not done.is_set():
            result = _patiently(lambda: rebuild(rebuilder, log, "pull_requests", lambda: LATE))
            results.append(result)
        writer.result()
    Runner(live, log, lambda: LATE).catch_up()
    assert all(result.switched and result.differing == 0 for result in results), results
    for reader in readers:
        opened = reader.result()
        assert len(opened) > 2
        assert opened == sorted(opened), "knowledge went back"
    assert rows(shared.reading()) == rows(project(log))
    _assert_only_active_tables(live)


def test_a_second_rebuild_does_not_get_in_the_way(shared: Shared) -> None:
    log, engine, other = world_log(small()), shared.writing(), shared.writing()
    project(log, engine=engine)
    outcomes: list[str] = []
    asked: list[int] = []

    def meanwhile(done: int, _all: int) -> None:
        if not asked:
            asked.append(done)
            outcomes.append(_outcome(lambda: rebuild(other, log, "pull_requests", lambda: 0)))

    outcomes.append(_outcome(lambda: rebuild(engine, log, "pull_requests", lambda: 0, meanwhile)))
    refused = [outcome for outcome in outcomes if outcome != "switched"]
    assert len(refused) == 1
    assert "another" in refused[0]
    assert rows(shared.reading()) == rows(project(log))
    assert rebuild(engine, log, "pull_requests", lambda: 0).switched
    _assert_only_active_tables(engine)


def _outcome(work: Callable[[], Any]) -> str:
    try:
        return "switched" if work().switched else "kept"
    except InvalidQuestion as error:
        return str(error)


def test_a_rebuild_killed_at_any_moment_leaves_the_old_one_serving(
    shared: Shared, tmp_path: Path
) -> None:
    world, engine = small(7), shared.writing()
    path = tmp_path / "log.sqlite"
    log = SqliteLog(path, clock=lambda: LATE)
    log.append([record_of(delivery) for delivery in world.deliveries])
    Runner(engine, log, lambda: LATE).catch_up()
    before = rows(shared.reading())
    chance = random.Random(3)
    spawn = multiprocessing.get_context("forkserver")
    spawn.set_forkserver_preload([__name__])
    killed = 0
    for _ in range(6):
        begun = spawn.Event()
        child = spawn.Process(target=_rebuild, args=(shared.place, path, begun), daemon=True)
        child.start()
        assert begun.wait(30)
        time.sleep(chance.uniform(0, 0.6))
        child.kill()
        child.join()
        killed += child.exitcode != 0
        assert rows(shared.reading()) == before
    assert killed > 1, "every rebuild was over before it could be killed"
    result = _patiently(lambda: rebuild(engine, log, "pull_requests", lambda: LATE))
    assert result.switched
    assert result.differing == 0
    assert rows(shared.reading()) == before
    _assert_only_active_tables(engine)
    log.close()


def _rebuild(place: Place, path: Path, begun: Any) -> None:
    """Rebuild again and again, in a process of its own."""
    engine, log = writing_engine(place), SqliteLog(path, clock=lambda: LATE, read_only=True)
    begun.set()
    for _ in range(50):
        rebuild(engine, log, "pull_requests", lambda: LATE)


def _patiently(work: Callable[[], Result]) -> Result:
    """Try again after passing faults, and while the lock of a killed process is still held."""
    for _ in range(50):
        try:
            return work()
        except (TransientError, InvalidQuestion):
            time.sleep(0.1)
    return work()


def _assert_only_active_tables(engine: Engine) -> None:
    """Nothing of a dropped generation is left: no table, no checkpoint."""
    with engine.connect() as connection:
        active = generations.active(connection)
        tables = {name for one in active for name in one.metadata.tables}
        found = {
            name for name in inspect(connection).get_table_names() if re.search(r"_g\d+$", name)
        }
        assert found == tables
        serving = {(one.name, one.generation) for one in active}
        marks = connection.execute(select(checkpoints.c.projection, checkpoints.c.generation))
        assert {tuple(row) for row in marks} == serving
        assert connection.scalar(text("SELECT count(*) FROM shipledger_states")) is not None
