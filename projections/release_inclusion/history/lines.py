"""A branch's first-parent line: when, and with which commit, each change entered it.

A branch has thousands of past tips; they are not asked one by one. The commits of its
first-parent history are its past tips, so the first of them that reaches a commit is where that
commit entered.
"""

from array import array
from collections.abc import Iterable
from heapq import heapify, heappop, heappush
from typing import Final

from projections.release_inclusion.history.graph import CommitGraph, Node

_OUTSIDE: Final = -1
#: Whose history a node is in while a merge is looked into; the greater one wins.
_SIDE: Final = 1
_BASE: Final = 2


class BranchLine:
    """The first-parent history of one tip, oldest first. Position 0 is its oldest commit."""

    def __init__(self, graph: CommitGraph, tip: str) -> None:
        """Walk the line once and note for every ancestor where it entered."""
        self._graph = graph
        chain = _first_parents(graph, graph.node(tip))
        self.complete = all(graph.sha(node) in graph for node in chain[:1])
        """False where the line begins at a commit that the clone does not hold."""
        self.commits = tuple(graph.sha(node) for node in chain)
        self._entered = array("i", [_OUTSIDE]) * len(graph)
        self._inside: dict[int, list[Node]] = {}
        for position, node in enumerate(chain):
            self._enter(node, position)

    def _enter(self, node: Node, position: int) -> None:
        entered, parents = self._entered, self._graph.parents
        stack = [node]
        entered[node] = position
        brought: list[Node] = []
        while stack:
            for parent in parents(stack.pop()):
                if entered[parent] == _OUTSIDE:
                    entered[parent] = position
                    brought.append(parent)
                    stack.append(parent)
        if brought:
            self._inside[position] = brought

    def position(self, sha: str) -> int | None:
        """Return the position at which a commit entered, None where it never did."""
        # A commit that the graph learned of after this line was drawn is not part of it.
        node = self._graph.node(sha)
        place = self._entered[node] if node < len(self._entered) else _OUTSIDE
        return None if place == _OUTSIDE else place

    def entry(self, sha: str) -> str | None:
        """Return the commit of the line with which a commit entered (itself, or a merge)."""
        place = self.position(sha)
        return None if place is None else self.commits[place]

    def on_line(self, sha: str) -> bool:
        """Tell whether a commit is itself one of the line's first-parent commits."""
        return self.entry(sha) == sha

    def brought_by(self, sha: str) -> tuple[str, ...]:
        """Return the commits that entered by a merge of the line, without the merge itself."""
        place = self.position(sha)
        if place is None or self.commits[place] != sha:
            return ()
        return tuple(self._graph.sha(node) for node in self._inside.get(place, ()))


def side_of(graph: CommitGraph, merge: str) -> frozenset[str]:
    """Return the commits that a merge brought to its first parent's history.

    Costs as much as has happened since the side left that history, and no walk to the roots.
    """
    first, *others = graph.parents(graph.node(merge))
    ranks = graph.ranks()
    sides = dict.fromkeys(others, _SIDE) | {first: _BASE}
    waiting = [(-ranks[node], node) for node in sides]
    heapify(waiting)
    # Children come before parents, so what a node is told of is whole once it is its turn.
    undecided = sum(mark == _SIDE for mark in sides.values())
    side = []
    while undecided:
        node = heappop(waiting)[1]
        mark = sides[node]
        if mark == _SIDE:
            side.append(graph.sha(node))
            undecided -= 1
        for parent in graph.parents(node):
            known = sides.get(parent)
            if known is None:
                heappush(waiting, (-ranks[parent], parent))
            if known is None or known < mark:
                sides[parent] = mark
                undecided += (mark == _SIDE) - (known == _SIDE)
    return frozenset(side)


def ancestors_of(graph: CommitGraph, shas: Iterable[str]) -> frozenset[str]:
    """Return commits and all their ancestors. Costs up to the whole history."""
    return frozenset(map(graph.sha, _ancestors(graph, map(graph.node, shas))))


def _first_parents(graph: CommitGraph, node: Node) -> list[Node]:
    chain = [node]
    while parents := graph.parents(chain[-1]):
        chain.append(parents[0])
    chain.reverse()
    return chain


def _ancestors(graph: CommitGraph, nodes: Iterable[Node]) -> set[Node]:
    stack = list(nodes)
    visited = set(stack)
    while stack:
        for parent in graph.parents(stack.pop()):
            if parent not in visited:
                visited.add(parent)
                stack.append(parent)
    return visited
