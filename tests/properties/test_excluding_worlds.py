"""Exclusion classes and filtered counts of simulated months equal plain counting over the truth."""

from collections import Counter
from collections.abc import Iterable, Iterator
from datetime import date
from functools import cache

import pytest

from events.instant import Instant
from events.log.memory import MemoryLog
from projections.period_ledger.counting import balance_gap
from projections.period_ledger.default_rules import DEFAULT_RULES
from projections.period_ledger.excluding import OUTCOMES, Exclusions, exclusions
from projections.period_ledger.exclusions import EXCLUDED
from projections.period_ledger.queries import ledger
from projections.period_ledger.reconciliation import reconcile
from projections.repositories.branch_roles import BranchRoles
from projections.store.snapshot import Snapshot
from services.answers.questions.period import midnight
from services.simulator import World, simulate
from services.simulator.counts import counted, counts
from services.simulator.truth import PullTruth
from tests.projections.release_inclusion.worlds import recorded
from tests.properties.test_counts import ranges
from tests.worlds import REPO, log_end, project

ZONE = "Asia/Shanghai"
_ACTIVE = {"opened", "merged", "closed_without_merge", "reopened", "active_and_open"}


@cache
def _world(seed: int) -> World:
    return simulate(seed, pulls=120, days=100)


@pytest.fixture(scope="module", params=(21, pytest.param(22, marks=pytest.mark.slow)))
def seed(request: pytest.FixtureRequest) -> int:
    assert isinstance(request.param, int)
    return request.param


@pytest.fixture(scope="module")
def log(seed: int, tmp_path_factory: pytest.TempPathFactory) -> MemoryLog:
    """A world by its deliveries, and by its git as the mirror reads it at the end."""
    return recorded(_world(seed), tmp_path_factory.mktemp("world")).log


@pytest.fixture(scope="module")
def snapshot(log: MemoryLog) -> Iterator[Snapshot]:
    with project(log).snapshot() as opened:
        yield opened


def true_class(pull: PullTruth) -> str:
    """Say the class in the plainest words, for the paths that the simulator makes up."""
    ci = all(path.startswith(".github/") for path in pull.paths)
    test = all(path.startswith("tests/") for path in pull.paths)
    both = all(path.startswith((".github/", "tests/")) for path in pull.paths)
    if not pull.paths:
        return "kept"
    return "ci-only" if ci else "test-only" if test else "test-and-ci-only" if both else "kept"


def asked(snapshot: Snapshot, log: MemoryLog, a: Instant, b: Instant) -> Exclusions:
    known_at = log_end(log, REPO)
    found = ledger(snapshot, REPO, a, b, known_at, BranchRoles())
    return exclusions(snapshot, REPO, found, known_at, DEFAULT_RULES)


def truths(seed: int, numbers: Iterable[int]) -> dict[int, str]:
    return {number: true_class(_world(seed).truth.pull(number)) for number in numbers}


def is_kept(pull: PullTruth, found: Exclusions, b: Instant) -> bool:
    """Tell whether a request belongs to the filtered basis, by the truth as far as it goes."""
    seen = found.requests.get(pull.number)
    if seen is not None and seen.verdict.doubt:
        return True
    if seen is not None and any(step.at >= b for step in pull.commits_at):
        # the truth has its paths at the end; at b it had only some of them
        assert set(seen.files.paths) <= set(pull.paths)
        return not seen.verdict.excluded
    return true_class(pull) == "kept"


def test_filtered_counts_equal_plain_counting(
    seed: int, snapshot: Snapshot, log: MemoryLog
) -> None:
    world = _world(seed)
    for a, b in ranges(world, seed=4, randoms=20):
        found = asked(snapshot, log, a, b)
        kept = [p for p in world.truth.pulls if is_kept(p, found, b)]
        assert found.filtered == counts(kept, a, b), (a, b)
        assert balance_gap({n: v or 0 for n, v in found.filtered.items()}) == 0


def test_every_class_is_the_true_one_wherever_files_are_known(
    seed: int, snapshot: Snapshot, log: MemoryLog
) -> None:
    world = _world(seed)
    found = asked(snapshot, log, world.truth.start, world.truth.end)
    known = {n: each for n, each in found.requests.items() if not each.verdict.doubt}
    assert {n: each.verdict.kind for n, each in known.items()} == truths(seed, known)
    assert len(known) > 0.9 * len(found.requests)
    assert {each.verdict.kind for each in known.values()} >= {"ci-only", "test-only", "kept"}


def test_the_table_covers_every_active_request_by_its_outcome(
    seed: int, snapshot: Snapshot, log: MemoryLog
) -> None:
    world = _world(seed)
    for month in range(5, 8):
        a, b = _month(month), _month(month + 1)
        found = asked(snapshot, log, a, b)
        expected: Counter[tuple[str, str]] = Counter()
        for pull in world.truth.pulls:
            state = pull.state_before(b)
            if counted(pull, a, b) & _ACTIVE and state and not is_kept(pull, found, b):
                expected[found.classes[pull.number], state] += 1
        for kind in EXCLUDED:
            assert found.table[kind] == {o: expected[kind, o] for o in OUTCOMES}, (month, kind)


def test_the_reconciliation_adds_up_in_every_month(
    seed: int, snapshot: Snapshot, log: MemoryLog
) -> None:
    for month in range(5, 8):
        found = asked(snapshot, log, _month(month), _month(month + 1))
        merged = [n for n, each in found.requests.items() if each.outcome == "merged"]
        told = merged[::3]
        parts = reconcile(merged, found.classes, told, twins=merged[1::7])
        every = [*parts.told, *parts.twins, *sum(parts.excluded.values(), ()), *parts.not_told]
        assert sorted(every) == sorted(merged)


def _month(month: int) -> Instant:
    return midnight(date(2026, month, 1), ZONE)
