"""Which issues are roadmaps: named by number, or found by label or title. Pure."""

from collections.abc import Iterable, Mapping, Sequence
from fnmatch import fnmatchcase
from typing import Final

import msgspec

from events.instant import Instant
from projections.roadmap_status.issues import IssueState, Sighting, standing_at

FOUND_BY: Final = "[ROADMAP]"
"""What a title holds, and a label is, of an issue that nothing else names a roadmap."""


class Choice(msgspec.Struct, frozen=True, kw_only=True):
    """One way in which roadmaps are configured; an issue that fits any part of it is one.

    `title` is a part of the title, or a glob where it has a `*`; neither label nor title looks at
    case.
    """

    issues: tuple[int, ...] = ()
    label: str = ""
    title: str = ""


DEFAULT: Final = (Choice(label="roadmap", title=FOUND_BY),)


class KnownRoadmap(msgspec.Struct, frozen=True, kw_only=True):
    """An issue that is a roadmap at a point."""

    number: int
    title: str
    labels: tuple[str, ...] = ()
    state: IssueState | None = None


def chosen(
    sightings: Mapping[int, Sequence[Sighting]],
    choices: Iterable[Choice],
    imported: Iterable[int],
    as_of: Instant,
) -> list[KnownRoadmap]:
    """Return the roadmaps of a point, ascending; what a person imported as one is one."""
    ways, named = tuple(choices) or DEFAULT, set(imported)
    roadmaps = []
    for number in sorted(sightings):
        past = sorted((s for s in sightings[number] if s.fact.at <= as_of), key=lambda s: s.order)
        candidate = _as_known(number, past, as_of)
        if past and (number in named or any(_fits(candidate, way) for way in ways)):
            roadmaps.append(candidate)
    return roadmaps


def _as_known(number: int, past: Sequence[Sighting], as_of: Instant) -> KnownRoadmap:
    titles = [observation.fact.title for observation in past if observation.fact.title]
    labels = [observation.fact.labels for observation in past if observation.fact.state is not None]
    standing = standing_at(past, as_of)
    return KnownRoadmap(
        number=number,
        title=titles[-1] if titles else "",
        labels=labels[-1] if labels else (),
        state=standing.state if standing is not None else None,
    )


def _fits(candidate: KnownRoadmap, way: Choice) -> bool:
    if candidate.number in way.issues:
        return True
    if way.label and way.label.casefold() in (label.casefold() for label in candidate.labels):
        return True
    if not way.title:
        return False
    title, wanted = candidate.title.casefold(), way.title.casefold()
    return fnmatchcase(title, wanted) if "*" in wanted else wanted in title
