"""How many requests and commits lie between two tips, for all pairs of tips of one history.

For lists of releases: each sum is computed once, and looks only at the requests that may stand
otherwise in one of the two.
"""

from collections import Counter, defaultdict
from collections.abc import Iterator
from functools import cached_property

import msgspec

from projections.release_inclusion.history.carriers import OWN_ROLES, CarrierRole
from projections.release_inclusion.history.graph import TipSet
from projections.release_inclusion.history.history import History
from projections.release_inclusion.history.matrix import Matrix
from projections.release_inclusion.history.twins import twin_tips


class Between(msgspec.Struct, frozen=True, kw_only=True):
    """Requests that a tip has and the one before lacks, that it lacks again, and commits that are
    new and carry no request.
    """

    new: int
    removed: int
    unattributed: int


class Sums:
    """The sums of one history; everything derived is computed once."""

    def __init__(self, history: History, matrix: Matrix) -> None:
        self._history, self._matrix = history, matrix
        self._bringing: dict[int, bool] = {}
        self._between: dict[tuple[TipSet, TipSet], Between] = {}

    def only_brings(self, number: int) -> bool:
        """Tell whether a request only brought others: a cherry-pick, a sync, a promotion.

        A revert, and a restore that brings something back under its own number, are no carriers.
        """
        known = self._bringing.get(number)
        if known is None:
            known = self._bringing[number] = self._only_brings(number)
        return known

    def _only_brings(self, number: int) -> bool:
        carriers = self._history.carriers
        own = [c for c in self._history.carriers_then(number) if c.role in OWN_ROLES]
        if any(c.role in (CarrierRole.SYNC, CarrierRole.PROMOTION) for c in own):
            return True
        beside = [other for carrier in own for other in carriers.at(carrier.sha)]
        brought = [c for c in beside if c.via == number and c.number != number]
        return bool(brought) and all(c.role is CarrierRole.PICK for c in brought)

    def between(self, tip: str, before: str | None) -> Between:
        """Count for a tip of the history, told against another one or against nothing."""
        bit = self._history.reach.bit(tip)
        without = 0 if before is None else self._history.reach.bit(before)
        known = self._between.get((bit, without))
        if known is None:
            known = self._between[bit, without] = self._count(bit, without)
        return known

    def _count(self, bit: TipSet, without: TipSet) -> Between:
        apart = (n for n in self.apart(bit, without) if not self.only_brings(n))
        told = [(self._matrix.of(n), ~twin_tips(self._history, n)) for n in apart]
        return Between(
            new=sum(
                bool(where.included & bit & own) and not where.included & without
                for where, own in told
            ),
            removed=sum(
                bool(where.reverted & bit and where.present & without) for where, _ in told
            ),
            unattributed=sum(
                count for tips, count in self._plain.items() if tips & bit and not tips & without
            ),
        )

    def apart(self, bit: TipSet, without: TipSet) -> set[int]:
        """Return the requests that may be included, or partly so, in one of two tips alone.

        Tips are given as sets of one; `without` may be empty: then these are the requests of which
        the tip has anything. Where each commit of a request is alive in both tips or in neither,
        and nothing unsure is said of it, both have it alike.
        """
        apart = set(self._unsure)
        for tips, numbers in self._by_standing.items():
            if bool(tips & bit) != bool(tips & without):
                apart |= numbers
        return apart

    @cached_property
    def _by_standing(self) -> dict[TipSet, set[int]]:
        """The requests by the tips in which a commit of theirs is alive."""
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
        """By the tips that reach them: how many commits carry nothing and are no merges."""
        reach = self._history.reach
        by_class = Counter(reach.classes)
        by_class.subtract(reach.class_of(sha) for sha in {*self._special()})
        plain: Counter[TipSet] = Counter()
        for number, count in by_class.items():
            plain[reach.tip_sets[number]] += count
        return plain

    def _special(self) -> Iterator[str]:
        graph = self._history.graph
        yield from graph.missing
        yield from graph.merges
        yield from self._history.carriers.shas()
        yield from (revert.sha for revert in self._history.resolution.reverts)
