"""Items by releases: delivered, so in which release? And where is that feature?"""

from collections.abc import Iterable, Iterator, Sequence
from typing import Final

import msgspec
from rapidfuzz import fuzz

from events.instant import Instant
from projections.release_inclusion.known_releases import KnownRelease
from projections.roadmap_status.context import RoadmapContext, RoadmapView, ViewedItem
from projections.roadmap_status.drift.release_holds import Extent, Holding
from projections.roadmap_status.status.facts import Landing, Outcome

_CLOSE: Final = 85.0
"""Of 100: a word of the question and a word of an item that are one in spite of a slip."""


class Row(msgspec.Struct, frozen=True, kw_only=True):
    """One item: when each branch had it, and what each final release holds of it."""

    item: ViewedItem
    landings: tuple[Landing, ...]
    holdings: tuple[Holding, ...]
    first: KnownRelease | None
    """The first final release with all of it."""
    after: KnownRelease | None
    """Of what no release has yet: the newest one whose cut came too early."""


def matrix(context: RoadmapContext, view: RoadmapView, words: str = "") -> tuple[Row, ...]:
    """Return the items of a roadmap that fit the words (all where there are none)."""
    return tuple(_row(context, item) for item in view.items if fits(item, words))


def fits(item: ViewedItem, words: str) -> bool:
    """Tell whether an item is about all of the words: in its title, text, or links' titles."""
    judged = item.judged
    texts = [judged.match.item.title, judged.match.item.text, *judged.match.item.section]
    texts += (part.title for part in judged.parts)
    haystack = " ".join(texts).casefold()
    return all(_holds(haystack, word) for word in words.casefold().split())


def releases_of(rows: Sequence[Row]) -> list[KnownRelease]:
    """Return the releases that hold something of any row, in their order."""
    holding: dict[str, KnownRelease] = {}
    for row in rows:
        for held in row.holdings:
            if held.extent in (Extent.WHOLE, Extent.PARTLY):
                holding[held.release.tag] = held.release
    ordered = (held.release for row in rows for held in row.holdings)
    return list(dict.fromkeys(release for release in ordered if release.tag in holding))


def _holds(haystack: str, word: str) -> bool:
    if word in haystack:
        return True
    if len(word) < 5:  # a slip in a short word makes another word
        return False
    return any(fuzz.ratio(word, other) >= _CLOSE for other in _words(haystack))


def _words(text: str) -> Iterator[str]:
    return (word.strip(".,;:()[]#`*") for word in text.split())


def _row(context: RoadmapContext, item: ViewedItem) -> Row:
    releases, parts = context.drift_context.releases, item.judged.counted
    counted = [part for part in parts if part.state.outcome is not Outcome.CLOSED]
    holdings: Sequence[Holding] = tuple(releases.of(counted)) if counted else ()
    landings = item.judged.status.landings
    first = releases.first(counted) if counted else None
    after = None
    if first is None and landings and item.judged.status.kind.is_complete:
        after = releases.after_cut_of(counted, _since(landings))
    return Row(item=item, landings=landings, holdings=tuple(holdings), first=first, after=after)


def _since(landings: Iterable[Landing]) -> Instant:
    return min(landing.at for landing in landings)
