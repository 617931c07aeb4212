"""What each revert targets, and what it thereby restores: MODEL.md 5.

Among its own ancestors a revert targets the commit that it names, every pick of it, and every
restore of any of these. A named commit that is not an ancestor is first replaced by those copies of
it that are, and where there are none, by the carriers of its request; without a name the carriers
of #N stand in for it. To revert a
merge is to revert what it brought. A revert of a revert restores what that one had targeted.

Mentions that a person has to confirm are resolved in the same way and kept apart, as doubts: they
never decide, but they keep a verdict from claiming what it cannot know.
"""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from functools import partial
from typing import Final

from msgspec.structs import replace

from projections.release_inclusion.history.again import AGAIN
from projections.release_inclusion.history.carriers import (
    CarrierRole,
    Carriers,
    Method,
    ReadCommit,
)
from projections.release_inclusion.history.graph import CommitGraph, Reach, reach
from projections.release_inclusion.history.lines import side_of
from projections.release_inclusion.history.mentioned import certain_mentions
from projections.release_inclusion.history.naming import (
    ShaFinder,
    TitleFinder,
    picks_by_origin,
)
from projections.release_inclusion.history.resolution import Resolution, Resolved
from projections.release_inclusion.history.restores import carry_again, content_at, undone_title
from projections.release_inclusion.messages.mention import Certainty, Mention, Role

#: Methods of mentions that quote the whole title of what they revert.
_WHOLE_TITLES: Final = frozenset({"quoted title", "conventional revert"})

_CARRIED_AGAIN: Final = {Role.RESTORE: CarrierRole.RESTORE, Role.PICK: CarrierRole.PICK}


def resolve(
    graph: CommitGraph,
    readings: Mapping[str, ReadCommit],
    carriers: Carriers,
    titles: TitleFinder,
) -> Resolution:
    """Find what every mention means. Adds to `carriers` the restores that undone reverts are."""
    return _Resolver(graph, readings, carriers, titles).resolve()


