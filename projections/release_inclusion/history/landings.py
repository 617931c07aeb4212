"""Which commits carry which pull request, and as what.

Evidence is tried in DESIGN's order of trust: the merge commit that GitHub names (with the commits
below it for a rebase merge), a full SHA in a known trailer, a known title template, the commits
inside a merge, a number at the end of a subject. Free text is never used. Requests that bring
other requests (cherry-picks, syncs, promotions) keep their own landing, and what they bring is
marked `via` them.
"""

from collections import defaultdict
from collections.abc import Collection, Mapping, Sequence
from typing import Final

from msgspec.structs import replace

from projections.release_inclusion.history.carriers import (
    Carrier,
    CarrierRole,
    Carriers,
    Method,
    ReadCommit,
    Request,
)
from projections.release_inclusion.history.graph import CommitGraph, reach
from projections.release_inclusion.history.likeness import Where
from projections.release_inclusion.history.lines import BranchLine, side_of
from projections.release_inclusion.history.mentioned import MentionedCarriers, certain_mentions
from projections.release_inclusion.history.stacks import add_stacks
from projections.release_inclusion.messages.mention import Role
from projections.release_inclusion.messages.references import (
    bringing_title,
    without_trailing_number,
)

_OWN_METHOD: Final = {
    "merge subject": Method.MERGE_SUBJECT,
    "trailing number": Method.TRAILING_NUMBER,
}


def find_carriers(
    graph: CommitGraph,
    readings: Mapping[str, ReadCommit],
    requests: Collection[Request] = (),
    lines: Mapping[str, BranchLine] | None = None,
    on_default: Where | None = None,
) -> Carriers:
    """Tie commits to requests.

    `lines` are the first-parent lines of the long-lived branches by name, the default branch
    first; without them merges are not looked into. `on_default` tells what came to the default
    branch first (by default: all that it holds). Restores that follow only from what a revert
    targets are added by `resolve_reverts`.
    """
    finder = _Finder(graph, readings, tuple(requests), lines or {})
    finder.from_github()
    finder.from_own_numbers()
    finder.from_merges()
    heads = {request.head: request.number for request in requests if request.head}
    on_default = on_default or _held_by(finder.lines)
    MentionedCarriers(graph, readings, finder.carriers, finder.lines, heads, on_default).add()
    finder.from_heads()
    finder.from_closing()
    add_stacks(graph, finder.carriers, requests, finder.lines.values())
    return finder.carriers


def _held_by(lines: Mapping[str, BranchLine]) -> Where:
    default = next(iter(lines.values()), None)
    return lambda sha: default is not None and default.position(sha) is not None


