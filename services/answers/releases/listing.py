"""All releases of a repository."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from projections.release_inclusion.answers import ReleaseCounts, counts
from services.answers.releases.context import ReleaseContext, ResolvedQuestion
from services.answers.releases.subjects import Subject, of_release


@dataclass(frozen=True, slots=True, kw_only=True)
class ListedRelease:
    """One tag; `counts` is None where its commit is not recorded."""

    subject: Subject
    counts: ReleaseCounts | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Listing:
    """Every tag in version order, the families one after the other."""

    asked: ResolvedQuestion
    releases: tuple[ListedRelease, ...]
    notes: tuple[str, ...]


def listing(context: ReleaseContext) -> Listing:
    """Return all releases that readers can see at (T, K)."""
    view = context.view
    counted = counts(view, view.releases)
    return Listing(
        asked=context.asked,
        releases=tuple(
            ListedRelease(subject=of_release(context, release), counts=counted.get(release.tag))
            for release in view.releases
        ),
        notes=tuple(_notes(context, counted)),
    )


def _notes(context: ReleaseContext, counts_by_tag: Mapping[str, ReleaseCounts]) -> Iterator[str]:
    view = context.view
    tags = {release.tag for release in view.releases}
    for tag in sorted(view.published.keys() - tags):
        yield f"{tag} is published at GitHub, and its commit is not recorded yet."
    for alias in view.aliases.values():
        if alias.tag not in tags:
            yield f"{alias.name} means {alias.tag}, and no such tag is there."
    if any(counted.new_known is None for counted in counts_by_tag.values()):
        yield (
            "“without a number” are new commits that name no pull request; where no new commit "
            "names one, how many requests are new is unknown."
        )
    doubtful = sum(release.evidence == "assumed" for release in view.releases)
    if doubtful:
        yield (
            f"{doubtful} of the dates are assumed: nothing shows when the tag appeared, so its "
            "commit's date stands for it."
        )
