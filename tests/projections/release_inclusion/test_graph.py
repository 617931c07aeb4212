"""Reachability and first-parent lines, against a plain search on random graphs."""

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from events.errors import BrokenLog, NotFound
from projections.release_inclusion.history.graph import CommitGraph, Node, reach
from projections.release_inclusion.history.lines import BranchLine, side_of
from tests.projections.release_inclusion.histories import ancestors

Parents = dict[str, list[str]]


@st.composite
def graphs(draw: st.DrawFn, *, most: int = 30) -> Parents:
    """Draw a graph of commits `0`, `1` …; parents have smaller numbers, roots are several."""
    parents: Parents = {}
    for number in range(draw(st.integers(1, most))):
        chosen = st.lists(st.integers(0, number - 1), max_size=3, unique=True)
        parents[str(number)] = [str(p) for p in draw(chosen)] if number else []
    return parents


@given(graphs(), st.randoms(use_true_random=False), st.data())
def test_membership_equals_a_plain_search(
    parents: Parents, rng: random.Random, data: st.DataObject
) -> None:
    tips = data.draw(st.lists(st.sampled_from(sorted(parents)), min_size=1, max_size=8))
    commits = list(parents.items())
    rng.shuffle(commits)
    graph = CommitGraph(commits)
    reached = reach(graph, tips)
    for tip in tips:
        expected = ancestors(parents, tip)
        assert set(reached.commits_of(tip)) == expected
        assert {sha for sha in parents if reached.reaches(tip, sha)} == expected
        assert reached.missing_of(tip) == ()


@given(graphs(), st.data())
def test_absent_parents_are_named_for_the_tips_that_lack_them_and_for_no_other(
    parents: Parents, data: st.DataObject
) -> None:
    names = sorted(parents)
    absent = data.draw(st.sets(st.sampled_from(names)))
    tips = data.draw(st.lists(st.sampled_from(names), min_size=1))
    given_parents = {sha: p for sha, p in parents.items() if sha not in absent}
    graph = CommitGraph([*given_parents.items()])
    named = {p for ps in given_parents.values() for p in ps} | given_parents.keys()
    assert set(graph.missing) == absent & named
    tips = [tip for tip in tips if tip in named]
    reached = reach(graph, tips)
    for tip in tips:
        seen = ancestors(given_parents, tip)
        assert set(reached.missing_of(tip)) == seen & absent
        assert set(reached.commits_of(tip)) == seen - absent


@given(graphs(), st.data())
def test_a_graph_that_grew_answers_like_one_that_was_given_at_once(
    parents: Parents, data: st.DataObject
) -> None:
    cut = data.draw(st.integers(0, len(parents)))
    commits = list(parents.items())
    grown = CommitGraph(commits[cut:])
    tips = sorted(parents)[-3:]
    if cut < len(commits):
        reach(grown, [t for t in tips if t in grown])
    grown.add(commits[:cut])
    whole = reach(CommitGraph(commits), tips)
    again = reach(grown, tips)
    assert all(again.tips_of(sha) == whole.tips_of(sha) for sha in parents)


@given(graphs())
def test_children_come_before_their_parents(parents: Parents) -> None:
    graph = CommitGraph(list(parents.items()))
    assert all(graph.rank(sha) > graph.rank(p) for sha, ps in parents.items() for p in ps)


@given(graphs(), st.data())
def test_a_commit_enters_a_line_with_the_first_past_tip_that_reaches_it(
    parents: Parents, data: st.DataObject
) -> None:
    tip = data.draw(st.sampled_from(sorted(parents)))
    line = BranchLine(CommitGraph(list(parents.items())), tip)
    assert line.commits[-1] == tip
    assert parents[line.commits[0]] == []
    for sha in parents:
        entered = [p for p in line.commits if sha in ancestors(parents, p)]
        assert line.entry(sha) == (entered[0] if entered else None)
    for position, sha in enumerate(line.commits):
        assert line.position(sha) == position
        brought = {s for s in parents if line.position(s) == position} - {sha}
        assert set(line.brought_by(sha)) == brought


@given(graphs())
def test_the_side_of_a_merge_is_what_its_first_parent_did_not_have(parents: Parents) -> None:
    graph = CommitGraph(list(parents.items()))
    for sha, (first, *others) in ((s, p) for s, p in parents.items() if len(p) > 1):
        expected = set().union(*(ancestors(parents, p) for p in others))
        assert side_of(graph, sha) == expected - ancestors(parents, first)


class _Counting(CommitGraph):
    """Counts how often the parents of a commit are asked for."""

    asked = 0

    def parents(self, node: Node) -> tuple[Node, ...]:
        self.asked += 1
        return super().parents(node)


@pytest.mark.parametrize("length", [100, 1000])
def test_the_side_of_a_merge_is_found_without_a_walk_to_the_root(length: int) -> None:
    line = [(str(n), [str(n - 1)] if n else []) for n in range(length)]
    fork, last = str(length - 3), str(length - 1)
    graph = _Counting([*line, ("s", [fork]), ("t", ["s"]), ("m", [last, "t"])])
    graph.ranks()
    graph.asked = 0
    assert side_of(graph, "m") == {"s", "t"}
    assert graph.asked <= len({"m", "t", "s", last, str(length - 2), fork})


def test_commits_with_equal_tips_share_a_class() -> None:
    chain = [(str(n), [str(n - 1)] if n else []) for n in range(1000)]
    reached = reach(CommitGraph(chain), ["999", "499"])
    assert len(reached.tip_sets) == 2
    assert reached.names(reached.tips_of("0")) == ("999", "499")


def test_two_names_of_one_commit_are_one_tip() -> None:
    assert reach(CommitGraph([("a", [])]), ["a", "a"]).tips == ("a",)


def test_a_circle_is_refused() -> None:
    with pytest.raises(BrokenLog, match="circle"):
        CommitGraph([("a", ["b"]), ("b", ["a"])]).children_first()


def test_other_parents_for_a_known_commit_are_refused() -> None:
    graph = CommitGraph([("a", []), ("b", ["a"])])
    graph.add([("b", ["a"])])
    with pytest.raises(BrokenLog, match="two different lists"):
        graph.add([("b", [])])


def test_what_was_never_named_is_not_found_rather_than_outside() -> None:
    reached = reach(CommitGraph([("a", [])]), ["a"])
    with pytest.raises(NotFound):
        reached.tips_of("b")
    with pytest.raises(NotFound):
        reached.bit("b")
