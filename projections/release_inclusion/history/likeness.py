"""What makes two commits look like one: the moment of their author, and their title."""

from collections import defaultdict
from collections.abc import Callable, Iterable
from typing import Final, Protocol, TypeAlias

from events.instant import DAY, Instant
from projections.release_inclusion.history.naming import SHORTEST_TITLE
from projections.release_inclusion.messages.references import change_title

MOST_WITH_ONE_TITLE: Final = 3
"""A title that more commits of the default branch have ("Update the changelog") tells nothing."""

#: Of 30 such pairs in three large histories not one was the same change.
_FAR_APART: Final = 180 * DAY

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

    Give no merges. `places` tell what is the default branch's, in each sense that counts. The
    patches of all others are never asked for.
    """
    groups: dict[str | Moment, list[Titled]] = defaultdict(list)
    for commit in commits:
        groups[moment_of(commit)].append(commit)
        if is_telling(title := change_title(commit.subject)):
            groups[title].append(commit)
    worth: set[str] = set()
    for alike in groups.values():
        for is_here in places:
            here = sum(is_here(commit.sha) for commit in alike)
            if 0 < here <= MOST_WITH_ONE_TITLE and here < len(alike):
                worth.update(commit.sha for commit in alike)
    return worth
