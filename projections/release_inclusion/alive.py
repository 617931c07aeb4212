"""Which commits are in force in which tips: `alive` of MODEL.md 5.

    alive(x, tip) = x in closure(tip) and no y in closure(tip) that targets x is alive

A revert targets only its own ancestors, so walking from newest to oldest meets every revert before
what it targets, and one walk answers for all tips at once with sets of tips. Counting how often a
change was taken out and put back would be wrong as soon as branches are synced.
"""

from collections.abc import Callable, Iterable, Mapping

from events.errors import BrokenLog
from projections.release_inclusion.graph import TipSet


def alive(
    newest_first: Iterable[str],
    targets: Mapping[str, Iterable[str]],
    present: Callable[[str], TipSet],
) -> dict[str, TipSet]:
    """Return for each commit the tips in which it is alive.

    `newest_first` are the commits of interest and all reverts, each before its ancestors;
    `targets` says which of them a revert targets; `present` gives the tips that reach a commit.
    Raise BrokenLog where a revert does not come before its target: that cannot be an ancestor.
    """
    standing: dict[str, TipSet] = {}
    undone: dict[str, TipSet] = {}
    for sha in newest_first:
        standing[sha] = present(sha) & ~undone.get(sha, 0)
        for target in targets.get(sha, ()):
            if target in standing:
                raise BrokenLog(f"revert {sha} targets {target}, which is not its ancestor")
            undone[target] = undone.get(target, 0) | standing[sha]
    return standing
