"""Which branch does a commit belong to? Pure.

A first-parent commit that lies on several branches belongs to the default branch first, then to
the configured order, else to the oldest cut (MODEL.md 3). Two branches that share a commit share
everything before it, so git cannot tell which of two release branches was cut from the other; of
branches that one glob matches, the one with the lower version (`core_r0.9.0` before
`core_r0.10.0`) is taken as the older. That order never changes when a branch moves.
"""

import re
from collections.abc import Iterable, Mapping, Sequence

from projections.repositories.branch_roles import DEV_BRANCHES, RELEASE_BRANCHES, fits


def landing_order(
    branches: Mapping[str, str], default: str, globs: Sequence[str] = ()
) -> tuple[str, ...]:
    """Return the branches that count as landing, the one that owns shared commits first.

    Without `globs` they are those that have a part to play by their usual names.
    """
    ordered = [default] if default in branches else []
    for glob in globs or (*DEV_BRANCHES, *RELEASE_BRANCHES):
        ordered += sorted((branch for branch in branches if fits(branch, glob)), key=_natural)
    return tuple(dict.fromkeys(ordered))


def choose_default(branches: Mapping[str, str], wishes: Iterable[str | None]) -> str | None:
    """Return the first wished branch that exists, else `main`, `master`, or the only one."""
    only = tuple(branches) if len(branches) == 1 else ()
    candidates = (*wishes, "main", "master", *only)
    return next((name for name in candidates if name is not None and name in branches), None)


def assign(
    order: Sequence[str], tips: Mapping[str, str], parents: Mapping[str, Sequence[str]]
) -> dict[str, str]:
    """Return the branch of every commit on the first-parent history of one of them.

    A walk ends at a commit that has a branch: all before it on that line have one too.
    """
    branch_of: dict[str, str] = {}
    for branch in order:
        sha: str | None = tips[branch]
        while sha is not None and sha not in branch_of:
            branch_of[sha] = branch
            sha = next(iter(parents.get(sha, ())), None)
    return branch_of


def _natural(name: str) -> list[tuple[int, str]]:
    parts = re.findall(r"[0-9]+|[^0-9]+", name)
    return [(int(p), "") if p.isdecimal() else (-1, p) for p in parts]
