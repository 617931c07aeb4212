"""Where commits, carriers and reverts stand in the tips that are asked about."""

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import cached_property
from typing import Any

from events.errors import BrokenLog
from events.facts.git import Commit
from events.instant import Instant
from projections.release_inclusion.history.attribution import Attribution, attribute
from projections.release_inclusion.history.carriers import Carrier, Request
from projections.release_inclusion.history.graph import TipSet, reach
from projections.release_inclusion.history.lines import BranchLine
from projections.release_inclusion.history.resolution import Resolved
from projections.release_inclusion.messages.mention import Role


class History:
    """An attribution, seen from the branches and tags of one moment.

    `branches` are the tips of the long-lived branches by name, the default branch first; `tags`
    further tips that verdicts are asked for. All are commits. `requests` are those of the moment,
    where it is not the last.
    """

    def __init__(
        self,
        attribution: Attribution,
        *,
        branches: Mapping[str, str],
        tags: Iterable[str] = (),
        requests: Mapping[int, Request] | None = None,
    ) -> None:
        self.graph, self.carriers = attribution.graph, attribution.carriers
        self.resolution, self.fixes = attribution.resolution, attribution.fixes
        self.requests = attribution.requests if requests is None else requests
        self.branches = dict(branches)
        self.attribution = attribution
        tips = tuple(dict.fromkeys((*branches.values(), *tags)))
        kept = attribution.reach
        self.reach = kept if kept.tips == tips else reach(self.graph, tips)
        self._lines: dict[str, BranchLine] = {}

    def line(self, tip: str) -> BranchLine:
        """Return the first-parent line of a tip."""
        if tip not in self._lines:
            self._lines[tip] = BranchLine(self.graph, tip, self.attribution.chains)
        return self._lines[tip]

    @cached_property
    def standing(self) -> dict[str, TipSet]:
        """The tips in which each carrier and each revert is alive."""
        targets = self.resolution.targets()
        relevant = {carrier.sha for carrier in self.carriers} | targets.keys()
        relevant.update(target for targeted in targets.values() for target in targeted)
        relevant.update(doubt.sha for doubt in self.resolution.doubts)
        relevant.update(target for doubt in self.resolution.doubts for target in doubt.targets)
        newest_first = sorted(relevant, key=self.graph.rank, reverse=True)
        return alive(newest_first, targets, self.reach.tips_of)

    @cached_property
    def reverts_of(self) -> dict[str, tuple[Resolved, ...]]:
        """By commit: the reverts that target it, oldest first."""
        by_target: dict[str, list[Resolved]] = defaultdict(list)
        for revert in self.resolution.reverts:
            for target in revert.targets:
                by_target[target].append(revert)
        return {sha: tuple(reverts) for sha, reverts in by_target.items()}

    @cached_property
    def idle_reverts(self) -> dict[int, tuple[Resolved, ...]]:
        """By request: certain reverts of it that found nothing to revert among their ancestors."""
        return _by_number(r for r in self.resolution.reverts if not r.targets)

    @cached_property
    def doubts(self) -> dict[int, tuple[Resolved, ...]]:
        """By request: mentions of it that a person has to confirm."""
        return _by_number(self.resolution.doubts)

    def is_in(self, sha: str, tip: str) -> bool:
        """Tell whether a tip reaches a commit."""
        return self.reach.reaches(tip, sha)

    def committed_at(self, sha: str) -> Instant | None:
        """Return when a commit was committed, None where it is not known."""
        if sha not in self.graph:
            return None
        return self.attribution.committed_at[self.graph.node(sha)]

    def commits_of(self, tip: str) -> Iterator[str]:
        """Yield the known commits that a tip reaches; none for a tip that was never fetched."""
        return self.reach.commits_of(tip) if tip in self.graph else iter(())

    def missing_of(self, tip: str) -> tuple[str, ...]:
        """Return what lacks from a tip's history: the tip itself where it was never fetched."""
        return self.reach.missing_of(tip) if tip in self.graph else (tip,)

    def is_alive(self, sha: str, tip: str) -> bool:
        """Tell whether a carrier or revert is in force in a tip."""
        return bool(self.standing.get(sha, 0) & self.reach.bit(tip))

    def is_alive_anywhere(self, sha: str) -> bool:
        """Tell whether some tip holds a commit that no revert there takes back."""
        return bool(self.standing.get(sha, self.reach.tips_of(sha)))

    def carriers_then(self, number: int) -> tuple[Carrier, ...]:
        """Return the carriers of a request without what was still to come: of one that is not
        merged, what no tip holds.
        """
        carriers, request = self.carriers.of(number), self.requests.get(number)
        if request is None or request.state not in ("open", "closed"):
            return carriers
        return tuple(carrier for carrier in carriers if self.reach.tips_of(carrier.sha))

    def killers(self, sha: str, tip: str) -> tuple[str, ...]:
        """Return the reverts that hold a commit down in a tip."""
        reverts = self.reverts_of.get(sha, ())
        return tuple(dict.fromkeys(r.sha for r in reverts if self.is_alive(r.sha, tip)))

    def undone(self, sha: str, tip: str) -> tuple[str, ...]:
        """Return the commits that undid, in a tip, the reverts of a commit."""
        reverts = [r.sha for r in self.reverts_of.get(sha, ()) if self.is_in(r.sha, tip)]
        return tuple(dict.fromkeys(z for y in reverts for z in self.killers(y, tip)))

    def doubtful(self, number: int, role: Role, tip: str) -> tuple[Resolved, ...]:
        """Return the unconfirmed mentions of a request of one kind that are in force in a tip."""
        doubts = self.doubts.get(number, ())
        return tuple(d for d in doubts if d.mention.role is role and self.is_alive(d.sha, tip))

    def unsure_reverts(self, number: int, tip: str) -> list[str]:
        """Return the reverts in force in a tip that may, if they hold, change where a request is.

        They aim at a carrier that is in force, or at a revert (of a revert …) of one that is.
        """
        return [
            doubt.sha
            for target, doubt in self.aimed_at(number)
            if self.is_alive(target, tip) and self.is_alive(doubt.sha, tip)
        ]

    def may_be_doubted(self, number: int) -> bool:
        """Tell whether anything unsure is said of a request at all."""
        known = number in self.doubts or number in self.idle_reverts
        return known or bool(self.aimed_at(number))

    def aimed_at(self, number: int) -> list[tuple[str, Resolved]]:
        """Return unsure reverts of a request's carriers, or of the reverts of these …, with each
        the commit that it aims at.
        """
        if not self.unsure_by_target:
            return []
        bearing = {carrier.sha for carrier in self.carriers.of(number)}
        waiting = [*bearing]
        while waiting:
            reverts = {revert.sha for revert in self.reverts_of.get(waiting.pop(), ())} - bearing
            bearing |= reverts
            waiting += reverts
        aimed = sorted(bearing & self.unsure_by_target.keys())
        return [(target, doubt) for target in aimed for doubt in self.unsure_by_target[target]]

    @cached_property
    def unsure_by_target(self) -> dict[str, list[Resolved]]:
        """By commit: the reverts of it that a person has to confirm."""
        by_target: dict[str, list[Resolved]] = defaultdict(list)
        for doubt in self.resolution.doubts:
            for target in doubt.targets:
                by_target[target].append(doubt)
        return by_target

    def differs(self, number: int, tip: str, other: str) -> bool:
        """Tell whether a commit that bears on a request stands otherwise in one of two tips.

        Where none does, its answer is the same in both, also where nobody can tell which it is.
        """
        mentions = (*self.idle_reverts.get(number, ()), *self.doubts.get(number, ()))
        bearing = {carrier.sha for carrier in self.carriers.of(number)}
        bearing.update(mention.sha for mention in mentions)
        both = self.reach.bit(tip) | self.reach.bit(other)
        standings = ((self.reach.tips_of(sha), self.standing.get(sha, 0)) for sha in bearing)
        return any(tips & both not in (0, both) for standing in standings for tips in standing)

    def ways(self, number: int) -> Iterator[tuple[tuple[Carrier, ...], ...]]:
        """Yield the ways in which a request can be in a tip as a whole.

        Each is a list of what its commits can be: the commit of the landing itself, or a pick
        that copies it. A pick of some commits of a longer landing is no way of its own.
        """
        copied: dict[str, list[Carrier]] = defaultdict(list)
        for carrier in self.carriers.of(number):
            for sha in carrier.copies:
                copied[sha].append(carrier)
        contents = [self.content(landing) for landing in self.carriers.landings(number)]
        series = [frozenset(c.sha for c in content) for content in contents if len(content) > 1]
        for content in contents:
            copies = frozenset(sha for carrier in content for sha in carrier.copies)
            if not any(copies & shas and not shas <= copies for shas in series):
                yield tuple((carrier, *copied[carrier.sha]) for carrier in content)

    def may_hold_more(self, carrier: Carrier) -> bool:
        """Tell whether a copy of one commit may hold others of its landing too."""
        return (carrier.sha, carrier.number) in self.attribution.may_hold_more

    def content(self, landing: tuple[Carrier, ...]) -> tuple[Carrier, ...]:
        """Return the carriers of a landing that hold its change.

        Of a merge these are the commits that it brought; the merge alone only where none is known.
        """
        inside = tuple(c for c in landing if not self.graph.is_merge(c.sha))
        return inside or landing

    def contents(self, number: int) -> Iterator[Carrier]:
        """Yield the carriers that hold a request's change, of all its landings."""
        for landing in self.carriers.landings(number):
            yield from self.content(landing)


