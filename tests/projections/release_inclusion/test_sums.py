"""What lies between two releases is counted as if every request and commit were looked at."""

from pathlib import Path

import pytest

from projections.release_inclusion.answers import counts, is_carrier_only
from projections.release_inclusion.history.twins import twin_tips
from projections.release_inclusion.known_releases import KnownRelease
from projections.release_inclusion.view import HistoryCache, ReleaseView, view
from projections.repositories.branch_roles import BranchRoles
from services.simulator import SHAPES, simulate
from tests.projections.release_inclusion.worlds import recorded
from tests.worlds import REPO, log_end, project


def _looked_at(
    seen: ReleaseView, release: KnownRelease, against: KnownRelease | None
) -> tuple[int, int, int]:
    """Count as the definitions say, request by request and commit by commit."""
    history, reach = seen.history, seen.history.reach
    bit = reach.bit(release.commit)
    before = reach.bit(against.commit) if against else 0
    numbers = [n for n in history.carriers.numbers() if not is_carrier_only(seen, n)]
    places = [(seen.matrix.of(number), ~twin_tips(history, number)) for number in numbers]
    speaking = {revert.sha for revert in history.resolution.reverts}
    plain = [
        sha
        for sha in history.graph
        if not history.carriers.at(sha) and sha not in speaking and not history.graph.is_merge(sha)
    ]
    return (
        sum(bool(w.included & bit & own) and not w.included & before for w, own in places),
        sum(bool(w.reverted & bit and w.present & before) for w, _ in places),
        sum(reach.reaches(release.commit, s) and not reach.tips_of(s) & before for s in plain),
    )


@pytest.mark.parametrize("shaped", [False, True], ids=["plain", "shaped"])
def test_releases_are_counted_as_if_all_was_looked_at(shaped: bool, tmp_path: Path) -> None:
    world = simulate(3, pulls=120, days=100, shapes=SHAPES if shaped else ())
    log = recorded(world, tmp_path, cuts=[]).log
    with project(log).snapshot() as snapshot:
        end = log_end(log, REPO)
        seen = view(
            snapshot, REPO, end, end, roles=BranchRoles(), families=(), cache=HistoryCache()
        )
        counted = counts(seen, seen.releases)
        assert counted
        for release in seen.releases:
            count = counted[release.tag]
            told = (count.new, count.removed, count.unattributed)
            assert told == _looked_at(seen, release, count.against), release.tag
        assert any(count.new for count in counted.values())
        assert any(count.unattributed for count in counted.values())


def test_every_pair_of_releases_is_told_apart_by_the_requests_in_question(tmp_path: Path) -> None:
    world = simulate(5, pulls=120, days=100, shapes=SHAPES)
    log = recorded(world, tmp_path, cuts=[]).log
    with project(log).snapshot() as snapshot:
        end = log_end(log, REPO)
        seen = view(
            snapshot, REPO, end, end, roles=BranchRoles(), families=(), cache=HistoryCache()
        )
        reach = seen.history.reach
        for tip in reach.tips:
            for other in (*reach.tips, None):
                bits = reach.bit(tip), reach.bit(other) if other else 0
                apart = seen.sums.apart(*bits)
                for number in set(seen.history.carriers.numbers()) - apart:
                    where = seen.matrix.of(number)
                    for tips in (where.included, where.partly):
                        assert other is None or bool(tips & bits[0]) == bool(tips & bits[1])
                    assert other is not None or not where.present & bits[0]
