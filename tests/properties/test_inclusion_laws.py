"""The laws of `test_laws`, on logs that hold readings of git and decisions beside deliveries."""

import random
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from sqlalchemy import Engine

from events.facts.curation import MentionDecided, ReleaseAliasDecided
from events.log.memory import MemoryLog
from events.log.port import START
from events.record import Entry
from events.sources.authored import author
from projections.engine.catalog import PROJECTIONS
from projections.engine.rebuild import rebuild
from projections.release_inclusion.tables import ReleaseTables
from services.simulator import simulate
from tests.engines import NewEngine
from tests.projections.release_inclusion.worlds import recorded
from tests.worlds import REPO, project, rows

SEEDS = (21,)
TABLES = ("git_commit", "ref_sighting", "ref_version", "release_sighting", "decision")


@cache
def _log(seed: int) -> MemoryLog:
    """A world of which git was read three times, with decisions in between."""
    world = simulate(seed, pulls=12, days=30)
    span = world.truth.end - world.truth.start
    cuts = [world.truth.start + span * part // 4 for part in (1, 2)]
    with TemporaryDirectory() as folder:
        log = recorded(world, Path(folder), cuts=cuts).log
    sha, end = world.truth.carries[0].sha, world.truth.end
    for at, holds in ((end, True), (end + 1, False)):
        said = MentionDecided(
            sha=sha, role="pick", holds=holds, decided_at=at, author="dev-a", number=1
        )
        log.append([author(REPO, said, time=at)])
    named = ReleaseAliasDecided(
        alias="26.05", tag="core_v0.1.0", decided_at=end, author="dev-a", reason="published"
    )
    log.append([author(REPO, named, time=end)])
    return log


def _entries(seed: int) -> list[Entry]:
    return list(_log(seed).read(REPO, START, limit=10**6))


def _prefix(entries: list[Entry]) -> MemoryLog:
    log = MemoryLog(lambda: 0)
    log.load(entries)
    return log


@pytest.mark.parametrize("seed", SEEDS)
def test_the_worlds_fill_every_table(seed: int) -> None:
    """The laws below would be empty without it."""
    found = rows(project(_log(seed)))
    assert all(found[name] for name in TABLES)
    kinds = {entry.record.source for entry in _entries(seed)}
    assert kinds == {"webhook", "git", "curation"}


@pytest.mark.parametrize("size", [pytest.param(1, marks=pytest.mark.slow), 7, 30])
@pytest.mark.parametrize("seed", SEEDS)
def test_rows_do_not_depend_on_the_size_of_batches(
    seed: int, size: int, new_engine: NewEngine
) -> None:
    expected = rows(project(_log(seed), engine=new_engine()))
    assert rows(project(_log(seed), batch_records=size, engine=new_engine())) == expected


@pytest.mark.parametrize("seed", SEEDS)
def test_projecting_again_changes_nothing(seed: int, new_engine: NewEngine) -> None:
    model = project(_log(seed), engine=new_engine())
    before = rows(model)
    project(_log(seed), engine=model.engine)
    assert rows(model) == before


@pytest.mark.parametrize("seed", SEEDS)
def test_a_rebuild_equals_what_was_projected_live(seed: int, new_engine: NewEngine) -> None:
    engine = new_engine()
    before = _live(seed, engine)
    for name, _ in PROJECTIONS:
        result = rebuild(engine, _log(seed), name, lambda: 0)
        assert (result.switched, result.differing) == (True, 0), name
        assert rows(project(_log(seed), engine=engine)) == before, name


def _live(seed: int, engine: Engine) -> dict[str, set[tuple[object, ...]]]:
    """Project records as they arrive, in uneven portions."""
    entries, portions, position = _entries(seed), random.Random(seed), 0
    while position < len(entries):
        position += portions.randint(1, 60)
        project(_prefix(entries[:position]), engine=engine)
    return rows(project(_log(seed), engine=engine))


@pytest.mark.parametrize("seed", SEEDS)
def test_the_present_refs_do_not_depend_on_the_order_of_arrival(seed: int) -> None:
    """Of readings of git and pushes alike: the last rows hold the same values in any order."""
    expected = _present_refs(_log(seed))
    entries = _entries(seed)
    random.Random(seed).shuffle(entries)
    clock = iter(range(10**9, 10**9 + len(entries)))
    shuffled = MemoryLog(lambda: next(clock))
    for entry in entries:
        shuffled.append([entry.record])
    assert _present_refs(shuffled) == expected


def _present_refs(log: MemoryLog) -> set[tuple[object, ...]]:
    model = project(log)
    with model.snapshot() as snapshot:
        table = snapshot.tables(ReleaseTables).refs
        latest = table.select().where(table.c.kt > 10**17)
        kept = ("ref", "vf", "vt", "sha", "tag_object", "evidence", "record_id")
        return {
            tuple(row[name] for name in kept)
            for row in snapshot.connection.execute(latest).mappings()
        }
