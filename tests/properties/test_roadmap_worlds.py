"""Roadmaps of simulated worlds: statuses, drift, carry-over and matrix against the truth."""

import random
import re
from bisect import bisect_right
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest

from events.instant import DAY, Instant
from projections.engine.read_model import ReadModel
from projections.release_inclusion.view import HistoryCache, view
from projections.repositories.branch_roles import BranchRoles
from projections.roadmap_status.context import Convention, RoadmapContext, ViewedItem
from projections.roadmap_status.editions.cache import EditionCache
from projections.roadmap_status.editions.pairing import Method
from projections.roadmap_status.lineage import steps
from projections.roadmap_status.release_matrix import matrix
from projections.store.snapshot import Snapshot
from services.simulator import World, simulate
from services.simulator.truth import RoadmapItem
from tests.projections.release_inclusion.worlds import DELAY, Recorded, port_in_doubt, recorded
from tests.projections.roadmap_status.truth import Truth
from tests.worlds import REPO, project

SEEDS = (3, 8, 34)


class Told:
    """One world in the log and the read model, read by git at three moments."""

    def __init__(self, seed: int, folder: Path) -> None:
        self.world: World = simulate(seed, pulls=60, days=90, careless=seed != SEEDS[1])
        chosen = random.Random(seed)
        start, end = self.world.truth.start, self.world.truth.end
        cuts = sorted(chosen.randrange(start + 30 * DAY, end - DAY) for _ in range(2))
        self.recorded: Recorded = recorded(self.world, folder, cuts=cuts)
        self.model: ReadModel = project(self.recorded.log)
        self.histories, self.editions = HistoryCache(), EditionCache()
        self.random = chosen

    def desk(self, snapshot: Snapshot, as_of: Instant, known_at: Instant) -> RoadmapContext:
        roles = BranchRoles()
        seen = view(snapshot, REPO, as_of, known_at, roles=roles, families=(), cache=self.histories)
        return RoadmapContext(
            snapshot,
            REPO,
            as_of,
            known_at,
            view=seen,
            default_branch="main",
            convention=Convention(roles=roles),
            cache=self.editions,
        )

    def moments(self) -> Iterator[tuple[Instant, Instant]]:
        """Yield (T, K): at each reading of git, T at K and at random moments before it."""
        for known_at in self.recorded.readings:
            yield known_at, known_at
            for _ in range(3):
                yield self.random.randrange(self.world.truth.start + 10 * DAY, known_at), known_at

    def truth(self, as_of: Instant, known_at: Instant) -> Truth:
        arrivals = [delivery.at + DELAY for delivery in self.world.deliveries]
        return Truth(self.world, as_of, bisect_right(arrivals, known_at))


