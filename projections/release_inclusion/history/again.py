"""Landed again after a revert, without a word of it: the change is back under its old title.

Who reverts a change often lands it once more as a request of its own. Among what comes after the
revert, a commit with the author, the author's date and the title of what was taken out is that
change once more, and so is one with its patch and either of these. Less (the title alone, author
and date alone) is a question to a person. A pick of such a commit brings the change along.
"""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from functools import cached_property
from typing import Final, TypeAlias

from events.facts.git import Commit
from projections.release_inclusion.history.carriers import OWN_ROLES, Carriers, ReadCommit
from projections.release_inclusion.history.decisions import DECIDED
from projections.release_inclusion.history.graph import CommitGraph, reach
from projections.release_inclusion.history.likeness import (
    MOST_WITH_ONE_TITLE,
    Moment,
    is_telling,
    may_be_one,
    moment_of,
)
from projections.release_inclusion.history.naming import picks_by_origin
from projections.release_inclusion.messages.mention import Certainty, Mention, Role
from projections.release_inclusion.messages.references import alike, change_title

AGAIN: Final = "landed again after a revert"

Again: TypeAlias = dict[str, tuple[Mention, ...]]
"""By commit: what it puts back."""


def landed_again(
    graph: CommitGraph,
    commits: Iterable[Commit],
    readings: Mapping[str, ReadCommit],
    carriers: Carriers,
    targets: Mapping[str, frozenset[str]],
    patches: Mapping[str, str],
) -> Again:
    """Return a mention for each commit that puts back what a revert had taken out.

    `targets` says what each certain revert targets, `patches` are the patch ids of commits, where
    they were read.
    """
    return _Finder(graph, commits, readings, carriers, patches).find(targets)


