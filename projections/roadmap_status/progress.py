"""How a roadmap moved: its statuses at many moments, and what its text changed between two."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping

import msgspec

from events.errors import InvalidQuestion
from events.instant import DAY, Instant
from projections.roadmap_status.context import RoadmapContext
from projections.roadmap_status.editions.changes import Change, changes
from projections.roadmap_status.editions.walk import Edition
from projections.roadmap_status.status.status import StatusKind

_MOST_POINTS = 1_000


class Point(msgspec.Struct, frozen=True, kw_only=True):
    """A roadmap at one moment: its items by status, and by what the text claimed."""

    at: Instant
    items: int
    statuses: Mapping[StatusKind, int]
    claims: Mapping[str, int]


class ChangeLog(msgspec.Struct, frozen=True, kw_only=True):
    """What changed in a roadmap's text from one moment to another."""

    before: Edition | None
    after: Edition
    editions: int
    """How many editions the span saw, the first of them left out."""
    changes: tuple[Change, ...]


def series(context: RoadmapContext, number: int, moments: Iterable[Instant]) -> Iterator[Point]:
    """Yield a roadmap's statuses at moments up to T; a text that was not there yet has no items."""
    for moment in moments:
        judged = context.statuses(number, min(moment, context.as_of))
        yield Point(
            at=moment,
            items=len(judged),
            statuses=Counter(item.status.kind for item in judged),
            claims=Counter(item.match.item.claim.state.value for item in judged),
        )


def moments(start: Instant, end: Instant, *, days: int = 7) -> list[Instant]:
    """Return moments from one to another, so many days apart, the end among them."""
    if days < 1 or end < start or (end - start) // (days * DAY) > _MOST_POINTS:
        raise InvalidQuestion(
            f"a series has from 1 to {_MOST_POINTS} points in the order of time; ask for fewer"
        )
    points = list(range(start, end, days * DAY))
    return [*points, end]


def change_log(context: RoadmapContext, number: int, start: Instant, end: Instant) -> ChangeLog:
    """Compare the editions that stood at two moments; before the first one nothing stood."""
    walk = context.walk(number)
    after = walk.upto(end)
    if after is None or end < start:
        raise InvalidQuestion(f"#{number} had no text then, or the moments are in the wrong order")
    before = walk.upto(start)
    known = [match.known for match in before.matches] if before is not None else []
    within = [version for version in walk.versions if start < version.at <= end]
    return ChangeLog(
        before=before,
        after=after,
        editions=len(within),
        changes=changes(known, [match.known for match in after.matches]),
    )
