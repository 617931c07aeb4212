"""The tags that readers can see at one (T, K): their order, and which one each is told against."""

from collections import defaultdict
from collections.abc import Iterable, Sequence
from functools import cached_property
from typing import Final

import msgspec

from events.facts.git import ReleaseObserved
from events.instant import Instant
from projections.release_inclusion.history.history import History
from projections.release_inclusion.nearest import nearest_commit
from projections.release_inclusion.releases import Release, in_order, predecessor

_UNDATED: Final = frozenset({"assumed", "fetched", "reconstructed"})
"""Evidence that says little of when a tag appeared: there, ancestry says what came first."""


class KnownRelease(msgspec.Struct, frozen=True, kw_only=True):
    """A tag that readers can see. `at` is when it became visible, by `evidence`."""

    tag: str
    commit: str
    at: Instant
    evidence: str
    record_id: str
    annotated: bool
    release: Release | None
    """Its place in a family; None for a tag whose version is not understood, or that has none."""
    published: ReleaseObserved | None
    aliases: tuple[str, ...]


class KnownReleases:
    """All tags of a repository, in order; everything derived is computed once."""

    def __init__(self, tags: Iterable[KnownRelease], history: History) -> None:
        by_tag = {release.tag: release for release in tags}
        self._placed = placed = in_order(
            known.release for known in by_tag.values() if known.release is not None
        )
        others = sorted(tag for tag, release in by_tag.items() if release.release is None)
        self._history = history
        self.all = tuple(by_tag[tag] for tag in (*(r.tag for r in placed), *others))
        """Those of families in version order, then the others by name."""
        self.by_tag = by_tag
        self._before: dict[str, KnownRelease | None] = {}

    def ordered(self, releases: Iterable[KnownRelease]) -> list[KnownRelease]:
        """Return some of the releases in the order of `all`."""
        return sorted(releases, key=lambda known: self._places[known.tag])

    @cached_property
    def _places(self) -> dict[str, int]:
        return {known.tag: place for place, known in enumerate(self.all)}

    @cached_property
    def by_commit(self) -> dict[str, tuple[KnownRelease, ...]]:
        """The tags of each commit, the one that speaks for it first."""
        groups: defaultdict[str, list[KnownRelease]] = defaultdict(list)
        for release in self.all:
            groups[release.commit].append(release)
        return {sha: tuple(sorted(group, key=self._prominence)) for sha, group in groups.items()}

    def _prominence(self, known: KnownRelease) -> tuple[bool, bool, bool, bool, str]:
        """Order the tags of one commit: what is understood, final and of no folder comes first."""
        second = self.is_second_numbering(known)
        return known.release is None, not _is_final(known), "/" in known.tag, second, known.tag

    @cached_property
    def by_family(self) -> dict[str, tuple[KnownRelease, ...]]:
        """The releases of each family, oldest version first."""
        families: defaultdict[str, list[KnownRelease]] = defaultdict(list)
        for release in self.all:
            if release.release is not None:
                families[release.release.family].append(release)
        return {family: tuple(releases) for family, releases in families.items()}

    def finals(self, family: str) -> Sequence[KnownRelease]:
        """Return the final releases of a family, oldest version first."""
        return self._finals.get(family, ())

    @cached_property
    def _finals(self) -> dict[str, tuple[KnownRelease, ...]]:
        return {
            family: tuple(filter(_is_final, releases))
            for family, releases in self.by_family.items()
        }

    def prereleases(self, release: KnownRelease) -> list[KnownRelease]:
        """Return the pre-releases of the family of another one, without other channels' builds."""
        own = release.release
        return [
            known
            for known in (() if own is None else self.by_family[own.family])
            if known.release is not None
            and own is not None
            and not known.release.final
            and known.release.version.channel in ("", own.version.channel)
        ]

    def predecessor(self, release: KnownRelease) -> KnownRelease | None:
        """Return the release that another one is told against.

        It is the lower version that came out before it, or the nearest tag among its ancestors
        where no version is understood, or where the family counted higher before.
        """
        if release.tag not in self._before:
            self._before[release.tag] = self._lower(release) or self._ancestor(release)
        return self._before[release.tag]

    def _lower(self, release: KnownRelease) -> KnownRelease | None:
        own = release.release
        if own is None:
            return None

        def earlier(other: Release) -> bool:
            return self._is_earlier(self.by_tag[other.tag], release)

        before = predecessor(own, self._placed, earlier)
        return None if before is None else self.by_tag[before.tag]

    def _is_earlier(self, release: KnownRelease, other: KnownRelease) -> bool:
        """Tell whether a release of a lower version came out before another one, or with it."""
        if release.at <= other.at:
            return True
        if not (_is_undated(release) or _is_undated(other)):
            return False
        return release.commit == other.commit or self._is_ancestor(release, other)

    def _is_ancestor(self, release: KnownRelease, other: KnownRelease) -> bool:
        """Tell whether the commit of a release is an ancestor of another one's."""
        recorded = release.commit in self._history.graph and other.commit in self._history.graph
        return (
            recorded
            and release.commit != other.commit
            and self._history.is_in(release.commit, other.commit)
        )

    def _ancestor(self, release: KnownRelease) -> KnownRelease | None:
        own = release.release
        if own is None:
            tags: Iterable[KnownRelease] = self.all
        else:
            tags = [
                known
                for known in self.finals(own.family)
                if known.release is not None and known.release.version > own.version
            ]
        tagged = {known.commit for known in tags if known.commit in self._history.graph}
        nearest = nearest_commit(self._history, release.commit, tagged) if tagged else None
        if nearest is None:
            return None
        here = [known for known in self.by_commit[nearest] if own is None or known in tags]
        return here[0]

    def is_second_numbering(self, release: KnownRelease) -> bool:
        """Tell whether a release lies on a final of its family that counted higher than it does.

        So v0.314.0 of a project that is at v3.14.0, and whatever came after a numbering from anew.
        """
        return release.tag in self._second_numbering

    @cached_property
    def _second_numbering(self) -> frozenset[str]:
        reach, graph = self._history.reach, self._history.graph
        second = set()
        for releases in self.by_family.values():
            above = equal = 0  # the tips that lie on a final of a higher version, or of this one
            version = None
            for known in reversed(releases):
                if known.release is None or known.commit not in graph:
                    continue
                if known.release.version != version:
                    above, equal, version = above | equal, 0, known.release.version
                bit = reach.bit(known.commit)
                if above & bit:
                    second.add(known.tag)
                if known.release.final:
                    equal |= reach.tips_of(known.commit) & ~bit
        return frozenset(second)

    def first_of(
        self, releases: Sequence[KnownRelease], *, second: bool = False
    ) -> KnownRelease | None:
        """Return the one that came out first, never one later than an ancestor of its commit.

        Where its commit has tags of two numberings, it is one of the `second`, or of the other; of
        tags there of which one is not dated, the lowest version. `releases` are in their order.
        """
        if not releases:
            return None
        first = min(releases, key=lambda release: release.at)
        while ancestors := [other for other in releases if self._is_ancestor(other, first)]:
            first = min(ancestors, key=lambda release: release.at)
        same = [release for release in releases if release.commit == first.commit]
        alike = [release for release in same if self.is_second_numbering(release) == second]
        candidates = alike or same
        if any(map(_is_undated, candidates)):
            return candidates[0]
        return min(candidates, key=lambda release: release.at)


def _is_undated(release: KnownRelease) -> bool:
    return release.evidence in _UNDATED


def _is_final(known: KnownRelease) -> bool:
    return known.release is not None and known.release.final
