"""Short ways to read a roadmap in a test."""

from projections.roadmap_status.items.item import Item, Roadmap
from projections.roadmap_status.items.links import LinkRole
from projections.roadmap_status.items.parse import read_roadmap
from projections.roadmap_status.items.sentences import LinkClaim
from projections.roadmap_status.reading import Reader
from projections.roadmap_status.words.phrases import Phrases

READER = Reader.of("acme/widget")


def roadmap(text: str | None, phrases: Phrases | None = None) -> Roadmap:
    """Read a roadmap of acme/widget."""
    return read_roadmap(text, READER, phrases or Phrases())


def only(text: str, phrases: Phrases | None = None) -> Item:
    """Read a roadmap of one item."""
    (item,) = roadmap(text, phrases).walk()
    return item


def numbers(item: Item, *roles: LinkRole) -> list[str]:
    """Return the links of an item as GitHub shows them."""
    return [str(link.reference) for link in item.linked(*(roles or LinkRole))]


def told(claim: LinkClaim) -> str:
    """Write down a claim: `#1 delivered on main 10-9 by #2`."""
    parts = [str(claim.link or "item"), str(claim.state)]
    if claim.branches:
        parts.append("on " + " ".join(claim.branches))
    if claim.date:
        parts.append(f"{claim.date.month}-{claim.date.day}")
    if claim.release:
        parts.append(("for " if claim.release.target else "in ") + claim.release.name)
    if claim.by:
        parts.append(f"by {claim.by}")
    return " ".join(parts)
