"""All releases of a repository, and how the versions of each family of tags were read."""

from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass

from events.errors import NotFound
from projections.release_inclusion.answers import ReleaseCounts, counts
from projections.release_inclusion.known_releases import KnownRelease
from projections.release_inclusion.versions import Scheme
from services.answers.releases.context import ReleaseContext, ResolvedQuestion
from services.answers.releases.subjects import Subject, of_releases


@dataclass(frozen=True, slots=True, kw_only=True)
class ListedRelease:
    """One tag; `counts` is None where its commit is not recorded."""

    subject: Subject
    counts: ReleaseCounts | None


@dataclass(frozen=True, slots=True, kw_only=True)
class ListedFamily:
    """Tags of one form, and the scheme by which their versions are read."""

    pattern: str
    scheme: Scheme
    configured: bool
    """Whether the scheme is; else the tags showed it."""
    tags: int
    newest: str
    """The tag of the highest version."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Listing:
    """Every tag in version order, the families one after the other."""

    asked: ResolvedQuestion
    releases: tuple[ListedRelease, ...]
    families: tuple[ListedFamily, ...]
    notes: tuple[str, ...]

    @property
    def not_understood(self) -> tuple[ListedRelease, ...]:
        """The tags that are no version of any family; by history they follow the nearest one."""
        return tuple(
            listed
            for listed in self.releases
            if listed.subject.release is not None and listed.subject.release.release is None
        )


def listing(context: ReleaseContext, family: str | None = None) -> Listing:
    """Return all releases that readers can see at (T, K), or those of one family.

    A family is named by its pattern, by what stands before the version, or by its folder. Raise
    NotFound with the families that there are.
    """
    view = context.view
    patterns = frozenset(view.known.by_family)
    releases = view.releases
    if family is not None:
        patterns = _named(family, patterns)
        releases = tuple(known for known in releases if _is_of(known, patterns))
    counted = counts(view, releases)
    return Listing(
        asked=context.asked,
        releases=tuple(
            ListedRelease(subject=subject, counts=counted.get(subject.name))
            for subject in of_releases(context, releases)
        ),
        families=tuple(_families(context, patterns)),
        notes=(*(_notes(context) if family is None else ()), *_unknown(counted)),
    )


def _families(context: ReleaseContext, patterns: Collection[str]) -> Iterator[ListedFamily]:
    view = context.view
    for pattern in sorted(patterns):
        releases = view.known.by_family[pattern]
        yield ListedFamily(
            pattern=pattern,
            scheme=view.families.schemes[pattern],
            configured=pattern in view.configured_schemes,
            tags=len(releases),
            newest=releases[-1].tag,
        )


def _named(family: str, patterns: Collection[str]) -> frozenset[str]:
    """Return the families that a person means."""
    bare = family.partition("*")[0].rstrip("/")
    named = [pattern for pattern in patterns if pattern == family]
    named = named or [pattern for pattern in patterns if bare in _names(pattern)]
    named = named or [pattern for pattern in patterns if pattern.startswith(f"{bare}/")]
    if not named:
        known = sorted(patterns, key=lambda pattern: (len(pattern), pattern))
        near = [pattern for pattern in known if bare and bare in pattern] or known
        raise NotFound(f"there is no family {family} of tags; there are {', '.join(near[:8])}")
    return frozenset(named)


def _names(pattern: str) -> frozenset[str]:
    """Return what a family may be called: `pdata/v*` is `pdata/v` and `pdata`."""
    before = pattern.partition("*")[0]
    unmarked = before[:-1] if before[-1:] in ("v", "V") else before
    return frozenset((before, unmarked.rstrip("-_./@")))


def _is_of(known: KnownRelease, patterns: Collection[str]) -> bool:
    """Tell whether a tag is of one of the families, or begins as these do."""
    if known.release is not None:
        return known.release.family in patterns
    return any(known.tag.startswith(pattern.partition("*")[0]) for pattern in patterns)


def _notes(context: ReleaseContext) -> Iterator[str]:
    view = context.view
    tags = {release.tag for release in view.releases}
    for tag in sorted(view.published.keys() - tags):
        yield f"{tag} is published at GitHub, and its commit is not recorded yet."
    for alias in view.aliases.values():
        if alias.tag not in tags:
            yield f"{alias.name} means {alias.tag}, and no such tag is there."
    for pattern in sorted(view.configured_schemes - view.known.by_family.keys()):
        yield f"A scheme is configured for {pattern}, and no tag is of that family."
    doubtful = sum(release.evidence == "assumed" for release in view.releases)
    if doubtful:
        yield (
            f"{doubtful} of the dates are assumed: nothing shows when the tag appeared, so its "
            "commit's date stands for it."
        )


def _unknown(counts_by_tag: Mapping[str, ReleaseCounts]) -> Iterator[str]:
    if any(counted.new_known is None for counted in counts_by_tag.values()):
        yield (
            "“without a number” are new commits that name no pull request; where no new commit "
            "names one, how many requests are new is unknown."
        )
