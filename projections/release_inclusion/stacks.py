"""Stacked requests: merged into the branch of another request, and landed with that one.

GitHub keeps the head of every request (`refs/pull/N/head`), also after its branch is gone. Where
a request was landed as new commits (squash, rebase), what had been merged into its own branch
before is in its head and not in its base: it came along, and only the head shows it.
"""

from collections.abc import Collection, Iterable, Iterator
from dataclasses import replace
from typing import Final

from projections.release_inclusion.carriers import Carrier, CarrierRole, Carriers, Method, Request
from projections.release_inclusion.graph import CommitGraph
from projections.release_inclusion.lines import BranchLine

_INSIDE: Final = frozenset({CarrierRole.LANDING, CarrierRole.STACK})


def add_stacks(
    graph: CommitGraph,
    carriers: Carriers,
    requests: Collection[Request],
    lines: Collection[BranchLine],
) -> None:
    """Add to the requests inside a landed request's own branch whatever carries that one."""
    known = {request.number for request in requests}
    inside = {
        request.number: found
        for request in requests
        if (found := frozenset(_landed_inside(graph, carriers, request, lines)))
    }
    waiting = list(inside)
    while waiting:
        number = waiting.pop()
        bringing = [c for c in carriers.of(number) if c.sha not in inside[number]]
        for child in _children(carriers, number, inside[number]) & known:
            if any(_bring(carriers, child, carrier) for carrier in bringing):
                # A stack on a stack: what holds the child's new carrier inside brings it further.
                waiting += [outer for outer, shas in inside.items() if outer != number and shas]


def _landed_inside(
    graph: CommitGraph, carriers: Carriers, request: Request, lines: Collection[BranchLine]
) -> Iterator[str]:
    """Yield the commits of a landed request's own branch that land another one there."""
    if request.head is None or request.head not in graph or not carriers.of(request.number):
        return
    for sha in _own_commits(graph, request.head, lines):
        if any(c.number != request.number and c.role in _INSIDE for c in carriers.at(sha)):
            yield sha


def _own_commits(
    graph: CommitGraph, head: str, lines: Collection[BranchLine]
) -> Iterable[str]:
    """Return the commits of a request's branch that are in no long-lived branch."""
    found: dict[str, None] = {}
    waiting = [head]
    while waiting:
        sha = waiting.pop()
        if sha in found or sha not in graph or any(line.position(sha) is not None for line in lines):
            continue
        found[sha] = None
        waiting += [graph.sha(parent) for parent in graph.parents(graph.node(sha))]
    return found


def _children(carriers: Carriers, number: int, inside: Iterable[str]) -> set[int]:
    found = {c.number for sha in inside for c in carriers.at(sha) if c.role in _INSIDE}
    return found - {number}


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
            via=carrier.number,
        )
    )
    return True
