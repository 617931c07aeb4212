"""What blocks of numbers say is what all observations and spans say, at any K."""

import random
from collections.abc import Iterable
from typing import cast

import pytest
from sqlalchemy import Engine, func, select

from events.facts.base import Trust
from events.instant import DAY, INF, Instant
from events.log.memory import MemoryLog
from events.record import Record
from projections.engine.read_model import ReadModel
from projections.engine.retry import retry
from projections.pull_requests import numbers, reach
from projections.pull_requests.numbers import (
    Stretch,
    first_opened_from,
    highest_shown,
    last_landed,
    shown_among,
    stretches,
)
from projections.pull_requests.tables import PullRequestTables
from projections.store.snapshot import Snapshot
from services.simulator import simulate
from tests.builders import REPO, at, merge, pull_request
from tests.engines import NewEngine
from tests.refusing import refusing
from tests.worlds import SetClock, project, rows, world_log

MANY = 1_000


@pytest.fixture(autouse=True)
def small_blocks(monkeypatch: pytest.MonkeyPatch) -> None:
    """Have blocks of eight numbers, so that small histories have many."""
    for module in (numbers, reach):
        monkeypatch.setattr(module, "BLOCK", 8)


def _shown(snapshot: Snapshot, known_at: Instant) -> set[int]:
    obs = snapshot.tables(PullRequestTables).observations
    query = select(obs.c.number).where(
        obs.c.repo == REPO,
        obs.c.k <= known_at,
        obs.c.is_issue | (obs.c.trust >= Trust.ARCHIVE_FULL),
    )
    return set(snapshot.connection.scalars(query))


def _opened_from(snapshot: Snapshot, bound: Instant, known_at: Instant) -> int | None:
    states = snapshot.tables(PullRequestTables).states
    query = select(func.min(states.c.number)).where(
        *(states.c.repo == REPO, states.c.kf <= known_at, states.c.kt > known_at),
        *(states.c.enter == "opened", states.c.vf >= bound, states.c.vf < INF),
    )
    return cast(int | None, snapshot.connection.scalar(query))


def _landed(snapshot: Snapshot, known_at: Instant) -> Instant | None:
    obs = snapshot.tables(PullRequestTables).observations
    query = select(func.max(obs.c.at)).where(
        obs.c.repo == REPO, obs.c.kind == "merge_commit", obs.c.k <= known_at
    )
    return cast(Instant | None, snapshot.connection.scalar(query))


def _lacking(pieces: Iterable[Stretch], start: int, end: int) -> tuple[int, set[int]]:
    """Return how many numbers lack, and which of them were looked up."""
    lacking, count, place = set[int](), 0, start
    for piece in pieces:
        assert place <= piece.start < piece.stop <= end
        lacking |= {*range(place, piece.start)}
        count += piece.start - place
        if piece.numbers is None:
            count += piece.lacking
        else:
            here = {*range(piece.start, piece.stop)} - {*piece.numbers}
            lacking |= here
            count += len(here)
        place = piece.stop
    return count + end - place, lacking | {*range(place, end)}


def _agrees(model: ReadModel, chance: random.Random, moments: list[Instant]) -> None:
    with model.snapshot() as snapshot:
        for known_at in moments:
            shown = _shown(snapshot, known_at)
            assert highest_shown(snapshot, REPO, known_at) == max(shown, default=None)
            assert last_landed(snapshot, REPO, known_at) == _landed(snapshot, known_at)
            asked = [chance.randrange(1, 120) for _ in range(20)]
            assert shown_among(snapshot, REPO, asked, known_at) == shown & {*asked}
            bound = chance.choice(moments)
            expected = _opened_from(snapshot, bound, known_at)
            assert first_opened_from(snapshot, REPO, bound, known_at) == expected
            for _ in range(4):
                start, end = chance.randrange(1, 130), chance.randrange(1, 130)
                wanted = {*range(start, end)} - shown
                pieces = [*stretches(snapshot, REPO, start, end, known_at, enough=MANY)]
                assert _lacking(pieces, start, max(start, end)) == (len(wanted), wanted)
                some = [*stretches(snapshot, REPO, start, end, known_at, enough=5)]
                count, found = _lacking(some, start, max(start, end))
                assert count == len(wanted)
                assert {*sorted(wanted)[:5]} <= found <= wanted


@pytest.mark.parametrize("seed", range(3))
def test_blocks_say_what_all_rows_say(new_engine: NewEngine, seed: int) -> None:
    chance = random.Random(seed)
    world = simulate(seed + 1, pulls=60, days=40)
    model = project(world_log(world), engine=new_engine())
    start, end = world.truth.start - DAY, world.truth.end + 2 * DAY
    _agrees(model, chance, [chance.randrange(start, end) for _ in range(15)] + [end])


def _scattered(chance: random.Random) -> list[tuple[Instant, Record]]:
    """Return openings and landings in any order, of numbers that lie anywhere."""
    drawn = chance.sample(range(1, 120), 40)
    days = [f"01-{day:02}" for day in range(1, 29)]
    records = [pull_request(f"o-{n}", n, "opened", chance.choice(days)) for n in drawn[:25]]
    records += [merge(f"m-{n}", n, chance.choice(days)) for n in drawn[15:]]
    chance.shuffle(records)
    return [(at("02-01") + place * DAY, record) for place, record in enumerate(records)]


@pytest.mark.parametrize("seed", range(4))
def test_in_any_order_and_after_a_second_try(new_engine: NewEngine, seed: int) -> None:
    chance = random.Random(seed)
    arrivals = _scattered(chance)
    refused = [record.id for _, record in chance.sample(arrivals, 5)]
    clock = SetClock(at("01-31"))
    log, engines = MemoryLog(clock), [new_engine(), new_engine()]
    with refusing(*refused):
        for when, record in arrivals:
            clock.now = when
            log.append([record])
            if chance.random() < 0.3:
                project(log, engine=engines[0])
        live = project(log, engine=engines[0])
    moments = [when for when, _ in arrivals]
    _agrees(live, chance, moments)
    assert {given.reason for given in retry(engines[0], log, refused)} == {None}
    _agrees(live, chance, moments)
    anew = project(log, engine=engines[1])
    for name in ("pr_whole", "pr_block", "pr_landed"):
        assert rows(live)[name] == rows(anew)[name], name


def test_the_log_may_be_cut_anywhere(new_engine: NewEngine) -> None:
    arrivals = _scattered(random.Random(9))
    clock = SetClock(at("01-31"))
    log, engine, whole = MemoryLog(clock), new_engine(), new_engine()
    for when, record in arrivals:
        clock.now = when
        log.append([record])
        project(log, engine=engine)
    one_by_one, at_once = (_of(log, each) for each in (engine, whole))
    assert one_by_one == at_once
    assert one_by_one["pr_block"]


def _of(log: MemoryLog, engine: Engine) -> dict[str, set[tuple[object, ...]]]:
    every = rows(project(log, engine=engine))
    return {name: every[name] for name in ("pr_whole", "pr_block", "pr_landed")}
