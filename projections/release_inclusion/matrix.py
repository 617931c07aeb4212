"""The verdicts of one request on every tip at once, as sets of tips.

Says the same as `verdict` asked tip by tip, without routes and reasons, for the price of a few
operations on bits: for lists of many requests, and for "first shipped in".
"""

from dataclasses import dataclass
from functools import reduce
from operator import or_
from typing import Final

from projections.release_inclusion.graph import TipSet
from projections.release_inclusion.history import History
from projections.release_inclusion.verdicts import Outcome, verdict

_KINDS: Final[tuple[Outcome, ...]] = ("included", "partly", "reverted", "undetermined")


@dataclass(frozen=True, slots=True, kw_only=True)
class Whereabouts:
    """The tips by verdict; a tip in none of the sets does not include the request, if its history
    is whole.
    """

    included: TipSet = 0
    partly: TipSet = 0
    reverted: TipSet = 0
    undetermined: TipSet = 0

    @property
    def present(self) -> TipSet:
        """The tips that have it, as a whole or in part."""
        return self.included | self.partly


class Matrix:
    """All requests and all tips of one history; each request is computed once."""

    def __init__(self, history: History) -> None:
        self._history = history
        self._found: dict[int, Whereabouts] = {}

    def of(self, number: int) -> Whereabouts:
        """Return where a request is."""
        found = self._found.get(number)
        if found is None:
            found = self._found[number] = self._look(number)
        return found

    def _look(self, number: int) -> Whereabouts:
        history = self._history
        if number in history.doubts or number in history.idle_reverts:
            return self._one_by_one(number)
        included: TipSet = 0
        living: TipSet = 0
        here: TipSet = 0
        for carrier in history.carriers.of(number):
            here |= history.reach.tips_of(carrier.sha)
            living |= history.standing[carrier.sha]
        for way in history.ways(number):
            whole = living
            for commit in way:
                whole &= reduce(or_, (history.standing[c.sha] for c in commit))
            included |= whole
        return Whereabouts(included=included, partly=living & ~included, reverted=here & ~living)

    def _one_by_one(self, number: int) -> Whereabouts:
        tips: dict[Outcome, TipSet] = dict.fromkeys(_KINDS, 0)
        for tip in self._history.reach.tips:
            outcome = verdict(self._history, number, tip).outcome
            if outcome in tips:
                tips[outcome] |= self._history.reach.bit(tip)
        return Whereabouts(**tips)
