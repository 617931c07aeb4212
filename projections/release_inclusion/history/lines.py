"""First-parent lines of branches: when, and with which commit, each change entered them.

A branch has thousands of past tips; they are not asked one by one. The commits of its first-parent
history are its past tips, so the first of them that reaches a commit is where that commit entered.

Branches share most of their history. A *chain* is the part of a line from where it left another
one, and it notes where commits entered only for those that the fork does not hold already: about
one note a commit, however many branches there are (MODEL.md 9).
"""

from array import array
from collections import defaultdict
from collections.abc import Iterable, Iterator
from functools import cached_property
from heapq import heapify, heappop, heappush
from typing import Final, TypeAlias

from projections.release_inclusion.history.graph import CommitGraph, Node

#: Whose history a node is in while a merge is looked into; the greater one wins.
_SIDE: Final = 1
_BASE: Final = 2


class Chain:
    """A first-parent line from where it left its `parent`, after that one's position `fork`.

    `nodes` are its own commits, oldest first; `entered` says at which of them each commit entered
    that the fork does not hold, in the order of a walk from the oldest.
    """

    def __init__(
        self,
        parent: "Chain | None",
        fork: int,
        nodes: "array[int]",
        entered: dict[Node, int] | None = None,
    ) -> None:
        self.parent, self.fork, self.nodes = parent, fork, nodes
        self.entered: dict[Node, int] = {} if entered is None else entered
        self.base: int = 0 if parent is None else parent.base + fork + 1
        """How many commits of the line come before its own."""

    def enter_all(self, graph: CommitGraph) -> "Chain":
        """Note where commits entered. Each is visited once, and none that the fork holds."""
        for place, node in enumerate(self.nodes):
            self._enter(graph, node, place)
        return self

    def _enter(self, graph: CommitGraph, node: Node, place: int) -> None:
        entered, parent, fork = self.entered, self.parent, self.fork
        stack = [node]
        entered[node] = place
        while stack:
            for above in graph.parents(stack.pop()):
                if above in entered or (parent is not None and parent.find(above, fork)):
                    continue
                entered[above] = place
                stack.append(above)

    def find(self, node: Node, until: int) -> "tuple[Chain, int] | None":
        """Return where a commit entered the line that ends at position `until` of this chain."""
        chain = self
        while (place := chain.entered.get(node)) is None:
            if chain.parent is None:
                return None
            chain, until = chain.parent, chain.fork
        return (chain, place) if place <= until else None

    @cached_property
    def inside(self) -> dict[int, list[Node]]:
        """By position: the commits that entered there, without the chain's own one."""
        inside: dict[int, list[Node]] = defaultdict(list)
        for node, place in self.entered.items():
            if node != self.nodes[place]:
                inside[place].append(node)
        return inside


Point: TypeAlias = tuple[Chain, int]
"""A position of a chain."""


class Chains:
    """The lines of some tips, each from where it left an earlier one."""

    def __init__(self, graph: CommitGraph, chains: Iterable[Chain] = ()) -> None:
        self._graph = graph
        self.all: list[Chain] = []
        self._points: dict[Node, Point] = {}
        for chain in chains:
            self._register(chain)

    def add(self, tips: Iterable[str]) -> None:
        """Take the lines of further tips, the most important first."""
        for tip in tips:
            node = self._graph.node(tip)
            if node not in self._points:
                self._register(self.grown(node))

    def _register(self, chain: Chain) -> None:
        self.all.append(chain)
        self._points.update((node, (chain, place)) for place, node in enumerate(chain.nodes))

    def point(self, node: Node) -> Point | None:
        """Return where a commit stands on these lines, None for one that is on none."""
        return self._points.get(node)

    def grown(self, tip: Node) -> Chain:
        """Return the chain of a tip that is on none: its own commits down to where it forked."""
        own = array("i", [tip])
        while (parents := self._graph.parents(own[-1])) and parents[0] not in self._points:
            own.append(parents[0])
        own.reverse()
        parents = self._graph.parents(own[0])
        parent, fork = self._points[parents[0]] if parents else (None, -1)
        return Chain(parent, fork, own).enter_all(self._graph)


class BranchLine:
    """The first-parent history of one tip, oldest first. Position 0 is its oldest commit."""

    def __init__(self, graph: CommitGraph, tip: str, chains: Chains | None = None) -> None:
        """Place a tip on `chains`; what they do not hold of its line is walked."""
        self._graph = graph
        chains = chains or Chains(graph)
        node = graph.node(tip)
        point = chains.point(node)
        if point is None:
            chain = chains.grown(node)
            point = chain, len(chain.nodes) - 1
        self._chain, self._until = point

    @cached_property
    def commits(self) -> tuple[str, ...]:
        """The line's own commits, oldest first."""
        parts = [chain.nodes[: until + 1] for chain, until in self._parts()]
        return tuple(self._graph.sha(node) for part in reversed(parts) for node in part)

    @property
    def complete(self) -> bool:
        """False where the line begins at a commit that the clone does not hold."""
        *_, (oldest, _) = self._parts()
        return self._graph.sha(oldest.nodes[0]) in self._graph

    def position(self, sha: str) -> int | None:
        """Return the position at which a commit entered, None where it never did."""
        found = self._find(sha)
        return None if found is None else found[0].base + found[1]

    def entry(self, sha: str) -> str | None:
        """Return the commit of the line with which a commit entered (itself, or a merge)."""
        found = self._find(sha)
        return None if found is None else self._graph.sha(found[0].nodes[found[1]])

    def on_line(self, sha: str) -> bool:
        """Tell whether a commit is itself one of the line's first-parent commits."""
        return self.entry(sha) == sha

    def passes(self, node: Node) -> bool:
        """Tell the same of a node."""
        found = self._chain.find(node, self._until)
        return found is not None and found[0].nodes[found[1]] == node

    def brought_by(self, sha: str) -> tuple[str, ...]:
        """Return the commits that entered by a merge of the line, without the merge itself."""
        found = self._find(sha)
        if found is None or self._graph.sha(found[0].nodes[found[1]]) != sha:
            return ()
        return tuple(map(self._graph.sha, found[0].inside.get(found[1], ())))

    def last_shared(self, other: "BranchLine") -> str | None:
        """Return the last commit that this line has in common with another one on its chains."""
        until = dict(other._parts())
        for chain, place in self._parts():
            if chain in until:
                return self._graph.sha(chain.nodes[min(place, until[chain])])
        return None

    def _parts(self) -> Iterator[Point]:
        """Yield the chains of the line, the newest first, each with the last position on it."""
        chain, until = self._chain, self._until
        yield chain, until
        while chain.parent is not None:
            chain, until = chain.parent, chain.fork
            yield chain, until

    def _find(self, sha: str) -> Point | None:
        return self._chain.find(self._graph.node(sha), self._until)


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


def _ancestors(graph: CommitGraph, nodes: Iterable[Node]) -> set[Node]:
    stack = list(nodes)
    visited = set(stack)
    while stack:
        for parent in graph.parents(stack.pop()):
            if parent not in visited:
                visited.add(parent)
                stack.append(parent)
    return visited
