"""Simulated worlds: groups against the simulator's own truth, precision first."""

import pytest

from projections.period_ledger.change_groups.queries import ChangeGroups, change_groups
from projections.repositories.branch_roles import BranchRoles
from services.simulator import World, simulate
from services.simulator.truth import Relation
from tests.worlds import REPO, project, world_log

#: What a request's own text, title or branch shows of its relation. `re-add` says it in the text.
_SHOWN = {
    ("pick", "cp title"),
    ("pick", "merge subject"),
    ("pick", "suffix"),
    ("readd", "reapply"),
    ("readd", "re-add"),
    ("readd", "revert of the revert"),
}


def grouped(world: World, *, share: float = 1.0) -> ChangeGroups:
    model = project(world_log(world))
    with model.snapshot() as snapshot:
        k = snapshot.watermark(REPO).last_recorded
        at = world.truth.start + round((k - world.truth.start) * share)
        numbers = [one.number for one in world.truth.pulls if one.opened_at <= at]
        return change_groups(snapshot, REPO, numbers, at, k, roles=BranchRoles())


@pytest.mark.parametrize(
    "seed", [3, 21, *(pytest.param(each, marks=pytest.mark.slow) for each in (8, 34))]
)
def test_groups_are_those_of_the_truth_as_far_as_texts_show(seed: int) -> None:
    world = simulate(seed, pulls=120, days=100)
    found = grouped(world)
    one_change = {
        frozenset((pull.number, relation.number))
        for pull in world.truth.pulls
        for relation in pull.relations
        if relation.kind in ("pick", "port", "readd")
    }
    related = _closure(one_change)
    for group in found.grouping.groups:
        for number in group.twins:
            assert related.get(number) == related.get(group.lead), (group, number)
    for pull in world.truth.pulls:
        for relation in pull.relations:
            if _shown(relation):
                assert relation.number in found.grouping.group_of(pull.number).numbers


def test_an_earlier_moment_knows_no_later_port() -> None:
    world = simulate(8, pulls=60, days=60)
    early = grouped(world, share=0.5)
    late = grouped(world)
    assert set(early.members) < set(late.members)


def _shown(relation: Relation) -> bool:
    return (relation.kind, relation.evidence) in _SHOWN


def _closure(pairs: set[frozenset[int]]) -> dict[int, int]:
    parents: dict[int, int] = {}

    def root(number: int) -> int:
        while parents.setdefault(number, number) != number:
            number = parents[number]
        return number

    for pair in pairs:
        low, high = sorted(map(root, pair))
        parents[high] = low
    return {number: root(number) for number in list(parents)}
