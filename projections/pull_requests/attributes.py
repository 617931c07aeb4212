"""What of a request is not split into intervals, as it stood at one (T, K).

Each attribute is the most trusted sight of it, and of those the newest up to T. Where it was shown
only afterwards, the first sight has to do, with what its own delivery says was there before: the
old title of an edit, the labels without the one that was given, the draft that became ready. Where
a delivery changed an attribute and does not say from what, it is unknown before.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, Final

import msgspec

from events.facts.base import Trust
from events.facts.pull_request import PullRequestObserved
from events.identity import RepositoryKey
from events.instant import Instant
from projections.pull_requests.observation import (
    Attribute,
    Observation,
    Sighting,
    in_order,
    most_trusted,
)
from projections.pull_requests.queries import sightings_of
from projections.store.snapshot import Snapshot


class Attributes(msgspec.Struct, frozen=True, kw_only=True):
    """What is not split into intervals, as it stood at one (T, K); None: never shown.

    `landing` is the commit that landed it, by the most trusted source that shows one; `landed_by`
    the one that git itself shows, also where GitHub closed the request without a merge.
    `commit_author` is, where no source shows the author, the name that git has for what it brought.
    """

    number: int
    title: str | None = None
    author: str | None = None
    author_is_bot: bool | None = None
    merger: str | None = None
    merger_is_bot: bool | None = None
    draft: bool | None = None
    labels: tuple[str, ...] = ()
    head: str | None = None
    milestone: str | None = None
    landed_by: str | None = None
    recognised_by: str | None = None
    landing: str | None = None
    commit_author: str | None = None

    @property
    def who(self) -> str | None:
        """The author for people: a login, else the name in commits, which says that it is one."""
        return self.author or (f"{self.commit_author} (in git)" if self.commit_author else None)


def attributes_of(
    snapshot: Snapshot,
    repo: RepositoryKey,
    numbers: Iterable[int],
    as_of: Instant,
    known_at: Instant,
) -> dict[int, Attributes]:
    """Return titles, authors, labels and the like as they stood at (T, K)."""
    by_number = sightings_of(snapshot, repo, numbers, known_at)
    return {number: attributes(number, sightings, as_of) for number, sightings in by_number.items()}


def attributes(number: int, sightings: Iterable[Sighting], as_of: Instant) -> Attributes:
    """Fold observations into attributes at T."""
    sightings = tuple(sightings)
    if len(sightings) == 1:
        (sighting,) = sightings
        if isinstance(sighting, Observation) and sighting.fact.at <= as_of:
            return _of_one(number, sighting.fact, as_of)
    every = in_order(sighting for sighting in sightings if isinstance(sighting, Observation))
    past = [observation for observation in every if observation.fact.at <= as_of]
    in_sight = past or every[:1]
    recognised = [
        observation.fact.recognised_by
        for observation in in_sight
        if observation.fact.recognised_by is not None
    ]
    landed_by = [
        observation.fact.merge_commit_sha
        for observation in in_sight
        if observation.fact.trust < Trust.ARCHIVE_FULL
        and observation.fact.merge_commit_sha is not None
    ]
    landings = most_trusted(in_sight, "merge_commit_sha")
    merging = [
        observation
        for observation in every
        if observation.fact.merger is not None
        and (observation.fact.merged_at or observation.fact.at) <= as_of
    ]

    def shown(name: Attribute) -> Any:
        return _shown(past, every, name)

    return Attributes(
        number=number,
        title=shown("title"),
        author=shown("author"),
        author_is_bot=shown("author_is_bot"),
        merger=merging[-1].fact.merger if merging else None,
        merger_is_bot=merging[-1].fact.merger_is_bot if merging else None,
        draft=shown("draft"),
        labels=tuple(sorted(shown("labels") or ())),
        head=shown("head"),
        milestone=shown("milestone"),
        landed_by=landed_by[-1] if landed_by else None,
        recognised_by=recognised[-1] if recognised else None,
        landing=landings[-1].fact.merge_commit_sha if landings else None,
    )


def _of_one(number: int, fact: PullRequestObserved, as_of: Instant) -> Attributes:
    """Return what the one sight of a request shows, as of most that git alone tells of."""
    is_merging = fact.merger is not None and (fact.merged_at or fact.at) <= as_of
    return Attributes(
        number=number,
        title=fact.title,
        author=fact.author,
        author_is_bot=fact.author_is_bot,
        merger=fact.merger if is_merging else None,
        merger_is_bot=fact.merger_is_bot if is_merging else None,
        draft=fact.draft,
        labels=tuple(sorted(fact.labels or ())),
        head=fact.head,
        milestone=fact.milestone,
        landed_by=fact.merge_commit_sha if fact.trust < Trust.ARCHIVE_FULL else None,
        recognised_by=fact.recognised_by,
        landing=fact.merge_commit_sha,
    )


def _shown(past: Sequence[Observation], every: Sequence[Observation], name: Attribute) -> Any:
    trusted = most_trusted(past, name)
    if trusted:
        return getattr(trusted[-1].fact, name)
    later = most_trusted(every, name)
    return _before(later[0].fact, name) if later else None


def _before(fact: PullRequestObserved, name: Attribute) -> Any:
    """Return what an attribute was before a delivery that is the first to show it."""
    changed = _CHANGED_BY.get((name, fact.kind))
    return getattr(fact, name) if changed is None else changed(fact)


def _title_before(fact: PullRequestObserved) -> str | None:
    return fact.title if fact.title_from is None else fact.title_from


def _labels_before(fact: PullRequestObserved) -> tuple[str, ...] | None:
    added, removed = fact.label_added, fact.label_removed
    if fact.labels is None or (added is None and removed is None):
        return None
    before = {label for label in fact.labels if label != added}
    return tuple(before if removed is None else before | {removed})


def _unknown(_: PullRequestObserved) -> None:
    return None


#: (attribute, action) -> what it was before the action.
_CHANGED_BY: Final[Mapping[tuple[Attribute, str], Callable[[PullRequestObserved], Any]]] = {
    ("title", "edited"): _title_before,
    ("labels", "labeled"): _labels_before,
    ("labels", "unlabeled"): _labels_before,
    ("draft", "ready_for_review"): lambda _: True,
    ("draft", "converted_to_draft"): lambda _: False,
    ("milestone", "milestoned"): _unknown,
    ("milestone", "demilestoned"): _unknown,
}
