"""Stacked requests: merged into the branch of another request, and landed with that one.

GitHub keeps the head of every request (`refs/pull/N/head`), also after its branch is gone. Where
a request was landed as new commits (squash, rebase), what had been merged into its own branch
before is in its head and not in its base: it came along, and only the head shows it.
"""

from collections.abc import Callable, Collection, Iterable, Sequence
from typing import Final

from msgspec.structs import replace

from projections.release_inclusion.history.carriers import (
    OWN_ROLES,
    Carrier,
    CarrierRole,
    Carriers,
    Method,
    Request,
)
from projections.release_inclusion.history.graph import CommitGraph
from projections.release_inclusion.history.lines import BranchLine, ancestors_of

_INSIDE: Final = frozenset({CarrierRole.LANDING, CarrierRole.STACK})


def add_stacks(
    graph: CommitGraph,
    carriers: Carriers,
    requests: Collection[Request],
    lines: Collection[BranchLine],
) -> None:
    """Add to the requests inside a landed request's own branch whatever carries that one."""
    known = {request.number for request in requests}
    branches = _Branches(graph, tuple(lines))
    inside = {
        request.number: landed_inside
        for request in requests
        if (landed_inside := _landed_inside(graph, carriers, request, branches))
    }
    waiting = list(inside)
    while waiting:
        number = waiting.pop()
        bringing = [c for c in carriers.of(number) if c.sha not in inside[number]]
        children = _children(carriers, number, inside[number])
        # On a branch's own line a number is a landing, whether the request is known or not.
        landed = _children(carriers, number, filter(branches.on_line, inside[number]))
        for child in sorted(children & known | landed):
            if sum(_bring(carriers, child, carrier) for carrier in bringing):
                # A stack on a stack: what holds the child's new carrier inside brings it further.
                waiting += [outer for outer in inside if outer != number]


class _Branches:
    """All long-lived branches at once: of hundreds none is asked for each commit."""

    def __init__(self, graph: CommitGraph, lines: Sequence[BranchLine]) -> None:
        self._graph, self._lines = graph, lines
        self._on: dict[str, int] = {}  # the lines that a commit is on, as bits
        for place, line in enumerate(lines):
            for sha in line.commits:
                self._on[sha] = self._on.get(sha, 0) | 1 << place
        self._held = ancestors_of(graph, (line.commits[-1] for line in lines))

    def on_line(self, sha: str) -> bool:
        return sha in self._on

    def without(self, head: str, landed: Collection[str]) -> Iterable[str]:
        """Return the commits of a request's branch that no long-lived branch holds.

        Of a request whose head lies on one of them (develop, squashed to main), what none of those
        holds that it was landed on.
        """
        landed_on = 0
        for sha in landed:
            landed_on |= self._on.get(sha, 0)
        if not self._on.get(head, 0) & ~landed_on:
            return self._own_commits(head, self._held.__contains__)
        lines = [line for place, line in enumerate(self._lines) if landed_on >> place & 1]
        return self._own_commits(
            head, lambda sha: any(line.position(sha) is not None for line in lines)
        )

    def _own_commits(self, head: str, held: Callable[[str], bool]) -> Iterable[str]:
        own: dict[str, None] = {}
        waiting = [head]
        while waiting:
            sha = waiting.pop()
            if sha in own or sha not in self._graph or held(sha):
                continue
            own[sha] = None
            parents = self._graph.parents(self._graph.node(sha))
            waiting += map(self._graph.sha, parents)
        return own


def _landed_inside(
    graph: CommitGraph, carriers: Carriers, request: Request, branches: _Branches
) -> set[str]:
    """Return the commits of a landed request's own branch that land another one there."""
    landed = [
        c.sha
        for c in carriers.of(request.number)
        if c.role in OWN_ROLES and c.method is not Method.HEAD
    ]
    unseen = request.merge_commit is not None and request.merge_commit not in graph
    if request.head is None or request.head not in graph or not landed or unseen:
        return set()
    inside = {
        sha
        for sha in branches.without(request.head, landed)
        if any(c.number != request.number and c.role in _INSIDE for c in carriers.at(sha))
    }
    # What the base had anyway did not come along, whatever is known of the branches.
    return inside - ancestors_of(graph, landed) if inside else inside


def _children(carriers: Carriers, number: int, inside: Iterable[str]) -> set[int]:
    children = {c.number for sha in inside for c in carriers.at(sha) if c.role in _INSIDE}
    return children - {number}


def _bring(carriers: Carriers, child: int, carrier: Carrier) -> bool:
    """Let a carrier of the outer request carry the child too; tell whether that was new."""
    if any(c.number == child for c in carriers.at(carrier.sha)):
        return False
    carriers.add(
        replace(
            carrier,
            number=child,
            role=CarrierRole.STACK,
            method=Method.INSIDE,
            via=carrier.via if carrier.role is CarrierRole.STACK else carrier.number,
        )
    )
    return True
