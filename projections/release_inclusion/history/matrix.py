"""The verdicts of one request on every tip at once, as sets of tips.

Says the same as `verdict` asked tip by tip, without routes and reasons, for the price of a few
operations on bits: for lists of many requests, and for "first shipped in".
"""

from collections.abc import Iterable
from functools import reduce
from operator import or_

import msgspec

from projections.release_inclusion.history.doubts import doubtful_tips, living_tips, whole_tips
from projections.release_inclusion.history.graph import TipSet
from projections.release_inclusion.history.history import History
from projections.release_inclusion.history.verdicts import leaves_traces


class TipVerdicts(msgspec.Struct, frozen=True, kw_only=True):
    """The tips by verdict. What is in none of the sets does not include the request."""

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
        self._verdicts: dict[int, TipVerdicts] = {}
        reach = history.reach
        self._incomplete = _union(reach.tips_of(sha) for sha in history.graph.missing)

    def of(self, number: int) -> TipVerdicts:
        """Return where a request is."""
        verdicts = self._verdicts.get(number)
        if verdicts is None:
            verdicts = self._verdicts[number] = self._verdicts_of(number)
        return verdicts

    def _verdicts_of(self, number: int) -> TipVerdicts:
        history = self._history
        included = whole_tips(history, number)
        contents = list(history.contents(number))
        living = living_tips(history, contents)
        some = living & ~included
        unsure = some & living_tips(history, filter(history.may_hold_more, contents)) if some else 0
        here = _union(history.reach.tips_of(c.sha) for c in history.carriers.of(number))
        known = ~self._doubted(number) if leaves_traces(history, number) else 0
        return TipVerdicts(
            included=included & known,
            partly=some & ~unsure & known,
            reverted=here & ~living & known,
            undetermined=~known | unsure | (self._incomplete & ~here),
        )

    def _doubted(self, number: int) -> TipSet:
        """Return the tips for which a revert, a restore or a pick may change the answer."""
        return _union(doubtful_tips(self._history, number).values())


def _union(sets: Iterable[TipSet]) -> TipSet:
    return reduce(or_, sets, 0)
