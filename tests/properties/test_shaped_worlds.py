"""Worlds with the habits of real projects: what is answered equals the truth, or says its doubt.

Forks with numbers of their own, the backports of the common robots and of people, long-lived
branches squashed and deleted, merge robots, version schemes, reverts of several changes, patches of
older lines after a newer final. One kind of answer is not the truth's to give: a change that was
ported in silence under its own title is in by an equal patch, and in doubt with more done to it.
"""

from collections import Counter
from functools import cache
from pathlib import Path

import pytest

from events.log.memory import MemoryLog
from projections.period_ledger.queries import ledger
from projections.release_inclusion.answers import contents, is_carrier_only
from projections.release_inclusion.view import ReleaseView
from projections.repositories.branch_roles import BranchRoles
from services.simulator import SHAPES, World, simulate
from services.simulator.counts import counts
from services.simulator.schemes import FAMILIES
from services.simulator.truth import PullTruth, TagTruth
from tests.projections.release_inclusion.worlds import (
    answered,
    recorded,
    seen_at,
)
from tests.properties.test_counts import ranges
from tests.worlds import REPO, log_end, project

SEEDS = (1, 2, 3, 4, 5, 6)


@cache
def _world(seed: int) -> World:
    return simulate(seed, pulls=60, days=100, shapes=SHAPES)


@pytest.fixture(
    scope="module", params=[1, *(pytest.param(each, marks=pytest.mark.slow) for each in SEEDS[1:])]
)
def seed(request: pytest.FixtureRequest) -> int:
    assert isinstance(request.param, int)
    return request.param


@pytest.fixture(scope="module")
def log(seed: int, tmp_path_factory: pytest.TempPathFactory) -> MemoryLog:
    return recorded(_world(seed), tmp_path_factory.mktemp("world"), patches=True).log


@pytest.fixture(scope="module")
def whole(log: MemoryLog) -> ReleaseView:
    """Everything of a world, known by deliveries and by git."""
    with project(log).snapshot() as snapshot:
        asked = seen_at(snapshot, log_end(log, REPO))
        assert asked.history.standing  # nothing is read later
    return asked


def test_every_verdict_equals_the_truth(seed: int, whole: ReleaseView) -> None:
    world = _world(seed)
    ported = _ported_in_silence(world)
    seen: Counter[str] = Counter()
    for tag in world.truth.tags:
        for pull in world.truth.pulls:
            answer = answered(whole, pull.number, tag.name)
            assert answer is not None
            expected, given = world.truth.verdict(tag.name, pull.number), answer.verdict.outcome
            alike = expected == "not_included" and given in ("included", "undetermined")
            assert given == expected or (alike and pull.number in ported), (tag.name, answer)
            seen[given] += 1
    assert seen["included"] > 500
    assert seen["reverted"] > 5


def _ported_in_silence(world: World) -> set[int]:
    """Return the requests that another one ported and said so by nothing but its title."""
    relations = (relation for pull in world.truth.pulls for relation in pull.relations)
    return {relation.number for relation in relations if relation.kind == "port"}


def _own(world: World) -> list[PullTruth]:
    ported = _ported_in_silence(world)
    return [pull for pull in world.truth.pulls if pull.number not in ported]


def test_predecessors_are_those_of_readers_of_each_scheme(seed: int, whole: ReleaseView) -> None:
    families: set[str] = set()
    for tag in _world(seed).truth.tags:
        before = whole.predecessor(whole.release(tag.name))
        if tag.family == "core" or tag.family in FAMILIES:
            assert (before.tag if before else None) == tag.predecessor, tag.name
            families.add(tag.family)
    assert families == {"core", *FAMILIES}


def test_what_a_release_brings_is_what_the_one_before_lacks(seed: int, whole: ReleaseView) -> None:
    world = _world(seed)
    for tag in world.truth.tags:
        if tag.family == "snapshot":
            continue
        release = whole.release(tag.name)
        page = contents(whole, release, whole.predecessor(release))
        there = _numbers(world, tag.name, "included")
        before = _numbers(world, tag.predecessor, "included")
        ported = _ported_in_silence(world)
        expected = {n for n in there - before if not is_carrier_only(whole, n)} - ported
        assert {change.number for change in page.new} - ported == expected, tag.name
        assert {change.number for change in page.removed} == _numbers(world, tag.name, "removed")
        doubtful = {change.number for change in page.undetermined}
        assert doubtful <= ported, tag.name


