"""Which releases hold an item, part by part. Pure.

A group of parts is one change under several numbers: a release holds it with any of them.
"""

from collections.abc import Iterable, Iterator, Sequence
from enum import StrEnum

import msgspec

from events.errors import InvalidQuestion, NotFound
from events.instant import Instant
from projections.release_inclusion.known_releases import KnownRelease
from projections.release_inclusion.versions import parse_version
from projections.release_inclusion.view import ReleaseView
from projections.roadmap_status.status.parts import Part, groups


class Extent(StrEnum):
    """How much of an item a release holds."""

    WHOLE = "whole"
    PARTLY = "partly"
    NOT = "not"
    UNKNOWN = "unknown"


class Holding(msgspec.Struct, frozen=True, kw_only=True):
    """What one release holds of an item; `lacking` are the links of what it does not hold."""

    release: KnownRelease
    extent: Extent
    lacking: tuple[str, ...] = ()


class ReleaseHolds:
    """The releases that readers can see at (T, K); none where no commits are recorded."""

    def __init__(self, view: ReleaseView | None) -> None:
        self._view = view

    @property
    def finals(self) -> list[KnownRelease]:
        """Return the final releases in the order of their versions, family after family."""
        if self._view is None:
            return []
        return [
            release for release in self._view.releases if release.release and release.release.final
        ]

    @property
    def all(self) -> Sequence[KnownRelease]:
        """Return every tag, in version order."""
        return self._view.releases if self._view is not None else ()

    def find(self, name: str) -> KnownRelease | None:
        """Return the release that a text means: by tag, alias, or version; None where none is."""
        if self._view is None:
            return None
        try:
            return self._view.release(name)
        except (NotFound, InvalidQuestion):
            pass
        wanted = parse_version(name.removeprefix("release").strip(" -/").removeprefix("core_"))
        if wanted is None:
            return None
        same = [
            release for release in self.all if release.release and release.release.version == wanted
        ]
        rebuilt = (
            release
            for release in self.all
            if release.release and release.release.version.unbuilt == wanted
        )
        return same[0] if same else next(rebuilt, None)

    def holding(self, release: KnownRelease, parts: Iterable[Part]) -> Holding:
        """Return what a release holds of the parts of an item."""
        own_groups = [group for group in groups(parts) if any(_here(part) for part in group)]
        if self._view is None or release.commit not in self._view.history.graph or not own_groups:
            return Holding(release=release, extent=Extent.UNKNOWN)
        states = [self._of_group(release, group) for group in own_groups]
        lacking = tuple(
            part.name
            for group, state in zip(own_groups, states, strict=True)
            for part in group
            if state is not Extent.WHOLE
        )
        return Holding(release=release, extent=_together(states), lacking=lacking)

    def of(self, parts: Sequence[Part]) -> Iterator[Holding]:
        """Yield what every final release holds of the parts of an item."""
        return (self.holding(release, parts) for release in self.finals)

    def first(self, parts: Sequence[Part]) -> KnownRelease | None:
        """Return the first final release with all of it, None where an earlier one may have it."""
        if self._view is None:
            return None
        holdings = {holding.release.tag: holding for holding in self.of(parts)}
        possible = [
            holding.release
            for holding in holdings.values()
            if holding.extent in (Extent.WHOLE, Extent.UNKNOWN)
        ]
        first = self._view.known.first_of(possible)
        whole = first is not None and holdings[first.tag].extent is Extent.WHOLE
        return first if whole else None

    def after_cut_of(self, parts: Sequence[Part], since: Instant) -> KnownRelease | None:
        """Return the newest final release that lacks some of it, though it was out later or just
        before: what is delivered comes with the next one.
        """
        lacking = [
            holding.release
            for holding in self.of(parts)
            if holding.extent in (Extent.NOT, Extent.PARTLY)
        ]
        near = [release for release in lacking if release.at >= since] or lacking
        return max(near, key=lambda release: release.at, default=None)

    def _of_group(self, release: KnownRelease, group: Sequence[Part]) -> Extent:
        assert self._view is not None
        bit = self._view.history.reach.bit(release.commit)
        states = []
        for part in group:
            number = part.link.reference.number
            where = self._view.matrix.of(number)
            if where.included & bit:
                states.append(Extent.WHOLE)
            elif where.partly & bit:
                states.append(Extent.PARTLY)
            elif where.undetermined & bit:
                states.append(Extent.UNKNOWN)
            else:
                states.append(Extent.NOT)
        order = (Extent.WHOLE, Extent.UNKNOWN, Extent.PARTLY, Extent.NOT)
        return next(extent for extent in order if extent in states)


def _here(part: Part) -> bool:
    return part.link.reference.repository is None


def _together(states: Sequence[Extent]) -> Extent:
    kinds = set(states)
    if len(kinds) == 1:
        return states[0]
    if Extent.UNKNOWN in kinds and not kinds & {Extent.NOT, Extent.PARTLY}:
        return Extent.UNKNOWN
    return Extent.PARTLY if kinds & {Extent.WHOLE, Extent.PARTLY} else Extent.UNKNOWN
