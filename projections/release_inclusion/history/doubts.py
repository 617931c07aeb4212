"""On which tips a doubt decides: what cannot change an answer is no question to a person."""

from collections import defaultdict
from collections.abc import Iterable, Iterator
from functools import reduce
from operator import and_, or_

from projections.release_inclusion.history.again import AGAIN
from projections.release_inclusion.history.carriers import Carrier
from projections.release_inclusion.history.graph import TipSet
from projections.release_inclusion.history.history import History
from projections.release_inclusion.history.resolution import Resolved
from projections.release_inclusion.messages.mention import Role


def doubtful_tips(history: History, number: int) -> dict[str, TipSet]:
    """Return, by the commit in doubt, the tips for which it may change where a request is.

    Says for all tips at once what `verdicts.doubted` says of one.
    """
    if not history.may_be_doubted(number):
        return {}
    shas = [carrier.sha for carrier in history.carriers.of(number)]
    standing = history.standing
    living = living_tips(history, history.contents(number))
    whole = whole_tips(history, number)
    here = _union(map(history.reach.tips_of, shas))
    tips: defaultdict[str, TipSet] = defaultdict(int)
    aimless = _union(standing.get(r.sha, 0) for r in history.idle_reverts.get(number, ())) & living
    for revert in history.idle_reverts.get(number, ()):
        tips[revert.sha] |= standing.get(revert.sha, 0) & living
    for target, doubt in history.aimed_at(number):
        tips[doubt.sha] |= standing.get(target, 0) & standing.get(doubt.sha, 0) & ~aimless
    for doubt in history.doubts.get(number, ()):
        alive = standing.get(doubt.sha, 0)
        if doubt.mention.role is Role.PICK:
            tips[doubt.sha] |= alive & ~here
        elif doubt.mention.role is Role.RESTORE:
            tips[doubt.sha] |= _union(_later(history, doubt, shas, alive & here & ~whole))
    return {sha: bits for sha, bits in tips.items() if bits}


def whole_tips(history: History, number: int) -> TipSet:
    """Return the tips in which all of a request is in force."""
    ways = history.ways(number)
    return _union(reduce(and_, (living_tips(history, commit) for commit in way)) for way in ways)


def living_tips(history: History, carriers: Iterable[Carrier]) -> TipSet:
    """Return the tips in which any of these carriers is in force."""
    return _union(history.standing.get(carrier.sha, 0) for carrier in carriers)


def _later(history: History, doubt: Resolved, shas: list[str], among: TipSet) -> Iterator[TipSet]:
    """Yield the tips in which a restore comes after every carrier of the request.

    What landed again comes after the revert of what it puts back, and that is enough.
    """
    if doubt.mention.method == AGAIN:
        yield among
        return
    rank = history.graph.rank(doubt.sha)
    after = _union(history.reach.tips_of(s) for s in shas if history.graph.rank(s) >= rank)
    yield among & ~after


def _union(sets: Iterable[TipSet]) -> TipSet:
    return reduce(or_, sets, 0)
