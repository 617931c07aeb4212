"""Base groups: main, dev, release, stacked, other."""

from collections.abc import Iterable, Set
from fnmatch import fnmatchcase
from typing import Final

import msgspec

MAIN, DEV, RELEASE, STACKED, OTHER = GROUPS = ("main", "dev", "release", "stacked", "other")

_RELEASE_LIKE: Final = (
    "release",
    "release/*",
    "release-*",
    "releases/*",
    "rel/*",
    "core_r*",
    "core_dev_r*",
    "r[0-9]*",
    "v[0-9]*",
    "[0-9]*.[0-9]*",
    "stable/*",
    "*-stable",
    "hotfix/*",
)


class BranchRoles(msgspec.Struct, frozen=True, kw_only=True):
    """Which branches play which part, as glob patterns; the first group that matches holds.

    Without configuration `main` is the repository's default branch (or `main`, `master`, `trunk`
    where no source showed it).
    """

    main: tuple[str, ...] = ("main", "master", "trunk")
    dev: tuple[str, ...] = ("dev", "develop", "development", "next")
    release: tuple[str, ...] = _RELEASE_LIKE

    def with_default(self, default_branch: str) -> "BranchRoles":
        """Return the roles with the default branch as the only main branch, if it is known."""
        if not default_branch or self.main != BranchRoles().main:
            return self
        return msgspec.structs.replace(self, main=(default_branch,))

    def role(self, base: str) -> str | None:
        """Return main, dev or release; None for a branch without a part."""
        for group, patterns in ((MAIN, self.main), (DEV, self.dev), (RELEASE, self.release)):
            if any(fnmatchcase(base, pattern) for pattern in patterns):
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
