"""Stable ids of items across the versions of a roadmap.

An item that is recognised keeps its id, with how it was recognised and how sure that is. What is
new gets an id derived from its own content: the same versions always give the same ids.
"""

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence

import msgspec

from events.identity import derived_id
from projections.roadmap_status.editions.pairing import (
    IdentifiedItem,
    Method,
    Pair,
    Side,
    known_by,
    pair,
    sides,
    sides_of,
)
from projections.roadmap_status.items.item import Item


class Match(msgspec.Struct, frozen=True, kw_only=True):
    """An item under its id, and why it has this id."""

    id: str
    item: Item
    method: Method
    score: float
    """Of 100; 0 where the item is new."""
    parent: str | None = None
    before: str = ""
    """The title under which it was known."""
    shared: tuple[str, ...] = ()
    """The links that it had before and has still."""
    split_from: str | None = None
    """Of a new item: the id of the item that had most of its links before."""

    @property
    def known(self) -> IdentifiedItem:
        """Return what the next version is compared with."""
        return IdentifiedItem(self.id, self.item, self.parent)


def match(
    roadmap: str,
    previous: Sequence[IdentifiedItem],
    items: Sequence[Item],
    *,
    used: Iterable[str] = (),
) -> tuple[Match, ...]:
    """Give ids to the items of a new version; `items` are its roots, the answer is their walk.

    `roadmap` names the roadmap (two roadmaps share no ids); `used` are ids of items that were
    there before the previous version, so that none is given to something else.
    """
    news = list(sides(items))
    made = pair(sides_of(previous), news).made
    ids = {new: previous[pair.old].id for new, pair in made.items()}
    taken = {known.id for known in previous} | set(used)
    _derive(roadmap, news, ids, taken)
    parents = list(_parents(items))
    owners = _owners(previous)
    matches = []
    for side in news:
        parent = parents[side.at]
        above = ids[parent] if parent is not None else None
        matches.append(_matched(side, ids[side.at], above, made.get(side.at), previous, owners))
    return tuple(matches)


def _matched(
    side: Side,
    own: str,
    parent: str | None,
    paired: Pair | None,
    previous: Sequence[IdentifiedItem],
    owners: Mapping[tuple[str, int], tuple[str, ...]],
) -> Match:
    if paired is None:
        origin = Counter(owner for key in side.links for owner in owners.get(key, ()))
        likely = min(origin, key=lambda owner: (-origin[owner], owner), default=None)
        return Match(
            id=own, item=side.item, method=Method.NEW, score=0.0, parent=parent, split_from=likely
        )
    before = previous[paired.old]
    had = known_by(before.item)
    shared = sorted(key for key in side.links if key in had)
    return Match(
        id=own,
        item=side.item,
        method=paired.method,
        score=round(paired.score, 1),
        parent=parent,
        before=before.item.title,
        shared=tuple(f"{name}#{number}" for name, number in shared),
    )


def _derive(roadmap: str, news: Sequence[Side], ids: dict[int, str], taken: set[str]) -> None:
    """Give an id to each new item that has none, from its content."""
    next_of: dict[str, int] = {}  # all below are taken: thousands of items may read the same
    for side in sorted(news, key=lambda item: (item.content, item.at)):
        if side.at in ids:
            continue
        nth = next_of.get(side.content, 0)
        while (own := derived_id("roadmap item", roadmap, side.content, nth)) in taken:
            nth += 1
        taken.add(own)
        next_of[side.content] = nth + 1
        ids[side.at] = own


def _parents(items: Sequence[Item]) -> Iterator[int | None]:
    """Yield for each item of the walk the place of the item above it."""
    at = 0
    pending: list[tuple[Item, int | None]] = [(item, None) for item in reversed(items)]
    while pending:
        item, above = pending.pop()
        yield above
        pending += ((child, at) for child in reversed(item.children))
        at += 1


def _owners(previous: Sequence[IdentifiedItem]) -> dict[tuple[str, int], tuple[str, ...]]:
    owners: dict[tuple[str, int], tuple[str, ...]] = defaultdict(tuple)
    for known in previous:
        for key in known_by(known.item):
            owners[key] = (*owners[key], known.id)
    return owners
