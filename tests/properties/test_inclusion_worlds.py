"""Every verdict, of every tag and every request, equals the simulator's truth.

No request is left out. What git does not show is known by other ways: an unlabelled port (evidence
`none`) has the title of its original alone, so where it is, its original is in doubt; a request
that was merged into the branch of another one (`stack`) is found through `refs/pull/N/head`; a
rebase merge only by the delivery of its merge, so from git alone its requests are `undetermined`.
"""

import random
from collections import Counter
from functools import cache
from pathlib import Path

import pytest

from events.instant import DAY, Instant
from events.log.memory import MemoryLog
from events.log.port import START
from projections.release_inclusion.answers import contents, is_carrier_only
from projections.release_inclusion.history.verdicts import verdict
from projections.release_inclusion.view import ReleaseView
from services.simulator import World, simulate
from services.simulator.truth import TagTruth
from tests.projections.release_inclusion.worlds import (
    DELAY,
    answered,
    compare,
    port_in_doubt,
    recorded,
    seen_at,
)
from tests.worlds import REPO, log_end, project

SEEDS = (1, 2, 3)
OUTCOMES = ("included", "partly", "reverted", "removed", "not_included")
#: A doubt is the right answer for what may have come under another number, and for no more.
EQUAL = {(outcome, outcome) for outcome in OUTCOMES} | {("not_included", "doubted")}
#: So it is where something of a title landed after a revert of another of that title.
AGAIN = {("reverted", "doubted"), ("removed", "doubted")}


@cache
def _world(seed: int) -> World:
    return simulate(seed, pulls=120, days=120)


@pytest.fixture(
    scope="module", params=[1, *(pytest.param(each, marks=pytest.mark.slow) for each in SEEDS[1:])]
)
def seed(request: pytest.FixtureRequest) -> int:
    assert isinstance(request.param, int)
    return request.param


@pytest.fixture(scope="module")
def whole(seed: int, tmp_path_factory: pytest.TempPathFactory) -> ReleaseView:
    """Everything of a world, known by deliveries and by git."""
    log = recorded(_world(seed), tmp_path_factory.mktemp("world")).log
    with project(log).snapshot() as snapshot:
        asked = seen_at(snapshot, log_end(log, REPO))
        assert asked.history.standing  # nothing is read later
    return asked


def test_every_verdict_equals_the_truth(seed: int, whole: ReleaseView) -> None:
    world = _world(seed)
    found = compare(whole, world, world.truth.tags)
    assert set(found) <= EQUAL
    assert found["not_included", "doubted"] < found.total() // 50
    assert found.total() == len(world.truth.tags) * len(world.truth.pulls) > 5_000
    assert found["included", "included"] > 1_000
    assert found["not_included", "not_included"] > 1_000
    assert found["partly", "partly"] > 10
    assert found["reverted", "reverted"] > 5


def test_the_worlds_show_every_verdict_and_every_relation() -> None:
    """The tests above would be empty without them."""
    verdicts = Counter(
        verdict
        for seed in SEEDS
        for by_number in _world(seed).truth.verdicts.values()
        for verdict in by_number.values()
    )
    assert set(verdicts) == set(OUTCOMES) - {"not_included"}
    pulls = [pull for seed in SEEDS for pull in _world(seed).truth.pulls]
    kinds = {relation.kind for pull in pulls for relation in pull.relations}
    assert kinds == {"pick", "port", "sync", "revert", "readd", "stack"}
    assert {pull.method for pull in pulls} == {"merge", "squash", "rebase", "queue", None}


def test_first_shipped_in_is_the_first_final_that_includes_it(
    seed: int, whole: ReleaseView
) -> None:
    world = _world(seed)
    finals = [tag for tag in world.truth.tags if tag.family == "core" and not tag.prerelease]
    named = 0
    for pull in world.truth.pulls:
        having = [
            tag.name for tag in finals if world.truth.verdict(tag.name, pull.number) == "included"
        ]
        for tag in finals:
            answer = answered(whole, pull.number, tag.name)
            assert answer is not None
            assert answer.first == (having[0] if having else None)
            named += bool(having)
    assert named > 200


def test_what_a_release_brings_is_what_the_one_before_lacks(seed: int, whole: ReleaseView) -> None:
    world, brought = _world(seed), 0
    for tag in world.truth.tags:
        release = whole.release(tag.name)
        before = whole.predecessor(release)
        assert (before.tag if before else None) == tag.predecessor or tag.family == "snapshot"
        page = contents(whole, release, before)
        expected = _numbers(world, tag, "included")
        if before is not None:
            expected -= _numbers(world, _tag(world, before.tag), "included")
        expected = {n for n in expected if not is_carrier_only(whole, n)}
        assert {one.number for one in page.new} == expected, tag.name
        removed = {one.number for one in page.removed}
        if tag.family != "snapshot":
            assert removed == _numbers(world, tag, "removed"), tag.name
        assert (page.missing, page.undetermined) == ((), ())
        brought += len(page.new)
    assert brought > 100


