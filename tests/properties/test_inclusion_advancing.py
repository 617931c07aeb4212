"""Carried on record by record, an attribution equals the one that is made anew."""

from collections import Counter
from functools import cache
from pathlib import Path

import pytest

from events.log.port import START
from projections.engine.read_model import ReadModel
from projections.engine.runner import Runner
from projections.release_inclusion.advancing import advanced
from projections.release_inclusion.history.attribution import Attribution
from projections.release_inclusion.history.packing import pack
from projections.release_inclusion.inputs import Inputs, attribution_of, inputs_at
from projections.repositories.branch_roles import BranchRoles
from projections.repositories.queries import named_at
from services.simulator import SHAPES, World, simulate
from tests.projections.release_inclusion.worlds import recorded
from tests.worlds import REPO, log_end, memory_engine


@cache
def _world(seed: int, shaped: bool) -> World:
    return simulate(seed, pulls=40, days=40, shapes=SHAPES if shaped else ())


@pytest.mark.parametrize("shaped", [False, True], ids=["plain", "shaped"])
@pytest.mark.parametrize(
    "seed", [1, *(pytest.param(seed, marks=pytest.mark.slow) for seed in range(2, 9))]
)
def test_what_is_carried_on_equals_what_is_made(seed: int, shaped: bool, tmp_path: Path) -> None:
    world = _world(seed, shaped)
    start, end = world.truth.start, world.truth.end
    cuts = [start + (end - start) * part // 5 for part in (1, 2, 3, 4)]
    log = recorded(world, tmp_path, cuts=cuts).log
    engine = memory_engine()
    model, last = ReadModel(engine), log_end(log, REPO)
    Runner(engine, log, lambda: last).catch_up()
    known: tuple[Inputs, Attribution] | None = None
    ways = Counter[str]()
    moments = [
        entry.recorded_at for entry in log.read(REPO, START, limit=100_000, max_bytes=1 << 30)
    ]
    with model.snapshot() as snapshot:
        for known_at in moments:
            roles = BranchRoles().with_default(named_at(snapshot, REPO, known_at).default_branch)
            inputs = inputs_at(snapshot, REPO, known_at, roles)
            if not inputs.has_commits or (known and known[0] == inputs):
                continue
            made = attribution_of(snapshot, inputs, known_at)
            carried = advanced(snapshot, *known, inputs, known_at) if known else None
            ways["made" if carried is None else "carried on"] += 1
            if carried is not None:
                assert pack(carried) == pack(made), (seed, known_at)
            known = inputs, made
    assert ways["carried on"] > 3 * ways["made"]
