"""The nearest tagged commits among the ancestors of a commit, by history alone. Pure."""

from collections.abc import Set

from projections.release_inclusion.history.history import History


def nearest_commit(history: History, sha: str, tagged: Set[str]) -> str | None:
    """Return that of the `tagged` ancestors of a commit which lacks the fewest of its commits.

    The commit itself is none of them. All are tips of the history. Where several lack as many, it
    is the one that stands last in the graph.
    """
    if sha not in history.graph:
        return None
    reach, rank = history.reach, history.graph.rank
    below = {tag for tag in tagged if tag != sha and reach.reaches(sha, tag)}
    if not below:
        return None
    first_met = sorted(_first_met(history, sha, below), key=rank, reverse=True)
    tops: list[str] = []
    for met in first_met:
        if not any(reach.reaches(top, met) for top in tops):
            tops.append(met)
    if len(tops) < 2:
        return next(iter(tops), None)
    return min(tops, key=lambda top: reach.beyond(sha, top))


def _first_met(history: History, sha: str, tagged: Set[str]) -> set[str]:
    """Return the tagged commits that some way down from a commit meets first."""
    graph = history.graph
    met: set[str] = set()
    seen: set[int] = set()
    stack = [*graph.parents(graph.node(sha))]
    while stack:
        node = stack.pop()
        if node in seen:
            continue
        seen.add(node)
        if graph.sha(node) in tagged:
            met.add(graph.sha(node))
        else:
            stack += graph.parents(node)
    return met
