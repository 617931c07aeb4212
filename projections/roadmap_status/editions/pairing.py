"""Which old item each new item is: by the links that they share, then by similar text.

The most certain pairs are made first, and equally certain ones by their content, so that the
order in which items stand decides only between items that nothing else tells apart.
"""

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Final

import msgspec
from rapidfuzz import fuzz, process

from projections.roadmap_status.items.item import Item
from projections.roadmap_status.items.links import LinkRole

SIMILAR: Final = 72.0
"""Of 100: titles that are at least so similar may be one item."""

_SAME_LINKS: Final = 0.3
"""Of 1: the share of links, weighed by how few items have them, that makes one item."""

_TELLING: Final = 97.0
"""Of 100: how similar titles must be where both items have links, and none in common."""

_LONGEST_TITLE: Final = 300


class Method(StrEnum):
    """How an item was recognised, best first."""

    SAME = "same title and links"
    LINKS = "same links"
    TEXT = "similar text"
    NEW = "new"


class IdentifiedItem(msgspec.Struct, frozen=True):
    """An item of an earlier version under its id; `parent` is the id of the item above it."""

    id: str
    item: Item
    parent: str | None = None


class Side(msgspec.Struct, frozen=True):
    """An item, and what it is recognised by."""

    at: int
    item: Item
    title: str
    links: frozenset[tuple[str, int]]
    place: tuple[str, ...]
    """Sections and titles above it."""

    @property
    def content(self) -> str:
        """Return what two items that cannot be told apart share."""
        links = ",".join(f"{name}#{number}" for name, number in sorted(self.links))
        return "\n".join([self.title, links, *self.place])


class Pair(msgspec.Struct, frozen=True):
    """An old and a new item, by their places in their sequences."""

    old: int
    new: int
    method: Method
    score: float


@dataclass(slots=True)
class Pairing:
    """Pairs that were made; each item is in one at most."""

    olds: Sequence[Side]
    news: Sequence[Side]
    made: dict[int, Pair] = field(default_factory=dict)
    """By the place of the new item."""
    taken: set[int] = field(default_factory=set)

    def make(self, candidates: Iterable[Pair]) -> None:
        """Make the best pairs first; equal ones by content, and only then by their order."""
        for pair in sorted(candidates, key=self._rank):
            if pair.new not in self.made and pair.old not in self.taken:
                self.made[pair.new] = pair
                self.taken.add(pair.old)

    def _rank(self, pair: Pair) -> tuple[float, float, int, str, str, int, int]:
        old, new = self.olds[pair.old], self.news[pair.new]
        alike = fuzz.ratio(old.title, new.title)
        near = old.place != new.place
        return (-pair.score, -alike, near, new.content, old.content, pair.new, pair.old)


def pair(olds: Sequence[Side], news: Sequence[Side]) -> Pairing:
    """Pair items; what finds no partner is in no pair."""
    pairing = Pairing(olds, news)
    pairing.make(_same(olds, news))
    pairing.make(_by_links(pairing))
    pairing.make(_by_text(pairing))
    return pairing


def _same(olds: Sequence[Side], news: Sequence[Side]) -> Iterator[Pair]:
    """Yield what has the same title and links; where several have, the same place goes first."""
    by_content = defaultdict(list)
    for old in olds:
        by_content[old.title, old.links].append(old)
    for new in news:
        for old in by_content.get((new.title, new.links), ())[:20]:
            score = 100.0 if old.place == new.place else 99.0
            yield Pair(old.at, new.at, Method.SAME, score)


def _by_links(pairing: Pairing) -> Iterator[Pair]:
    """Yield what shares links. A link counts for less, the more items have it."""
    olds = [old for old in pairing.olds if old.at not in pairing.taken]
    news = [new for new in pairing.news if new.at not in pairing.made]
    links_held = _links_of(pairing.olds) | _links_of(pairing.news)
    having = defaultdict(list)
    for old in olds:
        for key in old.links:
            having[key].append(old)
    for new in news:
        candidates = {old.at: old for key in new.links for old in having[key][:50]}
        for old in candidates.values():
            shared = sum(1 / links_held[key] for key in old.links & new.links)
            least = min(sum(1 / links_held[key] for key in side.links) for side in (old, new))
            every = sum(1 / links_held[key] for key in old.links | new.links)
            # Of a split or a merge one side holds all that they share.
            share = max(shared / every, shared / least * 0.6)
            if share >= _SAME_LINKS:
                yield Pair(old.at, new.at, Method.LINKS, 100.0 * share)


def _links_of(sides: Iterable[Side]) -> Counter[tuple[str, int]]:
    return Counter(key for side in sides for key in side.links)


def _by_text(pairing: Pairing) -> Iterator[Pair]:
    """Yield what has a similar title; other links than before make it doubtful."""
    olds = {old.at: old for old in pairing.olds if old.at not in pairing.taken and old.title}
    titles = {at: old.title for at, old in olds.items()}
    for new in pairing.news:
        if new.at in pairing.made or not new.title:
            continue
        close = process.extract(
            new.title, titles, scorer=fuzz.token_sort_ratio, score_cutoff=SIMILAR, limit=5
        )
        for _, score, at in close:
            old = olds[at]
            other_links = old.links and new.links and not old.links & new.links
            if score >= (_TELLING if other_links else SIMILAR):
                yield Pair(at, new.at, Method.TEXT, score)


def sides(items: Sequence[Item]) -> Iterator[Side]:
    """Yield what the items below some roots are recognised by, parents first."""
    at = 0
    pending = [(item, item.section) for item in reversed(items)]
    while pending:
        item, place = pending.pop()
        yield _side(at, item, place)
        at += 1
        pending += ((child, (*place, item.title)) for child in reversed(item.children))


def sides_of(known: Sequence[IdentifiedItem]) -> list[Side]:
    """Return what items under their ids are recognised by."""
    by_id = {item.id: item for item in known}
    return [_side(at, item.item, _place_of(item, by_id)) for at, item in enumerate(known)]


def _place_of(known: IdentifiedItem, by_id: Mapping[str, IdentifiedItem]) -> tuple[str, ...]:
    above: list[str] = []
    parent, visited = known.parent, {known.id}
    section = known.item.section
    while parent is not None and parent in by_id and parent not in visited:
        visited.add(parent)
        above.append(by_id[parent].item.title)
        section = by_id[parent].item.section
        parent = by_id[parent].parent
    return (*section, *reversed(above))


def _side(at: int, item: Item, place: tuple[str, ...]) -> Side:
    title = item.title.casefold()[:_LONGEST_TITLE]
    return Side(at, item, title, known_by(item), place)


def known_by(item: Item) -> frozenset[tuple[str, int]]:
    """Return the links that an item is known by: not those that it shares by nature."""
    own = (LinkRole.IMPLEMENTING,)
    implementing = frozenset(link.reference.key for link in item.linked(*own))
    if implementing:
        return implementing
    return frozenset(link.reference.key for link in item.linked(LinkRole.TRACKING))