@pytest.fixture(
    scope="module", params=[3, *(pytest.param(each, marks=pytest.mark.slow) for each in SEEDS[1:])]
)
def told(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Told:
    return Told(request.param, tmp_path_factory.mktemp(f"world-{request.param}"))


def pairs(
    told: Told, desk: RoadmapContext, truth: Truth
) -> Iterator[tuple[ViewedItem, RoadmapItem]]:
    """Yield each item as it is answered, with what the world has of it."""
    for found in desk.roadmaps:
        version = truth.version(found.number)
        assert version is not None
        by_serial = {_serial(one.title): one for one in version.items}
        board = desk.view_of(found.number)
        assert len(board.items) == len(version.items)
        for one in board.items:
            yield one, by_serial[_serial(one.judged.match.item.title)]


def test_statuses_are_those_of_the_world(told: Told) -> None:
    seen: Counter[str] = Counter()
    for as_of, known_at in told.moments():
        truth = told.truth(as_of, known_at)
        with told.model.snapshot() as snapshot:
            for one, item in pairs(told, told.desk(snapshot, as_of, known_at), truth):
                kind, branches = truth.status(item)
                status = one.judged.status
                where = (as_of, known_at, item, [part.state for part in one.judged.counted])
                assert status.kind.value == kind, where
                if kind in ("delivered", "foundation delivered"):
                    assert frozenset(status.branches) == branches, where
                seen[kind] += 1
    assert len(seen) > 4


def test_drifts_are_those_of_the_world(told: Told) -> None:
    seen: Counter[str | None] = Counter()
    for as_of, known_at in told.moments():
        truth = told.truth(as_of, known_at)
        with told.model.snapshot() as snapshot:
            for one, item in pairs(told, told.desk(snapshot, as_of, known_at), truth):
                own = {drift.kind.value for drift in one.drift if not drift.of_link}
                expected = truth.drift(item)
                where = (as_of, known_at, item, one.judged.status, one.drift)
                assert own == ({expected} if expected else set()), where
                for drift in one.drift:
                    assert drift.since is not None
                    assert drift.since <= as_of
                    assert drift.record_id
                seen[expected] += 1
    assert len(seen) > 2


def test_what_is_carried_over_is_what_the_keeper_carried(told: Told) -> None:
    end = told.recorded.readings[-1]
    with told.model.snapshot() as snapshot:
        desk = told.desk(snapshot, end, end)
        chain = steps(desk, desk.roadmaps[0].number)
        (step,) = chain
        shown = {
            one.id: _serial(one.item.title)
            for number in (step.old, step.new)
            for edition in (0, -1)
            for one in desk.walk(number).edition(edition).matches
        }
    texts = told.world.truth.roadmaps
    old = [one for one in texts if one.number == step.old][-1]
    new = [one for one in texts if one.number == step.new]
    after = {item.key for one in (new[0], new[-1]) for item in one.items}
    expected = {_serial(one.title): one for one in old.items if one.key in after}
    # titles of a world differ in their serial alone: another's text may be close enough
    sure = [one for one in step.carried.carried if shown[one.old] == shown[one.new]]
    mistaken = [one for one in step.carried.carried if one not in sure]
    assert all(one.method is Method.TEXT and one.score < 100 for one in mistaken)
    found = {shown[one.old] for one in sure}
    assert found <= expected.keys()
    assert len(expected.keys() - found) <= len(mistaken)
    for one in sure:
        item = expected[shown[one.old]]
        said = item.box if item.box is not None else (item.words or "").startswith("delivered")
        said = said or item.struck
        assert one.slipped == (not said)


def test_releases_hold_what_the_world_put_into_them(told: Told) -> None:
    end = told.recorded.readings[-1]
    truth = told.truth(end, end)
    seen: Counter[str] = Counter()
    with told.model.snapshot() as snapshot:
        desk = told.desk(snapshot, end, end)
        by_id = {one.judged.id: item for one, item in pairs(told, desk, truth)}
        for found in desk.roadmaps:
            for row in matrix(desk, desk.view_of(found.number)):
                item = by_id[row.item.judged.id]
                for one in row.holdings:
                    held = truth.held(item, one.release.tag)
                    if one.extent.value == "unknown" and held != "unknown":
                        numbers = [number for number in item.links if isinstance(number, int)]
                        assert any(
                            port_in_doubt(told.world, one.release.tag, number) for number in numbers
                        ), (item, one.release.tag)
                        continue
                    assert one.extent.value == held, (item, one.release.tag, one.lacking)
                    seen[held] += 1
                whole = [one.release for one in row.holdings if one.extent.value == "whole"]
                unsure = any(one.extent.value == "unknown" for one in row.holdings)
                assert row.first in whole if row.first else unsure or not whole
    assert seen["not"]


def test_ids_stay_with_their_items(told: Told) -> None:
    """Every edition of a roadmap gives an item, which the keeper rewords, the id that it had."""
    end = told.recorded.readings[-1]
    with told.model.snapshot() as snapshot:
        desk = told.desk(snapshot, end, end)
        for found in desk.roadmaps:
            walk = desk.walk(found.number)
            ids: dict[str, str] = {}
            for place in range(len(walk)):
                for one in walk.edition(place).matches:
                    assert ids.setdefault(_serial(one.item.title), one.id) == one.id


def _serial(title: str) -> str:
    """Return the serial number that every title of the simulator carries."""
    found = re.search(r"goal (\d+)", title)
    assert found is not None, title
    return found[1]