class _Finder:
    def __init__(
        self,
        graph: CommitGraph,
        readings: Mapping[str, ReadCommit],
        requests: tuple[Request, ...],
        lines: Mapping[str, BranchLine],
    ) -> None:
        self.graph = graph
        self.readings = readings
        self.requests = {request.number: request for request in requests}
        self.lines = lines
        self.carriers = Carriers()
        self._claims: dict[str, list[Request]] = defaultdict(list)
        for request in requests:
            sha = request.merge_commit
            if request.state == "merged" and sha and sha in graph:
                self._claims[sha].append(request)
        self._brings = bringing_title(lines)

    # --- what GitHub names -------------------------------------------------------------------

    def from_github(self) -> None:
        for sha, claimants in self._claims.items():
            owner = self._owner(sha, claimants)
            for request in claimants:
                if request is owner:
                    self._land(request, sha)
                else:
                    role = self._bringing_role(request.base)
                    self._add(sha, request.number, sha, role, Method.MERGE_COMMIT)

    def _owner(self, sha: str, claimants: list[Request]) -> Request:
        stated = self._own_number(sha)
        return min(claimants, key=lambda request: (request.number != stated, request.number))

    def _land(self, request: Request, sha: str) -> None:
        self._add(sha, request.number, sha, CarrierRole.LANDING, Method.MERGE_COMMIT)
        for below in self._rebased(request, sha):
            self._add(below, request.number, sha, CarrierRole.LANDING, Method.REBASE)

    def _rebased(self, request: Request, sha: str) -> list[str]:
        """Return the commits under a rebase merge's last one; none for a squash or a merge."""
        if self.graph.is_merge(sha) or self._own_number(sha) == request.number:
            return []
        reading = self.readings.get(sha)
        if reading and request.title == reading.subject.strip():
            return []
        below: list[str] = []
        while len(below) < (request.commits or 1) - 1:
            parents = self.graph.parents(self.graph.node(below[-1] if below else sha))
            parent = self.graph.sha(parents[0]) if len(parents) == 1 else ""
            # Commits that became empty were dropped by the rebase; the walk ends at the next
            # request's landing.
            if parent not in self.graph or self.graph.is_merge(parent) or parent in self._claims:
                break
            below.append(parent)
        return below

    def _bringing_role(self, base: str | None) -> CarrierRole:
        default = next(iter(self.lines), None)
        return CarrierRole.PROMOTION if base == default else CarrierRole.SYNC

    # --- what commits say of themselves ------------------------------------------------------

    def from_own_numbers(self) -> None:
        saying: dict[int, list[str]] = defaultdict(list)
        for sha, reading in self.readings.items():
            if (
                reading.own
                and not self.carriers.at(sha)
                and self._may_have_landed(reading.own.number)
            ):
                saying[reading.own.number].append(sha)
        for number, shas in saying.items():
            landed = bool(self.carriers.of(number))
            first = None if landed else min(shas, key=self._home)
            for sha in shas:
                role = self._own_role(sha) if sha == first else CarrierRole.PICK
                own = self.readings[sha].own
                assert own
                self._add(sha, number, sha, role, _OWN_METHOD[own.method])

    def _may_have_landed(self, number: int) -> bool:
        request = self.requests.get(number)
        return request is None or request.state != "open"

    def _home(self, sha: str) -> tuple[int, int]:
        """Order copies of one subject: the one on the foremost branch, then the oldest."""
        for place, line in enumerate(self.lines.values()):
            if line.on_line(sha):
                return place, self.graph.rank(sha)
        return len(self.lines), self.graph.rank(sha)

    def _own_role(self, sha: str) -> CarrierRole:
        subject = without_trailing_number(self.readings[sha].subject)
        undoes = any(mention.role is Role.REVERT for mention in self.readings[sha].mentions)
        brings = self._brings.search(subject) and not undoes
        return CarrierRole.SYNC if brings else CarrierRole.LANDING

    # --- what came in by merges --------------------------------------------------------------

    def from_merges(self) -> None:
        merges = [
            carrier
            for carrier in self.carriers
            if carrier.role in (CarrierRole.LANDING, CarrierRole.SYNC)
            and self.graph.is_merge(carrier.sha)
        ]
        homes = {merge.sha: self._home_line(merge.sha) for merge in merges}
        for merge in merges:
            if home := homes[merge.sha]:
                self._look_into(merge, home, self.lines[home].brought_by(merge.sha))
        # Inside what another merge brought (or a whole repository that was merged in), a commit
        # belongs to that one and to its own.
        for merge in merges:
            if not homes[merge.sha] and merge.role is CarrierRole.LANDING:
                self._look_into(merge, None, self._nested(merge.sha))

    def _home_line(self, sha: str) -> str | None:
        return next((name for name, line in self.lines.items() if line.on_line(sha)), None)

    def _nested(self, merge: str) -> list[str]:
        """Return what a merge inside a branch brought there, without what was brought to it.

        Nothing is known to be its own of a merge that came to no long-lived branch: it may have
        brought such a branch to one that is gone.
        """
        line = next((at for at in self.lines.values() if at.position(merge) is not None), None)
        if line is None:
            return []
        entered = line.position(merge)
        side = sorted(side_of(self.graph, merge), key=self.graph.rank)
        return [sha for sha in side if line.position(sha) == entered]

    def _look_into(self, merge: Carrier, home: str | None, inside: Sequence[str]) -> None:
        others = [line for name, line in self.lines.items() if name != home]
        foreign = {sha for sha in inside if any(line.on_line(sha) for line in others)}
        if len(foreign) * 2 > len(inside):
            default = next(iter(self.lines.values()))
            from_default = any(default.on_line(sha) for sha in foreign)
            role = CarrierRole.SYNC if from_default else CarrierRole.PROMOTION
            self.carriers.replace(replace(merge, role=role))
            return
        picked = {m.number for m in certain_mentions(self.readings, merge.sha, Role.PICK)}
        for sha in inside:
            carriers = self.carriers.at(sha)
            for carrier in carriers:
                if carrier.number in picked:
                    self.carriers.replace(replace(carrier, role=CarrierRole.PICK, via=merge.number))
            outer = home is None and all(c.method is Method.INSIDE for c in carriers)
            if (not carriers or outer) and sha not in foreign:
                self._add(sha, merge.number, merge.sha, merge.role, Method.INSIDE)

    # --- what is left ------------------------------------------------------------------------

    def from_heads(self) -> None:
        """Tie merged requests without a landing to their head, where that is in the history."""
        for number, request in self.requests.items():
            head = request.head
            if request.state != "merged" or not head or self.carriers.of(number):
                continue
            if head in self.graph:
                self._add(head, number, head, CarrierRole.LANDING, Method.HEAD)

    def from_closing(self) -> None:
        """Tie to their heads the requests that a commit says it closes and has in its history.

        A robot or a person pushed them and closed them. The words alone show nothing.
        """
        saying: dict[int, list[str]] = defaultdict(list)
        for sha, reading in self.readings.items():
            for number in reading.closes:
                if self._is_unlanded(number) and self._is_held(sha):
                    saying[number].append(sha)
        after = reach(self.graph, (sha for shas in saying.values() for sha in shas))
        for number, shas in saying.items():
            head = self.requests[number].head or ""
            within = [s for s in shas if after.reaches(s, head) and self._may_bring(s, head)]
            merge = next((sha for sha in within if head in self._side(sha)), None)
            if merge is not None and not self.carriers.at(merge):
                landing = self._add(merge, number, merge, CarrierRole.LANDING, Method.HEAD)
                self._look_into(landing, self._home_line(merge), self._nested(merge))
            elif within:
                self._add(head, number, head, CarrierRole.LANDING, Method.HEAD)

    def _is_unlanded(self, number: int) -> bool:
        """Tell whether a request has a head that is nobody's landing, and no landing itself."""
        request = self.requests.get(number)
        if request is None or request.head is None or request.head not in self.graph:
            return False
        # a branch that was set back to the main one has the landing of another request as head
        own = all(carrier.method is Method.INSIDE for carrier in self.carriers.at(request.head))
        return own and self._may_have_landed(number) and not self.carriers.of(number)

    def _may_bring(self, sha: str, head: str) -> bool:
        """Tell whether a closing commit may have brought a head that it has in its history.

        Of a head on a branch's own line only the next commit may: the request's branch may have
        been set back to that line, and be empty.
        """
        home = self._home_line(head)
        if home is None:
            return True
        place, here = self.lines[home].position(sha), self.lines[home].position(head)
        return place is not None and here is not None and place - here < 2

    def _is_held(self, sha: str) -> bool:
        held = sha in self.graph
        return held and any(line.position(sha) is not None for line in self.lines.values())

    def _side(self, sha: str) -> frozenset[str]:
        return side_of(self.graph, sha) if self.graph.is_merge(sha) else frozenset()

    def _own_number(self, sha: str) -> int | None:
        reading = self.readings.get(sha)
        return reading.own.number if reading and reading.own else None

    def _add(
        self, sha: str, number: int, landing: str, role: CarrierRole, method: Method
    ) -> Carrier:
        carrier = Carrier(sha=sha, number=number, landing=landing, role=role, method=method)
        self.carriers.add(carrier)
        return carrier
