"""Which roadmap continues which, and what was carried over, left or fresh, and how often.

A successor is named in the text or in a comment ("continued in #12"), or itself names the roadmap
before it. An item that stands in both, and was said to be neither done nor dropped in the former,
slipped.
"""

from collections.abc import Iterable, Iterator, Sequence

import msgspec

from projections.roadmap_status.context import RoadmapContext
from projections.roadmap_status.editions.pairing import IdentifiedItem, Method, pair, sides_of
from projections.roadmap_status.items.item import Standing
from projections.roadmap_status.items.successors import NamedRoadmap, Relation, named_roadmaps
from projections.roadmap_status.queries import comments_of


class Carried(msgspec.Struct, frozen=True, kw_only=True):
    """An item of the earlier roadmap that stands in the later one, and why it is the same."""

    old: str
    new: str
    method: Method
    score: float
    """Of 100."""
    slipped: bool
    """The earlier roadmap said neither that it is done nor dropped: it was promised again."""


class CarryOver(msgspec.Struct, frozen=True, kw_only=True):
    """Two roadmaps compared; every item of either is in one place."""

    carried: tuple[Carried, ...]
    left_done: tuple[str, ...]
    """Ids of items that end with the earlier roadmap and were said to be done."""
    left_dropped: tuple[str, ...]
    """Ids of items that end with the earlier roadmap, which took them back."""
    left_open: tuple[str, ...]
    """Ids of items that the later roadmap no longer has, though they were not done."""
    fresh: tuple[str, ...]
    """Ids of items that only the later roadmap has."""


class Step(msgspec.Struct, frozen=True, kw_only=True):
    """From one roadmap to its successor. `named_by` is the record that says so."""

    old: int
    new: int
    words: str
    named_by: str
    carried: CarryOver


class Unread(msgspec.Struct, frozen=True, kw_only=True):
    """A roadmap that another one names before or after itself, and of which no text is recorded."""

    roadmap: int
    other: str
    """As a link: `#12`, or `owner/name#12`."""
    before: bool
    words: str
    named_by: str


class Thread(msgspec.Struct, frozen=True, kw_only=True):
    """One item through the roadmaps that it stood in, oldest first, and how often it slipped."""

    title: str
    places: tuple[tuple[int, str], ...]
    """(roadmap, item id)."""
    slipped: int


def steps(context: RoadmapContext, number: int) -> tuple[Step, ...]:
    """Return the steps of the chain that a roadmap is part of, oldest first; cycles end."""
    links = _links(context)
    first = number
    visited = {number}
    while (before := next((o for o, (n, *_) in links.items() if n == first), None)) is not None:
        if before in visited:
            break
        visited.add(before)
        first = before
    chain: list[Step] = []
    at, passed = first, {first}
    while at in links and links[at][0] not in passed:
        new, words, record_id = links[at]
        carried = carry_over(_known(context, at), _known(context, new, started=True))
        chain.append(Step(old=at, new=new, words=words, named_by=record_id, carried=carried))
        passed.add(new)
        at = new
    return tuple(chain)


def unread(context: RoadmapContext, number: int, chain: Iterable[Step]) -> tuple[Unread, ...]:
    """Return what a roadmap, and those of its chain, name and nobody can compare them with."""
    members = dict.fromkeys([number, *(n for step in chain for n in (step.old, step.new))])
    known = {roadmap.number for roadmap in context.roadmaps}
    without_text: list[Unread] = []
    for member in sorted(members):
        for named, record_id in _named(context, member):
            reference, relation = named.reference, named.relation
            here = reference.repository is None and reference.number in known
            if here or not named.certain or relation is Relation.RELATED:
                continue
            if reference.key == ("", member):
                continue
            without_text.append(
                Unread(
                    roadmap=member,
                    other=str(reference),
                    before=relation is Relation.PREDECESSOR,
                    words=named.text,
                    named_by=record_id,
                )
            )
    return tuple(without_text)