def test_the_matrix_says_what_each_verdict_says(seed: int, whole: ReleaseView) -> None:
    history = whole.history
    for pull in _world(seed).truth.pulls:
        found = whole.matrix.of(pull.number)
        for tip in history.reach.tips:
            bit, outcome = history.reach.bit(tip), verdict(history, pull.number, tip).outcome
            for kind in ("included", "partly", "reverted", "undetermined"):
                assert bool(getattr(found, kind) & bit) == (outcome == kind), (pull.number, tip)


def _numbers(world: World, tag: TagTruth, outcome: str) -> set[int]:
    by_number = world.truth.verdicts[tag.name]
    return {number for number, verdict in by_number.items() if verdict == outcome}


def _tag(world: World, name: str) -> TagTruth:
    return next(tag for tag in world.truth.tags if tag.name == name)


def test_git_alone_contradicts_nothing_and_lacks_only_rebase_merges(
    seed: int, tmp_path: Path
) -> None:
    world = _world(seed)
    log = recorded(world, tmp_path, webhooks=False).log
    with project(log).snapshot() as snapshot:
        asked = seen_at(snapshot, log_end(log, REPO))
    found = compare(asked, world, world.truth.tags)
    assert found["included", "included"] > 1_000
    assert found["reverted", "reverted"] > 5
    for tag in world.truth.tags:
        for pull in world.truth.pulls:
            answer = answered(asked, pull.number, tag.name)
            if answer is None or answer.verdict.outcome == "undetermined":
                known = pull.method not in ("rebase", None)
                doubted = port_in_doubt(world, tag.name, pull.number)
                assert doubted or not known, (tag.name, pull.number)


@pytest.mark.parametrize("seed", [pytest.param(4, marks=pytest.mark.slow), 5])
def test_no_answer_at_any_known_time_contradicts_the_truth(seed: int, tmp_path: Path) -> None:
    """At a reading all is known; later, deliveries speak of commits that git has not shown."""
    world, chance = simulate(seed, pulls=70, days=90), random.Random(seed)
    span = world.truth.end - world.truth.start
    cuts = [world.truth.start + span * part // 5 for part in (1, 2, 3, 4)]
    found = recorded(world, tmp_path, cuts=cuts)
    with project(found.log).snapshot() as snapshot:
        for cut, known_at in zip(cuts, found.readings, strict=False):
            tags = [tag for tag in world.truth.tags if tag.pushed_at <= cut]
            at_reading = compare(seen_at(snapshot, known_at), world, tags)
            assert at_reading["included", "included"] > 0
            allowed = EQUAL | {("not_included", "unrecorded")}
            assert set(at_reading) <= allowed
        late: Counter[tuple[str, str]] = Counter()
        for _ in range(6):
            known_at = chance.randrange(found.readings[0], world.truth.end)
            late += compare(seen_at(snapshot, known_at), world, _announced(world, known_at))
    unrecorded = {expected for expected, given in late if given == "unrecorded"}
    assert unrecorded <= {"not_included"}
    assert late["included", "included"] > 500
    assert late["included", "undetermined"] > 0, "git was never behind: this world shows nothing"


def _announced(world: World, known_at: Instant) -> list[TagTruth]:
    """Return the tags whose push was delivered by K."""
    delivered = [delivery.at + DELAY for delivery in world.deliveries]
    return [
        tag
        for tag in world.truth.tags
        if tag.delivery is not None and delivered[tag.delivery] <= known_at
    ]


def test_old_answers_stay_when_later_records_come(tmp_path: Path) -> None:
    world = simulate(6, pulls=50, days=60)
    cut = world.truth.start + 30 * DAY
    found = recorded(world, tmp_path, cuts=[cut])
    known_at = found.readings[0]
    early = MemoryLog(lambda: 0)
    early.load([e for e in found.log.read(REPO, START, limit=10**6) if e.recorded_at <= known_at])
    answers = []
    for log in (early, found.log):
        with project(log).snapshot() as snapshot:
            asked = seen_at(snapshot, known_at)
            tags = [one.tag for one in asked.releases]
            numbers = sorted(asked.requests)
            answers.append([answered(asked, n, tag) for tag in tags for n in numbers])
    assert answers[0] == answers[1]
    assert len(answers[0]) > 100


@pytest.mark.slow
def test_a_world_of_two_thousand_requests_equals_its_truth(tmp_path: Path) -> None:
    world = simulate(2_000, pulls=2_000, days=365)
    log = recorded(world, tmp_path).log
    with project(log).snapshot() as snapshot:
        found = compare(seen_at(snapshot, log_end(log, REPO)), world, world.truth.tags)
    assert set(found) - AGAIN == EQUAL
    assert sum(found[pair] for pair in AGAIN) < found["reverted", "reverted"] // 10
    assert found["included", "included"] > 20_000
