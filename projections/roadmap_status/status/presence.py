"""Where a request's change was in force, branch by branch, since when and until when. Pure.

The rule is MODEL.md's: a commit is in force in a tip that reaches it and in which nothing in force
targets it. A branch's past tips are the commits of its first-parent line, so what was in force at
each of them follows from the positions at which the commits concerned entered.
"""

from collections.abc import Iterable, Iterator
from enum import StrEnum

import msgspec

from projections.release_inclusion.history.carriers import Carrier
from projections.release_inclusion.history.history import History
from projections.release_inclusion.history.lines import BranchLine


class Hold(StrEnum):
    """How much of a request a branch holds."""

    WHOLE = "whole"
    PARTLY = "partly"
    REVERTED = "reverted"


class Entry(msgspec.Struct, frozen=True, kw_only=True):
    """From this commit of the branch's line on, the branch holds so much of the request."""

    branch: str
    commit: str
    hold: Hold
    own: bool = False
    """The commit is the request's own landing, so that its merge dates it."""


def entries_of(history: History, number: int) -> tuple[Entry, ...]:
    """Return what each long-lived branch held of a request, in the order of its line."""
    carriers = history.carriers.of(number)
    entries: list[Entry] = []
    for branch, tip in history.branches.items():
        here = [carrier for carrier in carriers if history.is_in(carrier.sha, tip)]
        if here:
            entries += _Line(history, branch, history.line(tip)).entries(number, here)
    return tuple(entries)


class _Line:
    """One branch at work."""

    def __init__(self, history: History, branch: str, line: BranchLine) -> None:
        self._history, self._branch, self._line = history, branch, line

    def entries(self, number: int, here: Iterable[Carrier]) -> Iterator[Entry]:
        known: Hold | None = None
        own = {self._line.entry(carrier.sha) for carrier in here if carrier.via is None}
        for place in sorted(set(self._places(carrier.sha for carrier in here))):
            hold = self._hold(number, place)
            if hold is not None and hold is not known:
                commit = self._line.commits[place]
                landed = self._history.carriers.own(commit) == number and commit in own
                yield Entry(branch=self._branch, commit=commit, hold=hold, own=landed)
                known = hold

    def _places(self, shas: Iterable[str]) -> Iterator[int]:
        """Yield the positions of commits and of all that takes them out or back in."""
        waiting, visited = list(shas), set[str]()
        while waiting:
            sha = waiting.pop()
            place = self._line.position(sha)
            if sha in visited or place is None:
                continue
            visited.add(sha)
            yield place
            waiting += (revert.sha for revert in self._history.reverts_of.get(sha, ()))

    def _hold(self, number: int, place: int) -> Hold | None:
        history = self._history
        if any(
            all(any(self._alive(carrier.sha, place) for carrier in unit) for unit in way)
            for way in history.ways(number)
        ):
            return Hold.WHOLE
        contents = [
            carrier
            for landing in history.carriers.landings(number)
            for carrier in history.content(landing)
        ]
        if any(self._alive(carrier.sha, place) for carrier in contents):
            return Hold.PARTLY
        reached = any(self._reaches(holding.sha, place) for holding in history.carriers.of(number))
        return Hold.REVERTED if reached else None

    def _reaches(self, sha: str, place: int) -> bool:
        entered = self._line.position(sha)
        return entered is not None and entered <= place

    def _alive(self, sha: str, place: int) -> bool:
        if not self._reaches(sha, place):
            return False
        reverts = self._history.reverts_of.get(sha, ())
        return not any(self._alive(revert.sha, place) for revert in reverts)
