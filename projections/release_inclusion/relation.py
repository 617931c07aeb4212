"""How tips stand to each other: behind, ahead, on lines that part, cut from a branch. Pure.

A release's branch and its cut follow first parents, the line on which a branch itself stood: what
was merged into it, or what it was merged back into, does not move the cut.
"""

from collections.abc import Iterator
from typing import Literal, TypeAlias

import msgspec

from projections.release_inclusion.history.history import History

Kind: TypeAlias = Literal["same", "ancestor", "descendant", "parted", "unrelated"]


class Relation(msgspec.Struct, frozen=True, kw_only=True):
    """What the first of two commits is to the second.

    `bases` are the newest commits that both hold: where they part (usually one). The counts are
    of commits that only one of them holds.
    """

    kind: Kind
    bases: tuple[str, ...]
    only_first: int
    only_second: int


def relation(history: History, first: str, second: str) -> Relation:
    """Compare two tips of a history, as far as it is recorded."""
    of_first, of_second = (frozenset(history.commits_of(tip)) for tip in (first, second))
    common = of_first & of_second
    return Relation(
        kind=_kind(first, second, of_first, of_second),
        bases=tuple(sorted(common - frozenset(_parents(history, common)))),
        only_first=len(of_first - common),
        only_second=len(of_second - common),
    )


def _kind(first: str, second: str, of_first: frozenset[str], of_second: frozenset[str]) -> Kind:
    if first == second:
        return "same"
    if first in of_second:
        return "ancestor"
    if second in of_first:
        return "descendant"
    return "unrelated" if of_first.isdisjoint(of_second) else "parted"


def _parents(history: History, shas: frozenset[str]) -> Iterator[str]:
    graph = history.graph
    for sha in shas:
        yield from map(graph.sha, graph.parents(graph.node(sha)))


class Cut(msgspec.Struct, frozen=True, kw_only=True):
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
    return None if default is None else history.line(sha).last_shared(history.line(default))
