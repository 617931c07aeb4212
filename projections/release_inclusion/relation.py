"""How two tips stand to each other in the history: behind, ahead, or on lines that part. Pure."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal, TypeAlias

from projections.release_inclusion.history import History

Kind: TypeAlias = Literal["same", "ancestor", "descendant", "parted", "unrelated"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Relation:
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
    one, other = (frozenset(history.commits_of(tip)) for tip in (first, second))
    common = one & other
    return Relation(
        kind=_kind(first, second, one, other),
        bases=tuple(sorted(common - frozenset(_parents(history, common)))),
        only_first=len(one - common),
        only_second=len(other - common),
    )


def _kind(first: str, second: str, one: frozenset[str], other: frozenset[str]) -> Kind:
    if first == second:
        return "same"
    if first in other:
        return "ancestor"
    if second in one:
        return "descendant"
    return "unrelated" if one.isdisjoint(other) else "parted"


def _parents(history: History, shas: frozenset[str]) -> Iterator[str]:
    graph = history.graph
    for sha in shas:
        yield from map(graph.sha, graph.parents(graph.node(sha)))
