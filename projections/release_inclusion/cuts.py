"""The branch that a release was made from, and where that branch was cut. Pure.

Both follow first parents, the line on which a branch itself stood: what was merged into it, or
what it was merged back into, does not move the cut.
"""

from dataclasses import dataclass

from projections.release_inclusion.history import History


@dataclass(frozen=True, slots=True, kw_only=True)
class Cut:
    """Where a commit stands. `branch` is None where no known branch has it on its line.

    `point` is the last commit that its line shares with the default branch's; the commit itself
    where it lies on the default branch's line, None where they share nothing that is known.
    """

    branch: str | None
    point: str | None


def cut_of(history: History, sha: str) -> Cut:
    """Return branch and cut point of a commit of the history."""
    holding = (name for name, tip in history.branches.items() if history.line(tip).on_line(sha))
    return Cut(branch=next(holding, None), point=_point(history, sha))


def _point(history: History, sha: str) -> str | None:
    default = next(iter(history.branches.values()), None)
    if default is None:
        return None
    main, graph = history.line(default), history.graph
    while not main.on_line(sha):
        parents = graph.parents(graph.node(sha))
        if not parents:
            return None
        sha = graph.sha(parents[0])
    return sha
