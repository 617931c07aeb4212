"""Branches that were squashed: one commit that stands for requests landed on another branch.

A squash has no second parent. What it brought is shown by the list that GitHub writes into its
message (`* Fix x (#86)`, one line a commit), by the head of its request where that is a
long-lived branch (`stacks`), or by nothing but its title (`Merge develop into main (#88)`). Of the
last kind nobody can tell what the branch held: all that was on it by then is one doubt.
"""

from collections.abc import Iterable, Iterator, Mapping
from typing import Final

from projections.release_inclusion.history.carriers import (
    OWN_ROLES,
    Carrier,
    CarrierRole,
    Carriers,
    Method,
    ReadCommit,
    Request,
)
from projections.release_inclusion.history.graph import CommitGraph
from projections.release_inclusion.history.lines import BranchLine
from projections.release_inclusion.history.resolution import Resolved
from projections.release_inclusion.messages.mention import Certainty, Mention, Role
from projections.release_inclusion.messages.references import alike
from projections.release_inclusion.messages.squashes import Listed

SQUASHED: Final = "squashed branch"

_BRINGING: Final = frozenset({CarrierRole.SYNC, CarrierRole.PROMOTION})


class Squashes:
    """Finds what squashed branches brought. `lines` as for `find_carriers`."""

    def __init__(
        self,
        graph: CommitGraph,
        readings: Mapping[str, ReadCommit],
        carriers: Carriers,
        requests: Mapping[int, Request],
        lines: Mapping[str, BranchLine],
    ) -> None:
        self._graph, self._readings, self._carriers = graph, readings, carriers
        self._requests, self._lines = requests, lines

    def add_listed(self) -> None:
        """Let a squash carry what its list names under the title that it landed with."""
        for sha, reading in self._readings.items():
            line = self._line_of(sha) if reading.listed else None
            if line is None or reading.own is None:
                continue
            for listed in reading.listed:
                known = listed.number != reading.own.number and self._is_that(listed)
                if known and not self._was_there(line, sha, listed.number):
                    self._carry(sha, listed.number, reading.own.number, Method.LIST)

    def doubts(self) -> Iterator[Resolved]:
        """Yield, for each squash that only names a branch, all that was on that branch by then.

        What a person confirmed is carried, and no doubt any more.
        """
        for carrier in [*self._carriers]:
            single = not self._graph.is_merge(carrier.sha)
            branch = self._named_branch(carrier.sha) if single else None
            if carrier.role not in _BRINGING or branch is None:
                continue
            numbers = frozenset(self._on_branch(branch, carrier.sha)) - {carrier.number}
            mention = Mention(
                role=Role.PICK, method=SQUASHED, certainty=Certainty.REVIEW, title=branch
            )
            if any(m.title == branch and m.role is Role.PICK for m in self._certain(carrier.sha)):
                for number in numbers:
                    self._carry(carrier.sha, number, carrier.number, Method.TEMPLATE)
            elif numbers:
                yield Resolved(
                    sha=carrier.sha, mention=mention, targets=frozenset(), numbers=numbers
                )

    def _certain(self, sha: str) -> list[Mention]:
        mentions = self._readings[sha].mentions
        return [mention for mention in mentions if mention.certainty is Certainty.CERTAIN]

    def _line_of(self, sha: str) -> BranchLine | None:
        return next((line for line in self._lines.values() if line.on_line(sha)), None)

    def _is_that(self, listed: Listed) -> bool:
        request = self._requests.get(listed.number)
        titles = [request.title] if request and request.state == "merged" else []
        titles += [
            reading.own.title
            for carrier in self._carriers.of(listed.number)
            if carrier.role in OWN_ROLES and (reading := self._readings[carrier.sha]).own
        ]
        return any(title and alike(title, listed.title) for title in titles)

    def _was_there(self, line: BranchLine, sha: str, number: int) -> bool:
        """Tell whether the squash's own branch held a request before."""
        here = line.position(sha)
        places = [line.position(carrier.sha) for carrier in self._carriers.of(number)]
        return any(place is not None and here is not None and place <= here for place in places)

    def _named_branch(self, sha: str) -> str | None:
        """Return the long-lived branch that a squash's title says it brings."""
        words = self._readings[sha].subject.split()
        marks = "`'\"()[],:"
        named = (word.strip(marks) for word in words)
        return next(
            (name for name in named if name in self._lines and not self._lines[name].on_line(sha)),
            None,
        )

    def _on_branch(self, branch: str, sha: str) -> Iterable[int]:
        line, home = self._lines[branch], self._line_of(sha)
        until = self._readings[sha].committed_at
        for carrier in self._carriers:
            there = carrier.role in OWN_ROLES and line.on_line(carrier.sha)
            if not there or self._readings[carrier.sha].committed_at > until:
                continue
            if home is None or not self._was_there(home, sha, carrier.number):
                yield carrier.number

    def _carry(self, sha: str, number: int, via: int, method: Method) -> None:
        self._carriers.add(
            Carrier(
                sha=sha,
                number=number,
                landing=sha,
                role=CarrierRole.STACK,
                method=method,
                via=via,
            )
        )
