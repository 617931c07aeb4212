"""What makes two commits look like one: the moment of their author, and their title."""

from collections import defaultdict
from collections.abc import Callable, Iterable
from typing import Final, Protocol, TypeAlias

from events.instant import DAY, Instant
from events.sources.commit_message import landing
from projections.release_inclusion.history.naming import SHORTEST_TITLE
from projections.release_inclusion.messages.mention import Role
from projections.release_inclusion.messages.reading import read_mentions
from projections.release_inclusion.messages.references import Names, change_title

MOST_WITH_ONE_TITLE: Final = 3
"""A title that more commits of the default branch have ("Update the changelog") tells nothing."""

#: Of 30 such pairs in three large histories not one was the same change.
_FAR_APART: Final = 180 * DAY

_MOST_AGAIN: Final = 12
"""Commits under one title that is reverted, on all branches."""

Where: TypeAlias = Callable[[str], bool]
"""Tells of a commit, by its SHA, whether something holds it."""

Moment: TypeAlias = tuple[str, Instant]
"""An author, and the author's date: what `git cherry-pick` keeps."""


class Titled(Protocol):
    """As much of a commit as is compared."""

    @property
    def sha(self) -> str: ...
    @property
    def author(self) -> str: ...
    @property
    def authored_at(self) -> Instant: ...
    @property
    def committed_at(self) -> Instant: ...
    @property
    def subject(self) -> str: ...


def moment_of(commit: Titled) -> Moment:
    return commit.author, commit.authored_at


def may_be_one(first: Titled, second: Titled) -> bool:
    """Tell whether an equal title may mean one change: not for two authors and half a year."""
    apart = abs(first.committed_at - second.committed_at)
    return first.author == second.author or apart < _FAR_APART


def is_telling(title: str) -> bool:
    """Tell whether an equal title (as `change_title` writes it) means anything."""
    return len(title) >= SHORTEST_TITLE and " " in title


def worth_comparing(commits: Iterable[Titled], *places: Where) -> set[str]:
    """Return the commits whose patches would settle whether one is a copy of another.

    That is a commit of the default branch and its copy elsewhere, or one under a title that a
    revert names and what landed again under it. Give no merges. `places` tell what is the default
    branch's, in each sense that counts. The patches of all others are never asked for.
    """
    commits = list(commits)
    reverted = _reverted_titles(commits)
    groups: dict[str | Moment, list[Titled]] = defaultdict(list)
    for commit in commits:
        groups[moment_of(commit)].append(commit)
        if is_telling(title := change_title(commit.subject)):
            groups[title].append(commit)
    worth: set[str] = set()
    for shared, alike in groups.items():
        if len(alike) == 1:
            continue
        here = [sum(is_here(commit.sha) for commit in alike) for is_here in places]
        copied = any(0 < count <= MOST_WITH_ONE_TITLE and count < len(alike) for count in here)
        named = shared in reverted or any(change_title(c.subject) in reverted for c in alike)
        again = named and len(alike) <= _MOST_AGAIN
        if copied or again:
            worth.update(commit.sha for commit in alike)
    return worth


def _reverted_titles(commits: Iterable[Titled]) -> set[str]:
    """Return the titles that subjects say they revert, by their words or by their numbers."""
    titles: set[str] = set()
    numbers: set[int] = set()
    for commit in commits:
        for mention in read_mentions(commit.subject, "", Names()):
            if mention.role is Role.REVERT:
                titles.add(change_title(mention.title or ""))
                numbers.add(mention.number or 0)
    for commit in commits if any(numbers) else ():
        own = landing(commit.subject)
        if own is not None and own.number in numbers:
            titles.add(change_title(commit.subject))
    return titles
