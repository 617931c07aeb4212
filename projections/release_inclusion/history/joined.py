"""Histories that were merged in from another root: whose numbers do their commits say?

A repository that takes in another one merges a history that does not descend from its own first
commit. What that history says of `#12` was said of the other repository's #12, as a rule; but a
branch that was begun anew in this repository looks the same. Told apart are they by what is known
to be this repository's: heads of its requests, and numbers that its own branches landed under
other titles. A number is given once.
"""

from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping
from functools import cached_property
from typing import Final, Literal, TypeAlias

from projections.release_inclusion.history.carriers import ReadCommit
from projections.release_inclusion.history.graph import CommitGraph
from projections.release_inclusion.history.lines import BranchLine
from projections.release_inclusion.messages.references import alike

Whose: TypeAlias = Literal["ours", "theirs", "unknown"]

_ENOUGH: Final = 3
"""Numbers that must have landed here under other titles before all of a history are another's."""


class JoinedHistories:
    """What a default branch took in that does not descend from its own first commit."""

    def __init__(
        self,
        graph: CommitGraph,
        readings: Mapping[str, ReadCommit],
        default: BranchLine | None,
        brings_head: Callable[[ReadCommit], bool],
    ) -> None:
        """`brings_head` tells of a merge whether it brought the head of the request it names."""
        self._graph, self._readings, self._default = graph, readings, default
        self._brings_head = brings_head

    def whose(self, sha: str) -> Whose:
        """Tell whose numbers a commit says; those of the default branch's own history are ours."""
        place = self._joins.get(sha)
        return "ours" if place is None else self._judged[place]

    @cached_property
    def _joins(self) -> dict[str, int]:
        """By commit of another root that names a number: where it entered the default branch."""
        line = self._default
        if line is None or not line.complete or len(self._roots()) < 2:
            return {}
        related = self._related(line.commits[0])
        places = {
            reading.sha: line.position(reading.sha)
            for reading in self._readings.values()
            if (reading.own or reading.mentions) and reading.sha in self._graph
        }
        return {
            sha: place
            for sha, place in places.items()
            if place is not None and not related[self._graph.node(sha)]
        }

    def _roots(self) -> list[str]:
        graph = self._graph
        return [sha for sha in graph if not graph.parents(graph.node(sha))]

    def _related(self, root: str) -> bytearray:
        """Mark by node what descends from a commit, or may do so behind what a clone lacks."""
        graph = self._graph
        related = bytearray(len(graph))
        related[graph.node(root)] = 1
        for sha in graph.missing:
            related[graph.node(sha)] = 1
        for node in reversed(graph.children_first()):
            if any(related[parent] for parent in graph.parents(node)):
                related[node] = 1
        return related

    @cached_property
    def _landed(self) -> dict[int, tuple[int, str]]:
        """By number: where the default branch itself landed it, and under which title."""
        line = self._default
        landed: dict[int, tuple[int, str]] = {}
        for place, sha in enumerate(line.commits if line else ()):
            reading = self._readings.get(sha)
            if reading and reading.own:
                landed.setdefault(reading.own.number, (place, title_of(reading)))
        return landed

    @cached_property
    def _judged(self) -> dict[int, Whose]:
        """By the place of a join: whose numbers are said in what it brought."""
        groups: dict[int, list[ReadCommit]] = defaultdict(list)
        for sha, place in self._joins.items():
            groups[place].append(self._readings[sha])
        return {place: self._judge(place, group) for place, group in groups.items()}

    def _judge(self, place: int, group: Iterable[ReadCommit]) -> Whose:
        saying = [reading for reading in group if reading.own]
        proven = sum(map(self._brings_head, saying))
        contradicted = sum(self.lands_another(reading) for reading in saying)
        if proven > contradicted:
            return "ours"
        here = max((n for n, (at, _) in self._landed.items() if at < place), default=0)
        there = max((reading.own.number for reading in saying if reading.own), default=0)
        # Of two histories the one whose numbers had come further may be the one that went on.
        return "theirs" if contradicted >= _ENOUGH and there < here else "unknown"

    def lands_another(self, reading: ReadCommit) -> bool:
        """Tell whether the default branch landed the number that a commit says as another thing."""
        landed = self._landed.get(reading.own.number) if reading.own else None
        return landed is not None and not alike(landed[1], title_of(reading))


def title_of(reading: ReadCommit) -> str:
    """Return the title under which a commit lands a request."""
    return (reading.own and reading.own.title) or reading.subject
