"""Releases: tags in families, in the order that their versions mean, and each one's predecessor.

A family is what stands before the version; each has a scheme (`versions.py`), recognised from its
tags where none is configured. The order is that of versions. Dates play one part: a release is not
told against one that came out later, so what it is compared with stays.
"""

from bisect import bisect_left
from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from types import MappingProxyType

import msgspec

from events.facts.curation import ReleaseAliasDecided
from events.instant import Instant
from projections.release_inclusion.schemes import is_version, recognise, split_tag
from projections.release_inclusion.versions import Scheme, Version, parse_version


class Release(msgspec.Struct, frozen=True, kw_only=True):
    """A tag that is a release of a family."""

    tag: str
    commit: str
    """The commit that the tag means, peeled."""
    family: str
    """The pattern that the tag matched."""
    version: Version
    final: bool
    at: Instant = 0
    """When readers could see it."""
    scheme: Scheme = Scheme.SEMANTIC


class TagFamilies:
    """Patterns with one `*` for the version (`core_v*`, `v*`, `pkg/v*`); the first match holds.

    Each family has its own order: `ecs/v0.0.2` follows `ecs/v0.0.1`, whatever `vpc/v*` does. Of
    `tags`, each family's scheme is recognised, unless `schemes` (by pattern) name it.
    """

    def __init__(
        self,
        patterns: Iterable[str],
        tags: Iterable[str] = (),
        schemes: Mapping[str, Scheme] = MappingProxyType({}),
    ) -> None:
        """Take the patterns; raise ValueError for one without exactly one `*`."""
        self.patterns = tuple(patterns)
        for pattern in self.patterns:
            if pattern.count("*") != 1:
                raise ValueError(f"a tag family has one * for the version: {pattern!r}")
        self._places = {tag: self._place(tag) for tag in tags}
        versions: defaultdict[str, list[str]] = defaultdict(list)
        for pattern, text in filter(None, self._places.values()):
            versions[pattern].append(text)
        self.sizes = {pattern: len(versions[pattern]) for pattern in self.patterns}
        """How many of the tags have the form of each family."""
        self.schemes = {
            pattern: schemes.get(pattern) or recognise(versions[pattern])
            for pattern in self.patterns
        }

    def release(
        self, tag: str, commit: str, *, at: Instant = 0, prerelease: bool | None = None
    ) -> Release | None:
        """Return what a tag is a release of, None where it belongs to no family.

        `prerelease` is what GitHub's release of the tag says: it can make a final-looking tag a
        pre-release, and never the other way (a promoted `rc1` stays an rc).
        """
        place = self._places[tag] if tag in self._places else self._place(tag)
        if place is None:
            return None
        pattern, text = place
        version = parse_version(text, self.schemes[pattern])
        if version is None:
            return None
        final = version.final and not prerelease
        return Release(
            tag=tag,
            commit=commit,
            at=at,
            family=pattern,
            version=version,
            final=final,
            scheme=self.schemes[pattern],
        )

    def _place(self, tag: str) -> tuple[str, str] | None:
        """Return the pattern that a tag matches, and its version."""
        for pattern in self.patterns:
            before, _, after = pattern.partition("*")
            if tag.startswith(before) and tag.endswith(after):
                text = tag[len(before) : len(tag) - len(after)]
                if is_version(text):
                    return pattern, text
        return None


def in_order(releases: Iterable[Release]) -> tuple[Release, ...]:
    """Return releases by family, oldest version first (two spellings of one by tag)."""
    return tuple(sorted(releases, key=_place))


def _place(release: Release) -> tuple[str, Version, str]:
    return release.family, release.version, release.tag


def predecessor(
    release: Release,
    releases: Sequence[Release],
    earlier: Callable[[Release], bool] | None = None,
) -> Release | None:
    """Return the release that this one is told against, None for the first of its family.

    A final follows the greatest lower final. A pre-release follows that too, or a lower
    pre-release of the same version; where there is neither, any lower pre-release. Builds of a
    channel (`canary`, `dev`) are followed only by builds of that channel. `earlier` tells which
    came out before this one; without it, those do that are not dated later. `releases` are in the
    order of `in_order`.
    """
    fallback = None
    for place in reversed(range(bisect_left(releases, _place(release), key=_place))):
        other = releases[place]
        if other.family != release.family:
            break
        if not _may_precede(other, release):
            continue
        if not (earlier(other) if earlier else other.at <= release.at):
            continue
        if _is_near(other, release):
            return other
        fallback = fallback or other
    return fallback


def _may_precede(other: Release, release: Release) -> bool:
    return (
        (other.final or not release.final)
        and other.version.channel in ("", release.version.channel)
        and other.version < release.version
    )


def _is_near(other: Release, release: Release) -> bool:
    return (
        other.final
        or other.version.base == release.version.base
        or (other.version.dev and release.version.dev)
    )


def families_of(tags: Iterable[str]) -> tuple[str, ...]:
    """Return the tag families that the tags themselves show, where none are configured.

    What stands before the version is the family: `core_v0.17.0` -> `core_v*`, `pkg/v1.0` ->
    `pkg/v*`. A `v` that some tags have and others lack divides none: 0.9.1 and v0.10.0 are `*`.
    A tag without a version belongs to none.
    """
    marks: defaultdict[str, set[str]] = defaultdict(set)
    for tag in tags:
        parts = split_tag(tag)
        if parts is not None:
            before, version = parts
            marks[before].add(version[:1] if version[:1] in ("v", "V") else "")
    families = {
        f"{before}{marked.pop() if len(marked) == 1 else ''}*" for before, marked in marks.items()
    }
    # the longest first: the first pattern that matches holds
    return tuple(sorted(families, key=lambda pattern: (-len(pattern), pattern)))


class Alias(msgspec.Struct, frozen=True, kw_only=True):
    """What a name means. Without `decided_at` it stands in the configuration."""

    name: str
    tag: str
    decided_at: Instant | None = None
    author: str = ""
    source: str = ""
    reason: str = ""
    record_id: str | None = None


def meanings(
    decisions: Iterable[tuple[str, ReleaseAliasDecided]], configured: Mapping[str, str]
) -> dict[str, Alias]:
    """Return what each alias means; of several decisions the last by (decided_at, record id)."""
    ordered = sorted(decisions, key=lambda recorded: (recorded[1].decided_at, recorded[0]))
    latest = {decision.alias: (record_id, decision) for record_id, decision in ordered}
    aliases = {
        name: Alias(name=name, tag=tag) for name, tag in configured.items() if name not in latest
    }
    for name, (record_id, decision) in latest.items():
        if decision.tag is not None:
            aliases[name] = Alias(
                name=name,
                tag=decision.tag,
                decided_at=decision.decided_at,
                author=decision.author,
                source=decision.source,
                reason=decision.reason,
                record_id=record_id,
            )
    return dict(sorted(aliases.items()))
