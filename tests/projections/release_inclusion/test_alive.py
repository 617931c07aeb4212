"""`alive`, against its definition read out recursively on small random graphs."""

from functools import cache

import pytest
from hypothesis import given
from hypothesis import strategies as st

from events.errors import BrokenLog
from projections.release_inclusion.history.graph import CommitGraph, reach
from projections.release_inclusion.history.history import alive
from tests.projections.release_inclusion.histories import ancestors
from tests.projections.release_inclusion.test_graph import Parents, graphs


@given(graphs(most=14), st.data())
def test_alive_equals_its_definition(parents: Parents, data: st.DataObject) -> None:
    reverts: dict[str, set[str]] = {}
    for sha in parents:
        below = sorted(ancestors(parents, sha) - {sha})
        if below:
            reverts[sha] = data.draw(st.sets(st.sampled_from(below), max_size=3))
    tips = data.draw(st.lists(st.sampled_from(sorted(parents)), min_size=1, max_size=4))

    @cache
    def stands(sha: str, tip: str) -> bool:
        closure = ancestors(parents, tip)
        return sha in closure and not any(
            sha in reverts[y] and stands(y, tip) for y in closure & reverts.keys()
        )

    graph = CommitGraph(list(parents.items()))
    reached = reach(graph, tips)
    newest_first = sorted(parents, key=graph.rank, reverse=True)
    standing = alive(newest_first, reverts, reached.tips_of)
    for sha in parents:
        for tip in tips:
            assert bool(standing[sha] & reached.bit(tip)) == stands(sha, tip)


def test_on_a_single_line_a_chain_of_reverts_toggles() -> None:
    line = [str(n) for n in range(9, -1, -1)]
    targets = {str(n): [str(n - 1)] for n in range(1, 10)}
    for length in range(10):
        standing = alive(line[9 - length :], targets, lambda _: 1)
        assert bool(standing["0"]) == (length % 2 == 0)


def test_two_reverts_of_one_commit_on_synced_branches_do_not_cancel_each_other() -> None:
    standing = alive(["sync", "y2", "y1", "x"], {"y1": ["x"], "y2": ["x"]}, lambda _: 1)
    assert not standing["x"]


def test_a_revert_of_what_is_no_ancestor_is_refused() -> None:
    with pytest.raises(BrokenLog, match="not its ancestor"):
        alive(["x", "y"], {"y": ["x"]}, lambda _: 1)
