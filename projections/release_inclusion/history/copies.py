"""Copies without a word of it: commits that are another commit once more, on another branch.

`git cherry-pick` keeps the author, the author's date to the second and the title. Where a commit
agrees in these three with one commit of another branch, it is a copy of that commit. Where it
agrees in less (author and date alone, an equal title alone, several candidates), equal patches
settle it where patches were read; else a person has to look: the mention is for review, and no
verdict denies the change while it waits.

Of two commits the earlier one is the original; commits that were on the default branch first, both,
are never compared (what is merged twice is no backport). What came back to it from a release branch
is that branch's.
"""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from functools import cached_property

from msgspec.structs import replace

from events.facts.git import Commit
from projections.release_inclusion.history.carriers import ReadCommit
from projections.release_inclusion.history.copy_mentions import (
    COPY,
    INNER_NUMBER,
    NUMBERED,
    PATCH,
    SAID,
    SAME_MOMENT,
    SAME_PATCH,
    SAME_TITLE,
    among,
    doubt,
    pick,
)
from projections.release_inclusion.history.likeness import (
    MOST_WITH_ONE_TITLE,
    Moment,
    Where,
    is_telling,
    may_be_one,
    moment_of,
)
from projections.release_inclusion.messages.mention import Certainty, Mention, Role
from projections.release_inclusion.messages.reading import read_mentions
from projections.release_inclusion.messages.references import (
    Names,
    alike,
    change_title,
    inner_numbers,
)


def with_copies(
    commits: Iterable[Commit],
    readings: Mapping[str, ReadCommit],
    *,
    on_default: Where,
    in_default: Where,
    held: Where,
    patches: Mapping[str, str],
) -> dict[str, ReadCommit]:
    """Return the readings with a mention for each copy.

    `on_default` tells what was on the default branch first, `in_default` what it holds wherever
    that came from (`homes`), `held` what any long-lived branch or tag does: a commit that nothing
    holds is neither asked about nor anybody's original. `patches` are the patch ids of commits,
    where they were read.
    """
    here = [commit for commit in commits if held(commit.sha)]
    finder = _Copies(here, readings, on_default, in_default, patches)
    return {
        sha: replace(reading, mentions=(*_unlike(reading.mentions, new), *new))
        if (new := finder.mentions(sha))
        else reading
        for sha, reading in readings.items()
    }


def _unlike(mentions: Iterable[Mention], new: Iterable[Mention]) -> Iterator[Mention]:
    """Leave out titles of picks for which the commits that may be meant are now known."""
    known = {mention.title for mention in new if mention.among}
    for mention in mentions:
        if mention.role is not Role.PICK or mention.title is None or mention.title not in known:
            yield mention


