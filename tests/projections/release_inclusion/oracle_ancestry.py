"""Plain sets of ancestors for the oracle, by search."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import cached_property

from tests.projections.release_inclusion.oracle_git import Commit


@dataclass
class Ancestry:
    """Commits by SHA, and the tips of the long-lived branches by name."""

    commits: Mapping[str, Commit]
    branches: Mapping[str, str] = field(default_factory=dict)

    def ancestors(self, *tips: str) -> frozenset[str]:
        """Return commits and all their ancestors."""
        visited = {tip for tip in tips if tip in self.commits}
        waiting = list(visited)
        while waiting:
            for parent in self.commits[waiting.pop()].parents:
                if parent not in visited and parent in self.commits:
                    visited.add(parent)
                    waiting.append(parent)
        return frozenset(visited)

    def precedes(self, older: str, newer: str) -> bool:
        """Tell whether a commit is a true ancestor of another; walks back no further in time."""
        floor = self.commits[older].committed - 86_400
        visited, waiting = {newer}, [newer]
        while waiting:
            for parent in self.commits[waiting.pop()].parents:
                if parent == older:
                    return True
                commit = self.commits.get(parent)
                if commit and parent not in visited and commit.committed >= floor:
                    visited.add(parent)
                    waiting.append(parent)
        return False

    def brought_by(self, merge: Commit) -> frozenset[str]:
        """Return what a merge adds to its first parent: `git log M^1..M` without M."""
        base, *others = merge.parents
        # both walks go back level by level in time, until no commit of the side is left undecided
        return self._side(base, others)

    def _side(self, base: str, others: Iterable[str]) -> frozenset[str]:
        side = set(others)
        held: set[str] = {base}
        waiting = {base, *others}
        while waiting - held:
            sha = max(waiting, key=lambda s: self._order[s])
            waiting.discard(sha)
            for parent in self.commits[sha].parents:
                if parent in self.commits:
                    waiting.add(parent)
                    (held if sha in held else side).add(parent)
        return frozenset(side - held)

    @cached_property
    def _order(self) -> dict[str, int]:
        """Number commits so that every parent has a smaller number than its children."""
        order: dict[str, int] = {}
        for root in self.commits:
            stack = [root]
            while stack:
                sha = stack[-1]
                todo = [
                    p for p in self.commits[sha].parents if p in self.commits and p not in order
                ]
                if todo and sha not in order:
                    stack += todo
                else:
                    order.setdefault(stack.pop(), len(order))
        return order

    @cached_property
    def lines(self) -> frozenset[str]:
        """The commits that are a first-parent commit of a long-lived branch."""
        lines: set[str] = set()
        for tip in self.branches.values():
            sha = tip
            while sha in self.commits and sha not in lines:
                lines.add(sha)
                sha = next(iter(self.commits[sha].parents), "")
        return frozenset(lines)

    @cached_property
    def strangers(self) -> frozenset[str]:
        """The commits that do not descend from the first commit of the default branch's line.

        They came with another repository. None where the clone does not show the first commit.
        """
        root = sha = next(iter(self.branches.values()))
        while sha in self.commits:
            root, sha = sha, next(iter(self.commits[sha].parents), "")
        if sha:
            return frozenset()
        own = {root}
        for sha in sorted(self.commits, key=lambda s: self._order[s]):
            parents = self.commits[sha].parents
            if any(parent in own or parent not in self.commits for parent in parents):
                own.add(sha)
        return frozenset(self.commits) - own - self.lines
