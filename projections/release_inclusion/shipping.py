"""In which release a request shipped first. Pure."""

from collections.abc import Iterable

from projections.release_inclusion.known_releases import KnownRelease
from projections.release_inclusion.view import ReleaseView


def first_shipped(view: ReleaseView, number: int, release: KnownRelease) -> str | None:
    """Return the first release that includes a request, of those of another one's family.

    These are the finals, and for a pre-release that has the request also pre-releases. First is
    what came out first, and never what came out later than an ancestor of its commit. Where that
    commit has tags of two numberings, it is one that counts as the release asked about does. None
    where no release includes the request, where an earlier one may, and for a tag of no family.
    """
    if release.release is None:
        return None
    known, where = view.known, view.matrix.of(number)
    candidates = known.finals(release.release.family)
    if not release.release.final and where.included & _bit(view, release):
        candidates = [*known.prereleases(release), *candidates]
    possible = [
        other
        for other in candidates
        if not (bit := _bit(view, other)) or (where.included | where.undetermined) & bit
    ]
    first = known.first_of(possible, second=known.is_second_numbering(release))
    return first.tag if first is not None and where.included & _bit(view, first) else None


def firsts_shipped(
    view: ReleaseView, number: int, having: Iterable[KnownRelease]
) -> dict[str, None]:
    """Return where a request shipped first, for each family of the releases that include it.

    A family of which only pre-releases have it is told by its first of them.
    """
    by_family: dict[str, KnownRelease] = {}
    for release in having:
        if release.release is not None:
            known = by_family.get(release.release.family)
            if known is None or _goes_before(view, release, known):
                by_family[release.release.family] = release
    tags = (first_shipped(view, number, release) or release.tag for release in by_family.values())
    return dict.fromkeys(tags)


def _goes_before(view: ReleaseView, release: KnownRelease, other: KnownRelease) -> bool:
    """Tell whether a release speaks for its family rather than another: finals, main numbering."""

    def rank(known: KnownRelease) -> tuple[bool, bool]:
        final = known.release is not None and known.release.final
        return final, not view.known.is_second_numbering(known)

    return rank(release) > rank(other)


def _bit(view: ReleaseView, release: KnownRelease) -> int:
    history = view.history
    return history.reach.bit(release.commit) if release.commit in history.graph else 0
