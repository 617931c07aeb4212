"""The items of a roadmap: a tree, each with its claim, its links and what is said of them."""

from collections.abc import Iterable, Iterator
from enum import StrEnum

import msgspec

from projections.roadmap_status.items.claims import Claim
from projections.roadmap_status.items.legend import Legend
from projections.roadmap_status.items.links import Link, LinkRole
from projections.roadmap_status.items.sentences import LinkClaim
from projections.roadmap_status.items.titles import Series
from projections.roadmap_status.items.undone import Undone
from projections.roadmap_status.reading import Box, Caution
from projections.roadmap_status.words.states import State


class Standing(StrEnum):
    """What the text alone says of an item together with the items below it."""

    DONE = "done"
    DONE_WITH_OPEN_CHILDREN = "done, with open children"
    NOT_DONE = "not done"
    DROPPED = "dropped"
    UNSAID = "unsaid"


class Item(msgspec.Struct, frozen=True, kw_only=True):
    """One thing that a roadmap promises."""

    title: str
    """Without numbers, status, marks and owners; what the line shows where nothing is left."""
    section: tuple[str, ...] = ()
    """The headings above it, outermost first."""
    line: int = 0
    """Of its first line in the text, from 1."""
    claim: Claim = msgspec.field(default_factory=Claim)
    links: tuple[Link, ...] = ()
    """Each target once, those of its link lines included."""
    link_claims: tuple[LinkClaim, ...] = ()
    """What its sentences and notes assert of single links."""
    undone: tuple[Undone, ...] = ()
    """Which of its links are said to have taken others back."""
    series: Series | None = None
    owners: tuple[str, ...] = ()
    flag: str = ""
    """A mark of the document's own at its title, as `*`; the legend may define it."""
    columns: tuple[tuple[str, str], ...] = ()
    """Of a table's row: (header, text)."""
    text: str = ""
    """All of its own text as shown, link lines included, children not."""
    quoted: bool = False
    children: tuple["Item", ...] = ()

    @property
    def is_task(self) -> bool:
        """Tell whether it has a box that GitHub knows as one."""
        return self.claim.box in (Box.OPEN, Box.TICKED)

    @property
    def malformed(self) -> bool:
        """Tell whether it has a box that GitHub does not know: it counts neither way."""
        return self.claim.box is Box.MALFORMED

    def linked(self, *roles: LinkRole) -> tuple[Link, ...]:
        """Return its links in these roles."""
        return tuple(link for link in self.links if link.role in roles)

    def walk(self) -> Iterator["Item"]:
        """Yield the item and all below it, parents first."""
        pending = [self]
        while pending:
            item = pending.pop()
            yield item
            pending.extend(reversed(item.children))

    @property
    def standing(self) -> Standing:
        """Return what the text says; an item with something open below is never plain done."""
        if self.claim.state.done:
            below = (item for child in self.children for item in child.walk())
            opened = any(item.claim.state.unfinished for item in below)
            return Standing.DONE_WITH_OPEN_CHILDREN if opened else Standing.DONE
        if self.claim.state is State.DROPPED:
            return Standing.DROPPED
        return Standing.NOT_DONE if self.claim.state.unfinished else Standing.UNSAID


class Roadmap(msgspec.Struct, frozen=True, kw_only=True):
    """One version of a roadmap's text, read."""

    items: tuple[Item, ...] = ()
    """Those that are nested in no other."""
    loose: tuple[Link, ...] = ()
    """Links that belong to no item: weak ones, each target once."""
    link_claims: tuple[LinkClaim, ...] = ()
    """What text outside of items asserts of links."""
    legend: Legend = msgspec.field(default_factory=Legend)
    cautions: tuple[Caution, ...] = ()
    empty: bool = False
    """The text shows nothing: it is missing, blank, or a comment."""

    def walk(self) -> Iterator[Item]:
        """Yield all items, parents before their children, in the order of the text."""
        for item in self.items:
            yield from item.walk()

    @property
    def references(self) -> tuple[Link, ...]:
        """Return the links that stand for no task: loose ones, and those at malformed boxes."""
        malformed = (link for item in self.walk() if item.malformed for link in item.links)
        return (*self.loose, *malformed)

    @property
    def boxes(self) -> tuple[int, int]:
        """Return how many boxes are ticked, and how many there are."""
        return count_boxes(self.walk())

    @property
    def complete(self) -> bool:
        """Tell whether the text says that all that was not dropped is done; a text without such
        items never does.
        """
        standings = {item.standing for item in self.walk()} - {Standing.DROPPED}
        return standings == {Standing.DONE}


def count_boxes(items: Iterable[Item]) -> tuple[int, int]:
    """Return (ticked, all) of the boxes that GitHub counts."""
    boxes = [item.claim.box for item in items if item.is_task]
    return boxes.count(Box.TICKED), len(boxes)
