"""What changed between two versions of one roadmap, item by item."""

from collections.abc import Iterator, Mapping, Sequence
from enum import StrEnum

import msgspec

from projections.roadmap_status.editions.pairing import IdentifiedItem
from projections.roadmap_status.items.item import Item
from projections.roadmap_status.reading import Box


class ChangeKind(StrEnum):
    """One way in which an item changed."""

    ADDED = "added"
    REMOVED = "removed"
    REWORDED = "reworded"
    """Its title or its text; that the words of its status changed is a changed claim."""
    MOVED = "moved"
    """To another section, or below another item."""
    CLAIM_CHANGED = "claim changed"
    LINK_CLAIM_CHANGED = "claim about a link changed"
    LINK_ADDED = "link added"
    LINK_REMOVED = "link removed"
    TICKED = "box ticked"
    UNTICKED = "box unticked"


class Change(msgspec.Struct, frozen=True, kw_only=True):
    """One change of one item; `before` and `after` are empty where there is none."""

    id: str
    title: str
    kind: ChangeKind
    before: str = ""
    after: str = ""


def changes(old: Sequence[IdentifiedItem], new: Sequence[IdentifiedItem]) -> tuple[Change, ...]:
    """Return the changes from one version to another, in the order of the new one."""
    before = {known.id: known for known in old}
    after = {known.id: known for known in new}
    listed: list[Change] = []
    for known in new:
        earlier = before.get(known.id)
        if earlier is None:
            listed.append(_change(known, ChangeKind.ADDED, after=known.item.title))
        else:
            listed += _between(earlier, known, before, after)
    gone = (known for known in old if known.id not in after)
    listed += (_change(known, ChangeKind.REMOVED, before=known.item.title) for known in gone)
    return tuple(listed)


def _between(
    old: IdentifiedItem,
    new: IdentifiedItem,
    before: Mapping[str, IdentifiedItem],
    after: Mapping[str, IdentifiedItem],
) -> Iterator[Change]:
    yield from _moved(old, new, before, after)
    yield from _reworded(old, new)
    was, now = _claim(old.item), _claim(new.item)
    if was != now:
        yield _change(new, ChangeKind.CLAIM_CHANGED, before=was, after=now)
    yield from _boxes(old, new)
    yield from _links(old, new)
    yield from _link_claims(old, new)


def _moved(
    old: IdentifiedItem,
    new: IdentifiedItem,
    before: Mapping[str, IdentifiedItem],
    after: Mapping[str, IdentifiedItem],
) -> Iterator[Change]:
    if old.item.section != new.item.section or old.parent != new.parent:
        places = _place(old, before), _place(new, after)
        yield _change(new, ChangeKind.MOVED, before=places[0], after=places[1])


def _reworded(old: IdentifiedItem, new: IdentifiedItem) -> Iterator[Change]:
    if old.item.title != new.item.title:
        yield _change(new, ChangeKind.REWORDED, before=old.item.title, after=new.item.title)
    elif _own_words(old.item) != _own_words(new.item):
        yield _change(new, ChangeKind.REWORDED, before=old.item.text, after=new.item.text)


def _own_words(item: Item) -> str:
    """Return an item's text without what other changes tell: its status and its links."""
    text = item.text
    for words in sorted(
        {item.claim.text, *(part.text for part in item.link_claims)}, key=len, reverse=True
    ):
        text = text.replace(words, " ") if words else text
    for part in item.claim.text.split(", "):
        text = text.replace(part, " ") if part else text
    for link in item.links:
        for written in (link.title, link.note, str(link.reference)):
            text = text.replace(written, " ") if written else text
    return " ".join(text.split()).strip(" —–-()\ufe0f")


def _boxes(old: IdentifiedItem, new: IdentifiedItem) -> Iterator[Change]:
    was, now = (known.item.claim.box is Box.TICKED for known in (old, new))
    if was != now:
        yield _change(new, ChangeKind.TICKED if now else ChangeKind.UNTICKED)


def _links(old: IdentifiedItem, new: IdentifiedItem) -> Iterator[Change]:
    was, now = (
        {link.reference.key: str(link.reference) for link in known.item.links}
        for known in (old, new)
    )
    for key in sorted(now.keys() - was.keys()):
        yield _change(new, ChangeKind.LINK_ADDED, after=now[key])
    for key in sorted(was.keys() - now.keys()):
        yield _change(new, ChangeKind.LINK_REMOVED, before=was[key])


def _link_claims(old: IdentifiedItem, new: IdentifiedItem) -> Iterator[Change]:
    """Yield what is asserted otherwise of links that both versions have."""
    was, now = _asserted(old.item), _asserted(new.item)
    kept = {link.reference.key for link in old.item.links}
    for key in sorted(was.keys() | now.keys()):
        text_before, text_after = was.get(key, ""), now.get(key, "")
        if text_before != text_after and key in kept:
            kind = ChangeKind.LINK_CLAIM_CHANGED
            yield _change(new, kind, before=text_before, after=text_after)


def _asserted(item: Item) -> dict[tuple[str, int], str]:
    linked = {link.reference.key for link in item.links}
    claims: dict[tuple[str, int], str] = {}
    for claim in item.link_claims:
        if claim.link is not None and claim.link.key in linked:
            branches = f" on {', '.join(claim.branches)}" if claim.branches else ""
            text = f"{claim.link} {claim.state}{branches}"
            earlier = claims.get(claim.link.key)
            claims[claim.link.key] = f"{earlier}; {text}" if earlier else text
    return claims


def _claim(item: Item) -> str:
    claim = item.claim
    on = f" on {', '.join(claim.branches)}" if claim.branches else ""
    releases = "".join(
        f", {'for' if release.target else 'in'} {release.name}" for release in claim.releases
    )
    return f"{claim.state}{on}{releases}"


def _place(known: IdentifiedItem, by_id: Mapping[str, IdentifiedItem]) -> str:
    above = by_id.get(known.parent) if known.parent else None
    names = [*known.item.section, *([above.item.title] if above else [])]
    return " › ".join(names)


def _change(
    known: IdentifiedItem, kind: ChangeKind, *, before: str = "", after: str = ""
) -> Change:
    return Change(id=known.id, title=known.item.title, kind=kind, before=before, after=after)
