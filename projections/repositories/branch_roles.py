"""Base groups: main, dev, release, stacked, other."""

import re
from collections.abc import Iterable, Set
from fnmatch import fnmatchcase
from functools import lru_cache
from typing import Final

import msgspec

MAIN, DEV, RELEASE, STACKED, OTHER = GROUPS = ("main", "dev", "release", "stacked", "other")

#: Integration branches as projects name them.
DEV_BRANCHES: Final = ("dev", "develop", "development", "next")

#: Release branches as projects name them, in small letters: the one list there is. Branches of
#: these names are landing branches of an import, and can be asked for like releases.
RELEASE_BRANCHES: Final = (
    "release",
    "release[-_/]*",
    "releases[-_/]*",
    "rel[-_/0-9]*",
    "v[0-9]*",
    "r[0-9]*",
    "*_r[0-9]*",
    "[0-9]*.[0-9x]*",
    "[0-9]*-branch",
    "branch[-_/][0-9]*",
    "version[-_/][0-9]*",
    "stable",
    "stable[-_/0-9]*",
    "*[-_]stable",
    "maint[-_/]*",
    "maintenance[-_/]*",
    "support[-_/]*",
    "lts",
    "lts[-_/]*",
    "*[-_]lts",
    "hotfix/[0-9]*",
    "hotfix/v[0-9]*",
)

#: Branches on which somebody works towards one of those, whose names quote it
#: (`cherry-pick-4178-core_r0.17.0`, `release-testing/0170`, `release-please--branches--main`).
_AT_WORK: Final = re.compile(
    r"(?:^|[-_/])(?:backport|bump|cherry[-_]?pick|chore|docs|draft|experiment|feat|feature|fix"
    r"|merge|notes|patch|please|poc|prep|prepare|refactor|revert|sync|test|testing|update|wip)"
    r"(?:[-_/]|$)",
    re.IGNORECASE,
)


def fits(branch: str, pattern: str) -> bool:
    """Tell whether a branch has a name that a pattern takes.

    A pattern that somebody wrote takes what it says. Those of RELEASE_BRANCHES take no branch at
    work, and none of a person (`ada/core_r0.1`); capitals make no difference to them.
    """
    if pattern not in RELEASE_BRANCHES:
        return fnmatchcase(branch, pattern)
    owned = "/" in branch and "/" not in pattern
    return fnmatchcase(branch.lower(), pattern) and not owned and not _AT_WORK.search(branch)


class BranchRoles(msgspec.Struct, frozen=True, kw_only=True):
    """Which branches play which part, as glob patterns; the first group that matches holds.

    Without configuration `main` is the repository's default branch (or `main`, `master`, `trunk`
    where no source showed it).
    """

    main: tuple[str, ...] = ("main", "master", "trunk")
    dev: tuple[str, ...] = DEV_BRANCHES
    release: tuple[str, ...] = RELEASE_BRANCHES

    def with_default(self, default_branch: str) -> "BranchRoles":
        """Return the roles with the default branch as the only main branch, if it is known."""
        if not default_branch or self.main != BranchRoles().main:
            return self
        return msgspec.structs.replace(self, main=(default_branch,))

    def role(self, base: str) -> str | None:
        """Return main, dev or release; None for a branch without a part."""
        return _role(self, base)


@lru_cache(maxsize=1 << 16)
def _role(roles: BranchRoles, base: str) -> str | None:
    """Look at each name once: each moment asks of all branches, and there are hundreds."""
    for group, patterns in ((MAIN, roles.main), (DEV, roles.dev), (RELEASE, roles.release)):
        if any(fits(base, pattern) for pattern in patterns):
            return group
    return None


def group_of(base: str | None, roles: BranchRoles, heads: Set[str]) -> str:
    """Return the group of a base branch; `heads` are the branches of other requests."""
    if base is None:
        return OTHER
    role = roles.role(base)
    if role is not None:
        return role
    return STACKED if base in heads else OTHER


def without_role(bases: Iterable[str], roles: BranchRoles) -> set[str]:
    """Return the bases that may be stacked, as far as names tell."""
    return {base for base in bases if roles.role(base) is None}
