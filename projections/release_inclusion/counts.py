"""How many requests releases bring and take away, for lists of many releases.

Counts what `answers.contents` lists, from the sets of the matrix.
"""

from collections.abc import Iterable
from dataclasses import dataclass

from projections.release_inclusion.answers import is_carrier_only
from projections.release_inclusion.view import KnownRelease, ReleaseView


@dataclass(frozen=True, slots=True, kw_only=True)
class ReleaseCounts:
    """Requests that are new against the release before, and that it lacks again."""

    against: KnownRelease | None
    new: int
    removed: int


def counts(view: ReleaseView, releases: Iterable[KnownRelease]) -> dict[str, ReleaseCounts]:
    """Return the counts of releases by tag; a release whose commit is not recorded has none."""
    history = view.history
    numbers = [n for n in history.carriers.numbers() if not is_carrier_only(view, n)]
    found = [view.matrix.of(number) for number in numbers]
    counted = {}
    for release in releases:
        if release.commit not in history.graph:
            continue
        against = view.predecessor(release)
        bit = history.reach.bit(release.commit)
        known = against is not None and against.commit in history.graph
        before = history.reach.bit(against.commit) if against and known else 0
        counted[release.tag] = ReleaseCounts(
            against=against,
            new=sum(bool(w.included & bit) and not w.included & before for w in found),
            removed=sum(bool(w.reverted & bit and w.present & before) for w in found),
        )
    return counted