class _Finder:
    def __init__(
        self,
        graph: CommitGraph,
        commits: Iterable[Commit],
        readings: Mapping[str, ReadCommit],
        carriers: Carriers,
        patches: Mapping[str, str],
    ) -> None:
        self._graph, self._readings, self._carriers = graph, readings, carriers
        self._patches = patches
        self._commits = {commit.sha: commit for commit in commits}

    def find(self, targets: Mapping[str, frozenset[str]]) -> Again:
        reverts: dict[str, list[str]] = defaultdict(list)
        for revert, reverted in targets.items():
            for sha in reverted:
                if sha in self._commits and not self._speaks(sha):
                    reverts[sha].append(revert)
        likely = {
            sha: candidates
            for sha, by in reverts.items()
            if (candidates := list(self._candidates(sha, by)))
        }
        after = reach(self._graph, (other for others in likely.values() for other in others))
        mentions: dict[str, dict[Mention, None]] = defaultdict(dict)
        for sha, candidates in likely.items():
            back = [x for x in candidates if any(after.reaches(x, y) for y in reverts[sha])]
            for other, mention in self._judged(sha, back):
                mentions[other][mention] = None
        return {sha: tuple(of) for sha, of in mentions.items()}

    def _speaks(self, sha: str) -> bool:
        """Tell whether a commit says itself that it takes out or puts back something."""
        return any(
            mention.role is Role.RESTORE or mention.certainty is Certainty.CERTAIN
            for mention in self._readings[sha].mentions
            if mention.role is not Role.PICK and mention.method != DECIDED
        )

    # --- what may be it once more ----------------------------------------------------------------

    def _candidates(self, sha: str, reverts: Iterable[str]) -> Iterator[str]:
        landings = {carrier.landing for carrier in self._carriers.at(sha)}
        since = min(map(self._graph.rank, reverts))
        alike_ones = [o for title in self._titles(sha) for o in self._by_title.get(title, ())]
        if not self._graph.is_merge(sha):
            alike_ones += self._by_moment.get(moment_of(self._commits[sha]), [])
        for other in dict.fromkeys(alike_ones):
            later = self._graph.rank(other) > since and other not in landings
            if later and not self._speaks(other):
                yield other

    def _numbers(self, sha: str) -> set[int]:
        return {carrier.number for carrier in self._carriers.at(sha)}

    def _titles(self, sha: str) -> set[str]:
        """Return the titles of a commit and of the request that landed it."""
        own = (c for c in self._carriers.at(sha) if c.role in OWN_ROLES)
        landings = (carrier.landing for carrier in own if carrier.landing in self._commits)
        return {self._title(named) for named in (sha, *landings)} - {""}

    def _title(self, sha: str) -> str:
        """Return a commit's title where it tells anything; of a merge that of its request."""
        title = self._commits[sha].subject
        if self._graph.is_merge(sha):
            own = self._readings[sha].own
            title = (own and own.title) or ""
        title = change_title(title)
        return title if is_telling(title) else ""

    @cached_property
    def _by_title(self) -> dict[str, list[str]]:
        by_title: dict[str, list[str]] = defaultdict(list)
        for sha in self._commits:
            by_title[self._title(sha)].append(sha)
        return by_title

    @cached_property
    def _by_moment(self) -> dict[Moment, list[str]]:
        by_moment: dict[Moment, list[str]] = defaultdict(list)
        for commit in self._commits.values():
            if not self._graph.is_merge(commit.sha):
                by_moment[moment_of(commit)].append(commit.sha)
        return by_moment

    # --- whether it is ---------------------------------------------------------------------------

    def _judged(self, sha: str, back: list[str]) -> Iterator[tuple[str, Mention]]:
        """Yield which of the commits after a revert of `sha` put it back, and their picks."""
        sure = [other for other in back if self._is_it(sha, other)]
        unsure = [other for other in back if other not in sure and self._may_be_it(sha, other)]
        if sum(not self._picks(other) for other in unsure) > MOST_WITH_ONE_TITLE:
            unsure = []  # "Update the changelog" is no change that comes back
        for others, certainty in ((sure, Certainty.CERTAIN), (unsure, Certainty.REVIEW)):
            for other in others:
                if self._is_new_to(other, sha):
                    yield other, _mention(Role.RESTORE, sha, certainty)
                for pick in self._picked.get(other, ()):
                    if pick not in back and self._is_new_to(pick, sha):
                        yield pick, _mention(Role.PICK, sha, certainty)
        for other in sure:
            # a later copy of the first try is one of the second too
            for pick in (*self._picked.get(sha, ()), *self._picked.get(other, ())):
                if self._is_later(pick, other) and self._is_new_to(pick, other):
                    yield pick, _mention(Role.PICK, other, Certainty.CERTAIN)

    def _is_new_to(self, sha: str, of: str) -> bool:
        """Tell whether a commit carries a request that another one is not known to carry."""
        return bool(self._numbers(of) - self._numbers(sha))

    def _is_later(self, sha: str, other: str) -> bool:
        return self._commits[sha].committed_at > self._commits[other].committed_at

    def _is_it(self, sha: str, other: str) -> bool:
        like = moment_of(self._commits[sha]) == moment_of(self._commits[other])
        titled = alike(self._commits[sha].subject, self._commits[other].subject)
        return (like and titled) or (self._patch_is_that(sha, other) is True and (like or titled))

    def _patch_is_that(self, sha: str, other: str) -> bool | None:
        """Tell whether two commits have one patch, None where nobody compared them."""
        first, second = self._patches.get(sha), self._patches.get(other)
        return None if first is None or second is None else first == second

    def _is_decided(self, sha: str, other: str) -> bool:
        return any(
            mention.method == DECIDED and mention.role is Role.RESTORE and mention.sha == sha
            for mention in self._readings[other].mentions
        )

    def _may_be_it(self, sha: str, other: str) -> bool:
        # Another title and another patch on the old date: it was amended to something else.
        titled = self._title(other) in self._titles(sha)
        if not titled and self._patch_is_that(sha, other) is False:
            return False
        return may_be_one(self._commits[sha], self._commits[other])

    def _picks(self, sha: str) -> bool:
        return any(
            mention.role is Role.PICK and mention.certainty is Certainty.CERTAIN
            for mention in self._readings[sha].mentions
        )

    @cached_property
    def _picked(self) -> Mapping[str, list[str]]:
        """By commit: those that say for certain that they pick it."""
        return picks_by_origin(self._graph, self._readings, certain=True)


def _mention(role: Role, sha: str, certainty: Certainty) -> Mention:
    return Mention(role=role, method=AGAIN, certainty=certainty, sha=sha)
