"""Where a commit was first: on the default branch, or on a branch that came back to it later.

Projects that merge their release branches back hold each hotfix twice on the default branch: the
fix as it landed there, and its pick, which came along from the release branch. The pick is one of
that branch all the same, and a release cut from it holds the pick alone.
"""

from collections.abc import Mapping, Sequence

from projections.release_inclusion.history.graph import CommitGraph, Reach, reach
from projections.release_inclusion.history.lines import BranchLine


class Home:
    """Tells what the default branch held first, from its line and the tips that reach commits."""

    def __init__(self, default: BranchLine | None, reach: Reach) -> None:
        self._default, self._reach = default, reach

    def is_first(self, sha: str) -> bool:
        """Tell whether a commit is on the default branch, and on no tip without its entry there."""
        entry = self._default.entry(sha) if self._default else None
        if entry is None:
            return False
        return entry == sha or not self._reach.tips_of(sha) & ~self._reach.tips_of(entry)

    def holds(self, sha: str) -> bool:
        """Tell whether the default branch holds a commit, wherever it was first."""
        return self._default is not None and self._default.position(sha) is not None


def home_of(parents: Mapping[str, Sequence[str]], default: str, tips: Sequence[str]) -> Home:
    """Return the home of a default branch, by its tip and the whole graph."""
    graph = CommitGraph(parents.items())
    return Home(BranchLine(graph, default), reach(graph, tips))