class _Resolver:
    def __init__(
        self,
        graph: CommitGraph,
        readings: Mapping[str, ReadCommit],
        carriers: Carriers,
        titles: TitleFinder,
    ) -> None:
        self.graph = graph
        self.readings = readings
        self.carriers = carriers
        self.shas = ShaFinder(graph)
        self.titles = titles
        self.picks = picks_by_origin(graph, readings)
        self.speaking = sorted(self._speaking(), key=graph.rank)
        self.history: Reach = reach(graph, self.speaking)
        self.targets: dict[str, frozenset[str]] = {}
        self.reverts_of: dict[str, set[str]] = defaultdict(set)

    def _speaking(self) -> Iterator[str]:
        for sha, reading in self.readings.items():
            if reading.mentions and sha in self.graph:
                yield sha

    def resolve(self) -> Resolution:
        reverts: list[Resolved] = []
        doubts: list[Resolved] = []
        for sha in self.speaking:
            unsure: list[Resolved] = []
            for mention in map(partial(self._settled, sha), self._mentions(sha)):
                certain = mention.certainty is Certainty.CERTAIN
                if mention.role is Role.REVERT:
                    resolved = self._revert(sha, mention)
                    (reverts if certain else unsure).append(resolved)
                    if certain:
                        self._target(sha, resolved.targets)
                elif not certain:
                    unsure.append(self._doubt(sha, mention))
            self._restore(sha)
            self._put_back(sha)
            doubts += [doubt for doubt in unsure if self._is_a_question(doubt)]
        return Resolution(tuple(reverts), tuple(doubts))

    def _target(self, sha: str, targets: frozenset[str]) -> None:
        self.targets[sha] = self.targets.get(sha, frozenset()) | targets
        for target in targets:
            self.reverts_of[target].add(sha)

    def _settled(self, sha: str, mention: Mention) -> Mention:
        """Return a revert by title as certain where just one change answers to it.

        GitHub and git write `Revert "<title>"`, a release tool `revert: <title>`, with the whole
        title. Of several commits under one title those are meant that are in force there.
        """
        if mention.certainty is Certainty.CERTAIN or mention.method not in _WHOLE_TITLES:
            return mention
        if any(self._names_a_target(other) for other in self.readings[sha].mentions):
            return mention
        titled = self.titles.whole(mention.title or "")
        candidates = self._ancestors_among(sha, titled)
        living = frozenset(c for c in candidates if self._is_in_force(c, sha))
        originals = living - {pick for one in living for pick in self._picks_of(one)} or living
        # A merge has the title of its request, and often of the one commit in it.
        merges = frozenset(filter(self.graph.is_merge, originals))
        originals = originals - merges or merges
        if len(originals) != 1:
            return mention
        return replace(mention, certainty=Certainty.CERTAIN, sha=next(iter(originals)))

    def _names_a_target(self, mention: Mention) -> bool:
        certain = mention.role is Role.REVERT and mention.certainty is Certainty.CERTAIN
        return certain and mention.title is None

    def _is_in_force(self, target: str, sha: str) -> bool:
        """Tell whether a commit is in force in the history just before `sha`."""
        reverts = (y for y in self.reverts_of.get(target, ()) if self._is_ancestor(y, sha))
        return not any(self._is_in_force(y, sha) for y in reverts)

    def _is_a_question(self, doubt: Resolved) -> bool:
        """Tell whether an answer could matter.

        It does not where a revert names what no branch holds (a request's own earlier commits),
        where a commit speaks of its own request, and where the same commit reverts for certain
        what the doubt says in other words.
        """
        own = {carrier.number for carrier in self.carriers.at(doubt.sha)}
        if doubt.mention.role is Role.REVERT:
            certain = self.targets.get(doubt.sha, frozenset())
            return bool(doubt.targets) and not certain & doubt.targets
        return bool(doubt.numbers - own)

    def _mentions(self, sha: str) -> tuple[Mention, ...]:
        """Return a commit's mentions; a pick of a revert that says no more speaks like it."""
        mentions = self.readings[sha].mentions
        if any(mention.role is Role.REVERT for mention in mentions):
            return mentions
        for pick in mentions:
            if pick.role is Role.PICK and pick.certainty is Certainty.CERTAIN:
                for origin in self._origins(pick):
                    own_mentions = self.readings[origin].mentions if origin in self.readings else ()
                    mentions += tuple(
                        mention for mention in own_mentions if mention.role is Role.REVERT
                    )
                break
        return mentions

    def _origins(self, pick: Mention) -> list[str]:
        if pick.sha:
            return [pick.sha]
        own = self.carriers.of(pick.number) if pick.number is not None else ()
        return [c.sha for c in own if c.role is CarrierRole.LANDING and c.sha == c.landing]

    def _revert(self, sha: str, mention: Mention) -> Resolved:
        base, numbers = self._named(sha, mention)
        targets = self._widen(sha, base)
        numbers = numbers or frozenset(n for base_sha in base for n in self._numbers_at(base_sha))
        return Resolved(sha=sha, mention=mention, targets=targets, numbers=numbers)

    def _named(self, sha: str, mention: Mention) -> tuple[frozenset[str], frozenset[int]]:
        """Return the ancestors that a revert names, and the requests that it means."""
        named = self.shas.find(mention.sha) if mention.sha else None
        if named and self._is_ancestor(named, sha):
            return frozenset({named}), self._numbers_at(named)
        numbers = self._numbers_at(named) if named else frozenset()
        if not numbers and mention.number is not None:
            numbers = frozenset({mention.number})
        # A SHA that nobody holds is one of before a squash, or of another clone: words remain.
        nested = frozenset[str]() if named else self._nested(sha, mention)
        if nested:
            return nested, numbers
        copies = self._ancestors_among(sha, self._copies_of(named)) if named else frozenset()
        if copies:
            return copies, numbers
        if numbers:
            carriers = (c for number in numbers for c in self.carriers.of(number))
            # What lands a whole stack is not taken out for one request inside it.
            own = [c.sha for c in carriers if c.role is not CarrierRole.STACK]
            return self._ancestors_among(sha, own), numbers
        if mention.title:
            titled = self._ancestors_among(sha, self.titles.find(mention.title))
            return titled, frozenset(n for candidate in titled for n in self._numbers_at(candidate))
        return frozenset(), frozenset()

    def _copies_of(self, sha: str) -> set[str]:
        """Return the commits that carry this very commit; a request may have further ones."""
        alike = (c for number in self._numbers_at(sha) for c in self.carriers.of(number))
        return {*self.picks.get(sha, ()), *(c.sha for c in alike if sha in c.copies)}

    def _nested(self, sha: str, mention: Mention) -> frozenset[str]:
        """Find the commit of `Revert "Reapply "x (#1)" (#2)"` by its whole subject.

        Its last number may be that of the revert which it undid, so the number would mislead.
        `Reapply "x"`, whose body reverts a commit that it names by SHA only, means `Revert "x"`.
        """
        title = mention.title
        if title is None and mention.number is None:
            title = undone_title(self.readings[sha].mentions)
        if title is None or not title.startswith(("Reapply ", "Revert ")):
            return frozenset()
        return self._ancestors_among(sha, self.titles.exact(title))

    def _widen(self, sha: str, base: frozenset[str]) -> frozenset[str]:
        """Add what merges brought, the picks, and the restores of any of these.

        A merge inside of what a merge brought adds nothing: it may have brought the default
        branch to the request's own, and that the request did not bring.
        """
        widened: set[str] = set()
        inside: set[str] = set()
        waiting = sorted(base, key=self.graph.rank)  # of nested merges the outer one comes first
        while waiting:
            commit = waiting.pop()
            if commit in widened:
                continue
            widened.add(commit)
            brought = self._brought(commit) if commit not in inside else []
            inside.update(brought)
            related = [*brought, *self._picks_of(commit), *self._restores_of(commit)]
            waiting += self._ancestors_among(sha, related)
        return frozenset(widened)

    def _brought(self, sha: str) -> list[str]:
        if not self.graph.is_merge(sha):
            return []
        side = side_of(self.graph, sha)
        return [commit for commit in side if self.carriers.at(commit) or commit in self.targets]

    def _picks_of(self, sha: str) -> list[str]:
        own = self.carriers.own(sha)
        copied = [c.number for c in self.carriers.at(sha) if c.method is Method.TRAILING_NUMBER]
        picks = [*self.picks.get(sha, ())]
        if own is not None:
            picks += [c.sha for c in self.carriers.of(own) if c.role is CarrierRole.PICK]
        for number in copied:
            # Copies under one subject are the same change, whichever is taken for the first.
            picks += [c.sha for c in self.carriers.of(number) if c.method is Method.TRAILING_NUMBER]
        return picks

    def _restores_of(self, sha: str) -> list[str]:
        carriers = (c for number in self._numbers_at(sha) for c in self.carriers.of(number))
        return [c.sha for c in carriers if c.role is CarrierRole.RESTORE]

    def _restore(self, sha: str) -> None:
        """Where a commit reverts reverts, note it as a carrier of what they had targeted."""
        undone = [t for y in self.targets.get(sha, ()) for t in self.targets.get(y, ())]
        carry_again(self.carriers, sha, undone, CarrierRole.RESTORE, Method.UNDONE_REVERT)

    def _put_back(self, sha: str) -> None:
        """Note a commit as a carrier of what it is once more, after a revert of that."""
        for role, carried_as in _CARRIED_AGAIN.items():
            meant = (
                commit
                for mention in certain_mentions(self.readings, sha, role)
                if mention.number is None and (role is Role.RESTORE or mention.method == AGAIN)
                for commit in self._meant(mention)
            )
            carry_again(self.carriers, sha, meant, carried_as, Method.AGAIN)

    def _doubt(self, sha: str, mention: Mention) -> Resolved:
        """Find what an unconfirmed restore or pick may mean, on whatever branch that is."""
        numbers = {n for meant in self._meant(mention) for n in self._numbers_at(meant)}
        if mention.number is not None:
            numbers.add(mention.number)
        own = self.carriers.own(sha)
        return Resolved(
            sha=sha, mention=mention, targets=frozenset(), numbers=frozenset(numbers - {own})
        )

    def _meant(self, mention: Mention) -> set[str]:
        """Return the commits that a restore or pick names; of a revert what it had taken out."""
        named = self.shas.find(mention.sha) if mention.sha else None
        meant: set[str] = set()
        titled = mention.among or self.titles.find(mention.title or "")
        for sha in [named] if named else titled:
            undone = self.targets.get(sha) if mention.role is Role.RESTORE else None
            meant |= undone or {sha}
        return meant

    def _numbers_at(self, sha: str) -> frozenset[int]:
        return frozenset(carrier.number for carrier in content_at(self.carriers, sha))

    def _is_ancestor(self, sha: str, of: str) -> bool:
        return sha != of and self.history.reaches(of, sha)

    def _ancestors_among(self, sha: str, candidates: Iterable[str]) -> frozenset[str]:
        return frozenset(candidate for candidate in candidates if self._is_ancestor(candidate, sha))