def test_first_shipped_in_is_the_first_final_that_came_out(seed: int, whole: ReleaseView) -> None:
    world = _world(seed)
    finals = [tag for tag in world.truth.tags if tag.family == "core" and not tag.prerelease]
    finals.sort(key=_seen_at)
    for pull in _own(world):
        having = [
            tag.name for tag in finals if world.truth.verdict(tag.name, pull.number) == "included"
        ]
        for tag in finals:
            answer = answered(whole, pull.number, tag.name)
            assert answer is not None
            assert answer.first == (having[0] if having else None), (pull.number, having)


def _seen_at(tag: TagTruth) -> int:
    return tag.published.at if tag.published else tag.pushed_at


def _numbers(world: World, tag: str | None, outcome: str) -> set[int]:
    by_number = world.truth.verdicts[tag] if tag else {}
    return {number for number, verdict in by_number.items() if verdict == outcome}


def test_git_alone_contradicts_nothing(seed: int, tmp_path: Path) -> None:
    """Numbers of forks are set apart: see below."""
    world = _world(seed)
    apart = _strangers(world) | _ported_in_silence(world)
    given = _by_git_alone(world, tmp_path)
    for (tag, number), outcome in given.items():
        if number not in apart:
            assert outcome in (world.truth.verdict(tag, number), "undetermined", "unrecorded")
    assert Counter(given.values())["included"] > 500


@pytest.mark.xfail(
    strict=True,
    raises=AssertionError,
    reason="of a request that only git shows, `x (#N)` inside another's branch is taken at its "
    "word: a request stacked on that branch looks the same",
)
def test_git_alone_believes_no_number_of_a_fork(tmp_path: Path) -> None:
    world = _world(1)
    given = _by_git_alone(world, tmp_path)
    for (tag, number), outcome in given.items():
        if number in _strangers(world):
            assert outcome in (world.truth.verdict(tag, number), "undetermined", "unrecorded")


def _by_git_alone(world: World, folder: Path) -> dict[tuple[str, int], str]:
    log = recorded(world, folder, webhooks=False, patches=True).log
    with project(log).snapshot() as snapshot:
        asked = seen_at(snapshot, log_end(log, REPO))
    answers = {
        (tag.name, pull.number): answered(asked, pull.number, tag.name)
        for tag in world.truth.tags
        for pull in world.truth.pulls
    }
    return {
        key: answer.verdict.outcome if answer else "unrecorded" for key, answer in answers.items()
    }


def _strangers(world: World) -> set[int]:
    """Return the requests whose numbers stand in words of a fork."""
    relations = (relation for pull in world.truth.pulls for relation in pull.relations)
    return {relation.number for relation in relations if relation.kind == "stranger"}


def test_counts_with_git_know_what_robots_landed(seed: int, log: MemoryLog) -> None:
    world, known_at = _world(seed), log_end(log, REPO)
    seen: Counter[str] = Counter()
    with project(log).snapshot() as snapshot:
        for a, b in ranges(world, seed=1, randoms=20):
            found = ledger(snapshot, REPO, a, b, known_at, BranchRoles())
            assert found.counts == counts(world.truth.pulls, a, b), (a, b)
            assert found.balance == 0
            seen.update(landed=found.counts["landed"] or 0)
    assert seen["landed"] > 10


def test_the_worlds_show_every_shape() -> None:
    """The tests above would be empty without them."""
    pulls = [pull for seed in SEEDS for pull in _world(seed).truth.pulls]
    shown = Counter(relation.evidence for pull in pulls for relation in pull.relations)
    assert shown.keys() >= {
        *("merge subject", "trailing number", "mergify", "backport tool", "robot of kubernetes"),
        *("script of kubernetes", "patchback", "nemo", "author, date and title"),
        *("squashed branch", "two titles", "two commits", "title alone", "back out", "roll back"),
    }
    assert {pull.method for pull in pulls} >= {"robot"}
    carries = [carry for seed in SEEDS for carry in _world(seed).truth.carries]
    assert sum(carry.role == "pick" for carry in carries) > 50
    finals = [tag for tag in _world(1).truth.tags if tag.name in ("core_v0.1.2", "core_v0.2.0")]
    late, newer = sorted(finals, key=lambda tag: tag.name)
    assert _seen_at(late) > _seen_at(newer)


def test_a_world_without_shapes_is_the_one_that_it_was() -> None:
    assert simulate(5, pulls=20).deliveries == simulate(5, pulls=20, shapes=()).deliveries
    assert {pull.method for pull in simulate(5, pulls=20).truth.pulls}.isdisjoint({"robot"})