def read_history(
    commits: Iterable[Commit],
    *,
    branches: Mapping[str, str],
    tags: Iterable[str] = (),
    **known: Any,
) -> History:
    """Read a history and look at it from its own tips; `known` is what `attribute` takes."""
    tags = tuple(tags)
    attribution = attribute(commits, branches=branches, tags=tags, **known)
    return History(attribution, branches=branches, tags=tags)


def _by_number(mentions: Iterable[Resolved]) -> dict[int, tuple[Resolved, ...]]:
    by_number: dict[int, list[Resolved]] = defaultdict(list)
    for mention in mentions:
        for number in mention.numbers:
            by_number[number].append(mention)
    return {number: tuple(resolved) for number, resolved in by_number.items()}


def alive(
    newest_first: Iterable[str],
    targets: Mapping[str, Iterable[str]],
    present: Callable[[str], TipSet],
) -> dict[str, TipSet]:
    """Return for each commit the tips in which it is alive (MODEL.md 5):

        alive(x, tip) = x in closure(tip) and no y in closure(tip) that targets x is alive

    A revert targets only its own ancestors, so walking from newest to oldest meets every revert
    before what it targets, and one walk answers for all tips at once with sets of tips. Counting
    how often a change was taken out and put back would be wrong as soon as branches are synced.

    `newest_first` are the commits of interest and all reverts, each before its ancestors;
    `targets` says which of them a revert targets; `present` gives the tips that reach a commit.
    Raise BrokenLog where a revert does not come before its target: that cannot be an ancestor.
    """
    standing: dict[str, TipSet] = {}
    undone: dict[str, TipSet] = {}
    for sha in newest_first:
        standing[sha] = present(sha) & ~undone.get(sha, 0)
        for target in targets.get(sha, ()):
            if target in standing:
                raise BrokenLog(f"revert {sha} targets {target}, which is not its ancestor")
            undone[target] = undone.get(target, 0) | standing[sha]
    return standing