class _Copies:
    def __init__(
        self,
        commits: list[Commit],
        readings: Mapping[str, ReadCommit],
        on_default: Where,
        in_default: Where,
        patches: Mapping[str, str],
    ) -> None:
        self._readings, self._patches = readings, patches
        self._on_default, self._in_default = on_default, in_default
        self._commits = {commit.sha: commit for commit in commits}
        self._plain = [commit for commit in commits if len(commit.parents) < 2]
        self._by_moment: dict[Moment, list[Commit]] = defaultdict(list)
        for commit in self._plain:
            self._by_moment[moment_of(commit)].append(commit)

    @cached_property
    def _by_title(self) -> dict[str, list[Commit]]:
        by_title: dict[str, list[Commit]] = defaultdict(list)
        for commit in self._plain:
            by_title[change_title(commit.subject)].append(commit)
        return by_title

    @cached_property
    def _by_number(self) -> dict[int, list[str]]:
        """The titles under which each request landed on the default branch."""
        titles: dict[int, list[str]] = defaultdict(list)
        for commit in self._commits.values():
            own = self._readings[commit.sha].own
            if own and own.title:
                titles[own.number].append(own.title)
        return titles

    def mentions(self, sha: str) -> tuple[Mention, ...]:
        """Return what a commit turns out to copy; nothing where it says so itself."""
        commit = self._commits.get(sha)
        if commit is None or self._says_so(sha):
            return ()
        numbered = tuple(self._by_inner_number(commit))
        if numbered or len(commit.parents) > 1:
            return numbered
        return (
            self._by_author(commit)
            or tuple(self._by_said_title(commit))
            or tuple(self._by_equal_title(commit))
            or tuple(self._by_equal_patch(commit))
        )

    def _says_so(self, sha: str) -> bool:
        picks = (m for m in self._readings[sha].mentions if m.role is Role.PICK)
        return any(
            mention.certainty is Certainty.CERTAIN
            and (mention.number is not None or mention.sha in self._commits)
            for mention in picks
        )

    # --- `title (#N) (#M)`: the number of the original is left in the title ---------------------

    def _by_inner_number(self, commit: Commit) -> Iterator[Mention]:
        own = self._readings[commit.sha].own
        if own is None or own.title is None or self._reverts(commit, own.title):
            return
        for number in inner_numbers(own.title):
            titles = self._by_number.get(number, ())
            if number == own.number or not titles:
                continue  # an issue is named as often as a request
            if any(alike(own.title, title) for title in titles):
                yield pick(NUMBERED, number=number)
            elif not self._on_default(commit.sha):
                yield doubt(INNER_NUMBER, number=number)

    def _reverts(self, commit: Commit, title: str) -> bool:
        """Tell whether a commit, or a merge by its request's title, says that it takes it out."""
        mentions = (*self._readings[commit.sha].mentions, *read_mentions(title, "", Names()))
        return any(mention.role is Role.REVERT for mention in mentions)

    def _by_author(self, commit: Commit) -> tuple[Mention, ...]:
        same_moment = self._others(commit, self._by_moment[moment_of(commit)])
        same = [other for other in same_moment if alike(other.subject, commit.subject)]
        if same:
            return tuple(self._settled(commit, self._originals(commit, same), COPY))
        return tuple(self._doubtful(commit, self._originals(commit, same_moment), SAME_MOMENT))

    def _settled(self, commit: Commit, originals: list[Commit], method: str) -> Iterator[Mention]:
        if len(originals) == 1:
            yield pick(method, sha=originals[0].sha)
        else:
            yield from self._doubtful(commit, originals, method)

    def _doubtful(self, commit: Commit, originals: list[Commit], method: str) -> Iterator[Mention]:
        """Yield what equal patches settle, else one question for all candidates."""
        patch = self._patches.get(commit.sha)
        equal = [other for other in originals if patch and self._patches.get(other.sha) == patch]
        if equal:
            # what was reverted and landed again is one change under two requests
            yield from (pick(PATCH, sha=other.sha) for other in equal)
        else:
            yield from self._asked(commit, originals, method)

    def _asked(self, commit: Commit, originals: list[Commit], method: str) -> Iterator[Mention]:
        if len(originals) == 1:
            yield doubt(method, sha=originals[0].sha)
        elif originals:
            yield among(method, commit.subject, (other.sha for other in originals))

    def _others(self, commit: Commit, candidates: Iterable[Commit]) -> list[Commit]:
        here = self._on_default(commit.sha)
        number = self._number(commit)
        return [
            other
            for other in candidates
            if other.sha != commit.sha
            and not (here and self._on_default(other.sha))
            and (number is None or self._number(other) != number)
        ]

    def _originals(self, commit: Commit, candidates: list[Commit]) -> list[Commit]:
        """Return those that came before; of copies of copies the first one."""
        key = _place(commit)
        before = sorted((other for other in candidates if _place(other) < key), key=_place)
        on_default = [other for other in before if self._on_default(other.sha)]
        if on_default or not before:
            return on_default
        firsts = before[:1]
        for other in before[1:]:
            copy = any(
                moment_of(first) == moment_of(other)
                for first in firsts
                if alike(first.subject, other.subject)
            )
            if not copy and not self._says_so(other.sha):
                firsts.append(other)
        return firsts

    def _number(self, commit: Commit) -> int | None:
        own = self._readings[commit.sha].own
        return own.number if own else None

    # --- `cp: <title>`: it says that it picks, and one change has the title ----------------------

    def _by_said_title(self, commit: Commit) -> Iterator[Mention]:
        for mention in self._readings[commit.sha].mentions:
            if mention.role is Role.PICK and mention.title:
                same = self._others(commit, self._by_title[change_title(mention.title)])
                originals = self._originals(commit, same)
                if len(originals) == 1:
                    yield pick(SAID, sha=originals[0].sha)
                elif originals:
                    yield among(SAID, mention.title, (o.sha for o in originals))

    def _by_equal_title(self, commit: Commit) -> Iterator[Mention]:
        title = change_title(commit.subject)
        same = self._by_title[title]
        if not is_telling(title):
            return
        if sum(self._on_default(other.sha) for other in same) > MOST_WITH_ONE_TITLE:
            return
        earlier = [
            other
            for other in self._others(commit, same)
            if self._are_apart(commit, other)
            and _place(other) < _place(commit)
            and (may_be_one(other, commit) or self._is_same_patch(other, commit))
        ]
        yield from self._doubtful(commit, earlier, SAME_TITLE)

    # --- an equal patch under another title ----------------------------------------------------

    @cached_property
    def _by_patch(self) -> dict[str, list[Commit]]:
        by_patch: dict[str, list[Commit]] = defaultdict(list)
        for commit in self._plain:
            if commit.sha in self._patches:
                by_patch[self._patches[commit.sha]].append(commit)
        return by_patch

    def _by_equal_patch(self, commit: Commit) -> Iterator[Mention]:
        """Yield the one change that this is word for word; of several, and of another person's
        half a year before, a question: short changes are made twice (`Update the year`).
        """
        patch = self._patches.get(commit.sha, "")
        # what was put back has its first patch again
        same = [o for o in self._by_patch.get(patch, ()) if not self._takes_back(o)]
        many = sum(self._on_default(other.sha) for other in same) > MOST_WITH_ONE_TITLE
        if commit not in same or many:
            return
        earlier = [
            other
            for other in self._others(commit, same)
            if self._are_apart(commit, other) and _place(other) < _place(commit)
        ]
        if len(earlier) == 1 and may_be_one(earlier[0], commit):
            yield pick(SAME_PATCH, sha=earlier[0].sha)
            return
        if not self._on_default(commit.sha):
            yield from self._asked(commit, earlier, SAME_PATCH)

    def _takes_back(self, commit: Commit) -> bool:
        return any(m.role is not Role.PICK for m in self._readings[commit.sha].mentions)

    def _is_same_patch(self, first: Commit, second: Commit) -> bool:
        patch = self._patches.get(first.sha)
        return patch is not None and patch == self._patches.get(second.sha)

    def _are_apart(self, commit: Commit, other: Commit) -> bool:
        """Tell whether one of two is the default branch's, and the other is not."""
        return any(
            where(commit.sha) != where(other.sha) for where in (self._on_default, self._in_default)
        )


def _place(commit: Commit) -> tuple[int, str]:
    return commit.committed_at, commit.sha