def threads(context: RoadmapContext, chain: Iterable[Step]) -> tuple[Thread, ...]:
    """Return the items of a chain that were carried over, those that slipped most often first."""
    places_of: dict[tuple[int, str], list[tuple[int, str]]] = {}
    slipped: dict[tuple[int, str], int] = {}
    titles: dict[tuple[int, str], str] = {}
    ends: dict[tuple[int, str], tuple[int, str]] = {}
    for step in chain:
        names = {item.id: item.item.title for item in _known(context, step.new, started=True)}
        for carried_item in step.carried.carried:
            place = (step.old, carried_item.old)
            begun = ends.pop(place, place)
            places = places_of.setdefault(begun, [begun])
            places.append((step.new, carried_item.new))
            slipped[begun] = slipped.get(begun, 0) + carried_item.slipped
            titles[begun] = names[carried_item.new]
            ends[step.new, carried_item.new] = begun
    ordered = sorted(places_of, key=lambda begun: (-slipped[begun], begun))
    return tuple(
        Thread(title=titles[begun], places=tuple(places_of[begun]), slipped=slipped[begun])
        for begun in ordered
    )


def _links(context: RoadmapContext) -> dict[int, tuple[int, str, str]]:
    """Return by roadmap: (its successor, the words, the record that names it)."""
    successors: dict[int, tuple[int, str, str]] = {}
    known = {roadmap.number for roadmap in context.roadmaps}
    for number in sorted(known):
        for named, record_id in _named(context, number):
            other = named.reference.number
            if named.reference.repository is not None or other not in known or other == number:
                continue
            if named.relation is Relation.SUCCESSOR:
                successors[number] = (other, named.text, record_id)
            elif named.relation is Relation.PREDECESSOR:
                successors.setdefault(other, (number, named.text, record_id))
    return successors


def _named(context: RoadmapContext, number: int) -> Iterator[tuple[NamedRoadmap, str]]:
    """Yield what the text and then the comments name, each with its record."""
    last = context.walk(number).upto(context.as_of)
    if last is not None:
        for named in named_roadmaps(context.text(last), context.reader):
            yield named, last.version.record_id
    comments = comments_of(context.snapshot, context.repo, number, context.as_of, context.known_at)
    for comment in comments:
        for named in named_roadmaps(comment.text, context.reader):
            yield named, comment.record_id


def _known(context: RoadmapContext, number: int, *, started: bool = False) -> list[IdentifiedItem]:
    """Return the items of a roadmap's last edition; `started`: and what only its first had."""
    walk = context.walk(number)
    items = [match.known for match in walk.edition(-1).matches]
    if started and len(walk) > 1:
        ids = {item.id for item in items}
        items += [match.known for match in walk.edition(0).matches if match.id not in ids]
    return items


def carry_over(old: Sequence[IdentifiedItem], new: Sequence[IdentifiedItem]) -> CarryOver:
    """Compare a roadmap's last version with its successor's; ids of both stay their own."""
    pairs = pair(sides_of(old), sides_of(new)).made.values()
    carried = [
        Carried(
            old=old[pair.old].id,
            new=new[pair.new].id,
            method=pair.method,
            score=round(pair.score, 1),
            slipped=_standing(old[pair.old]) is None,
        )
        for pair in pairs
    ]
    went, came = {pair.old for pair in pairs}, {pair.new for pair in pairs}
    left = [known for at, known in enumerate(old) if at not in went]
    return CarryOver(
        carried=tuple(sorted(carried, key=lambda pair: (pair.old, pair.new))),
        left_done=tuple(known.id for known in left if _standing(known) is Standing.DONE),
        left_dropped=tuple(known.id for known in left if _standing(known) is Standing.DROPPED),
        left_open=tuple(known.id for known in left if _standing(known) is None),
        fresh=tuple(known.id for at, known in enumerate(new) if at not in came),
    )


def _standing(known: IdentifiedItem) -> Standing | None:
    """Return how an item ended, by its text; None: it did not."""
    standing = known.item.standing
    return standing if standing in (Standing.DONE, Standing.DROPPED) else None
