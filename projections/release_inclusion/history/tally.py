"""What lies between two tips, counted without looking at what both have alike.

Requests and commits are grouped by the tips that hold them, once for a history; two tips then cost
as much as there are groups.
"""

from collections import Counter, defaultdict
from collections.abc import Iterator
from functools import cached_property

from projections.release_inclusion.history.graph import TipSet
from projections.release_inclusion.history.history import History


class Tally:
    """The groups of one history."""

    def __init__(self, history: History) -> None:
        self._history = history

    def numbers_apart(self, tip: TipSet, other: TipSet) -> set[int]:
        """Return the requests that may be included, or partly so, in one of two tips alone.

        Tips are given as sets of one; `other` may be empty: then these are the requests of which
        the tip has anything. Where each commit of a request is alive in both tips or in neither,
        and nothing unsure is said of it, both have it alike.
        """
        apart = set(self._unsure)
        for tips, numbers in self._by_standing.items():
            if bool(tips & tip) != bool(tips & other):
                apart |= numbers
        return apart

    def plain(self, tip: TipSet, other: TipSet) -> int:
        """Return how many commits of a tip that another one lacks carry no request."""
        return sum(n for tips, n in self._plain.items() if tips & tip and not tips & other)

    @cached_property
    def _by_standing(self) -> dict[TipSet, set[int]]:
        history = self._history
        groups: dict[TipSet, set[int]] = defaultdict(set)
        for carrier in history.carriers:
            groups[history.standing.get(carrier.sha, 0)].add(carrier.number)
        return groups

    @cached_property
    def _unsure(self) -> frozenset[int]:
        """The requests of which anything unsure is said (`History.may_be_doubted`)."""
        history = self._history
        unsure = {*history.doubts, *history.idle_reverts}
        targets = history.resolution.targets()
        waiting, reached = [*history.unsure_by_target], set[str]()
        while waiting:
            sha = waiting.pop()
            if sha not in reached:
                reached.add(sha)
                unsure.update(carrier.number for carrier in history.carriers.at(sha))
                waiting += targets.get(sha, ())
        return frozenset(unsure)

    @cached_property
    def _plain(self) -> Counter[TipSet]:
        reach = self._history.reach
        counted = Counter(reach.classes)
        counted.subtract(reach.classes[node] for node in self._speaking())
        plain: Counter[TipSet] = Counter()
        for number, size in counted.items():
            plain[reach.tip_sets[number]] += size
        return plain

    def _speaking(self) -> set[int]:
        """Return the nodes that are not plain: merges, carriers, reverts, and what is absent."""
        graph = self._history.graph
        return {*graph.merges, *map(graph.node, self._shas()), *map(graph.node, graph.missing)}

    def _shas(self) -> Iterator[str]:
        for carrier in self._history.carriers:
            yield carrier.sha
        for revert in self._history.resolution.reverts:
            yield revert.sha
