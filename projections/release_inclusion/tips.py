"""Where branches stood, as far as git tells: the long-lived ones, and those not yet seen then."""

from bisect import bisect_right
from collections.abc import Iterator, Mapping, Sequence
from itertools import accumulate, takewhile

from events.facts.git import Commit
from events.instant import Instant
from projections.release_inclusion.queries import HEADS, RefValue
from projections.repositories.branch_roles import MAIN, BranchRoles


def long_lived(refs: Sequence[RefValue], roles: BranchRoles) -> dict[str, str]:
    """Return the branches with a part to play, main ones first, then by name: name -> commit."""
    branches = [ref for ref in refs if ref.ref.startswith(HEADS)]
    groups = (MAIN, "dev", "release")
    placed = [(groups.index(role), ref) for ref in branches if (role := roles.role(ref.name))]
    ordered = sorted(placed, key=lambda pair: (pair[0], pair[1].name))
    return {ref.name: ref.sha for _, ref in ordered}


def main_tips(
    refs: Mapping[str, RefValue], first: Mapping[str, RefValue], roles: BranchRoles
) -> dict[str, str]:
    """Return the commit of each main branch, of those not yet seen the first one: ref -> commit."""
    known = {**refs, **first}
    return {name: ref.sha for name, ref in known.items() if roles.role(ref.name) == MAIN}


def reconstructed(
    first: Mapping[str, RefValue],
    mains: Mapping[str, str],
    commits: Sequence[Commit],
    as_of: Instant,
) -> dict[str, RefValue]:
    """Return where branches stood before they were first seen, as far as their history tells.

    The first-parent commits of a branch are its past tips, each dated by the greatest committer
    date up to it (clocks of committers run backwards now and then). What it shares with a main
    branch's own line is from before it was cut: then there was no such branch.
    """
    by_sha = {commit.sha: commit for commit in commits} if first else {}
    main_lines = {commit.sha for tip in mains.values() for commit in _line(by_sha, tip)}
    values: dict[str, RefValue] = {}
    for ref, value in first.items():
        line = _line(by_sha, value.sha)
        own = [*line] if ref in mains else [*takewhile(lambda c: c.sha not in main_lines, line)]
        dates = list(accumulate((commit.committed_at for commit in reversed(own)), max))
        place = bisect_right(dates, as_of) - 1
        if place >= 0:
            values[ref] = RefValue(
                ref=ref,
                sha=own[len(own) - 1 - place].sha,
                at=dates[place],
                evidence="reconstructed",
                record_id=value.record_id,
            )
    return values


def _line(by_sha: Mapping[str, Commit], tip: str) -> Iterator[Commit]:
    """Yield a commit and its first parents, newest first."""
    commit = by_sha.get(tip)
    while commit is not None:
        yield commit
        commit = by_sha.get(commit.parents[0]) if commit.parents else None
