"""Observations: what one record showed of one number, and how they are put in order.

Nothing here depends on arrival: order comes from the source's own times, from the lifecycle, from
links between snapshots (`changes.from`, single label changes), and last from the digest of what
was stated: equal statements of two deliveries are one.
"""

from collections.abc import Iterable, Sequence
from itertools import groupby, permutations
from typing import Final, Literal, TypeAlias

import msgspec

from events.facts.issue import IssueObserved
from events.facts.pull_request import PullRequestObserved
from events.facts.repository import CensusObserved
from events.instant import Instant


class Observation(msgspec.Struct, frozen=True, kw_only=True):
    """One snapshot of one pull request, with where it came from.

    As it is stored, the fact's `body` is the digest of the text (`texts.text_digest`).
    """

    k: Instant
    idx: int
    record_id: str
    source: str
    digest: str
    fact: PullRequestObserved

    @property
    def order(self) -> tuple[Instant, int, str, str, int]:
        """A total order by the source's own time that no arrival can change."""
        return (self.fact.at, lifecycle(self.fact), self.digest, self.record_id, self.idx)


class IssueSighting(msgspec.Struct, frozen=True, kw_only=True):
    """The number was shown to be an issue."""

    k: Instant
    idx: int
    record_id: str
    source: str
    digest: str
    fact: IssueObserved


class CensusSighting(msgspec.Struct, frozen=True, kw_only=True):
    """All requests of the repository were listed."""

    k: Instant
    record_id: str
    fact: CensusObserved


Sighting: TypeAlias = Observation | IssueSighting
Attribute: TypeAlias = Literal[
    "base",
    "title",
    "body",
    "labels",
    "draft",
    "author",
    "author_is_bot",
    "head",
    "milestone",
    "merge_commit_sha",
]

#: So many snapshots of one second are tried in every order; more are chained greedily.
_TRIED: Final = 5

OPENED, NEUTRAL, CONVERTED, REOPENED, CLOSED_UNKNOWN, CLOSED, MERGED = range(7)
_KINDS: Final = {
    "opened": OPENED,
    "converted_to_draft": CONVERTED,
    "ready_for_review": CONVERTED,
    "reopened": REOPENED,
}


def without_copies(sightings: Iterable[Sighting]) -> list[Sighting]:
    """Keep of equal statements the one that was known first.

    A second hook sends each event under another id. Its copy says nothing new, so it must not take
    the place of the record that is the evidence.
    """
    first: dict[PullRequestObserved | IssueObserved, Sighting] = {}
    for sighting in sightings:
        known = first.setdefault(sighting.fact, sighting)
        if (sighting.k, sighting.idx) < (known.k, known.idx):
            first[sighting.fact] = sighting
    return list(first.values())


def shows_merge(fact: PullRequestObserved) -> bool:
    """Tell whether a snapshot shows the request as merged; either sign is enough."""
    return fact.merged_at is not None or fact.merged is True


def contradicts_itself(fact: PullRequestObserved) -> bool:
    """Tell whether the two signs of a merge disagree."""
    return fact.merged_at is not None and fact.merged is False


def lacks_outcome(fact: PullRequestObserved) -> bool:
    """Tell whether this is a close whose own object does not show it (MODEL.md 3)."""
    if fact.kind != "closed" or shows_merge(fact):
        return False
    return fact.state != "closed" or fact.closed_at is None


def lifecycle(fact: PullRequestObserved) -> int:
    """Return the rank that settles ties within one second."""
    if shows_merge(fact):
        return MERGED
    if lacks_outcome(fact):
        return CLOSED_UNKNOWN
    if fact.kind == "closed":
        return CLOSED
    return _KINDS.get(fact.kind, NEUTRAL)


def in_order(observations: Iterable[Observation]) -> list[Observation]:
    """Sort observations by valid time, so that each follows from the one before where one can.

    Within one second links decide (`changes.from`, single label changes), and only then the
    lifecycle and the digest: how far a request had come says nothing about its labels.
    """
    ranked = sorted(observations, key=lambda sighting: sighting.order)
    if len(ranked) < 2:
        return ranked
    ordered: list[Observation] = []
    for _, tied in groupby(ranked, key=lambda sighting: sighting.fact.at):
        ordered += _linked(list(tied), ordered[-1].fact if ordered else None)
    return ordered


def _linked(run: list[Observation], before: PullRequestObserved | None) -> list[Observation]:
    """Order the snapshots of one second; `run` comes in the order that holds without links."""
    if len(run) == 1 or _total_misfit(run, before) == 0:
        return run
    if len(run) <= _TRIED:
        # permutations() begins with the given order and min() keeps the first of equals
        return list(min(permutations(run), key=lambda order: _total_misfit(order, before)))
    left, chain = list(run), []
    while left:
        best = min(left, key=lambda sighting: _misfit(before, sighting.fact))
        left.remove(best)
        chain.append(best)
        before = best.fact
    return chain


def _total_misfit(order: Iterable[Observation], before: PullRequestObserved | None) -> int:
    total = 0
    for sighting in order:
        total += _misfit(before, sighting.fact)
        before = sighting.fact
    return total


def _misfit(before: PullRequestObserved | None, after: PullRequestObserved) -> int:
    """Count the fields in which `after` does not follow from `before` by its own change."""
    if before is None:
        # nothing came before: a change away from something is the least likely first one
        return sum(x is not None for x in (after.base_from, after.title_from, after.label_removed))
    misfit = 0
    if after.base is not None and before.base is not None:
        misfit += (after.base_from or after.base) != before.base
    if after.title is not None and before.title is not None:
        misfit += (after.title_from or after.title) != before.title
    if after.labels is not None and before.labels is not None:
        expected = set(before.labels)
        if after.label_added is not None:
            expected.add(after.label_added)
        if after.label_removed is not None:
            expected.discard(after.label_removed)
        misfit += set(after.labels) != expected
    return misfit


def most_trusted(observations: Sequence[Observation], attribute: Attribute) -> list[Observation]:
    """Keep those that show an attribute, of the greatest trust that shows it, in their order."""
    showing = [
        sighting for sighting in observations if getattr(sighting.fact, attribute) is not None
    ]
    if len(showing) < 2:  # most requests of a git import were seen once
        return showing
    trust = max(sighting.fact.trust for sighting in showing)
    return [sighting for sighting in showing if sighting.fact.trust == trust]
