"""Answers about releases: one request in one release, all of a release, all of a request. Pure.

They are computed from a `ReleaseView` and hold no text; words come from
`services.answers.releases`.
"""

from collections.abc import Iterable, Iterator

import msgspec

from events.errors import NotFound
from projections.release_inclusion.history.history import History
from projections.release_inclusion.history.twins import twin_tips
from projections.release_inclusion.history.verdicts import Verdict, verdict
from projections.release_inclusion.known_releases import KnownRelease
from projections.release_inclusion.shipping import first_shipped
from projections.release_inclusion.view import ReleaseView


class Inclusion(msgspec.Struct, frozen=True, kw_only=True):
    """Whether one request is in one release. `first` is where it shipped first (`shipping.py`)."""

    release: KnownRelease
    against: KnownRelease | None
    verdict: Verdict
    first: str | None


class BranchEntry(msgspec.Struct, frozen=True, kw_only=True):
    """A long-lived branch that a request's change is in, and with which commit it entered."""

    branch: str
    commit: str
    verdict: Verdict


class ReleaseContents(msgspec.Struct, frozen=True, kw_only=True):
    """What a release brings against another one. Numbers of requests, ascending."""

    release: KnownRelease
    against: KnownRelease | None
    new: tuple[Verdict, ...]
    removed: tuple[Verdict, ...]
    reverted: tuple[Verdict, ...]
    partly: tuple[Verdict, ...]
    undetermined: tuple[Verdict, ...]
    """Requests that may be among the others; none on which both releases must answer alike."""
    carriers: tuple[int, ...]
    """Requests that only brought others (cherry-picks, syncs, promotions)."""
    unattributed: tuple[str, ...]
    """Commits that are new and carry no request, newest first."""
    missing: tuple[str, ...]
    """Commits that the history lacks; while there are any, nothing is complete."""


def inclusion(view: ReleaseView, number: int, release: KnownRelease) -> Inclusion:
    """Answer for one request and one release; raise NotFound for a number nobody ever saw."""
    _require(view, number)
    against = view.predecessor(release)
    tip = None if against is None else against.commit
    return Inclusion(
        release=release,
        against=against,
        verdict=verdict(view.history, number, release.commit, against=tip),
        first=first_shipped(view, number, release),
    )


def branches(view: ReleaseView, number: int) -> list[BranchEntry]:
    """Return the long-lived branches that a request's change has entered, main ones first."""
    entered = []
    for name, tip in view.history.branches.items():
        answer = verdict(view.history, number, tip)
        carriers = [c for c in answer.carriers if view.history.is_alive(c.sha, tip)]
        if answer.outcome in ("included", "partly") and carriers:
            line = view.history.line(tip)
            entries = [entry for c in carriers if (entry := line.entry(c.sha)) is not None]
            first = min(entries, key=lambda sha: line.position(sha) or 0)
            entered.append(BranchEntry(branch=name, commit=first, verdict=answer))
    return entered


def contents(
    view: ReleaseView, release: KnownRelease, against: KnownRelease | None
) -> ReleaseContents:
    """Return what a release brings against another (None: against nothing)."""
    history = view.history
    tip = None if against is None else against.commit
    carriers = {number for number in history.carriers.numbers() if is_carrier_only(view, number)}
    verdicts = [
        verdict(history, number, release.commit, against=tip)
        for number in history.carriers.numbers()
        if number not in carriers
        and not _stays(view, number, release.commit, tip)
        and _touches(view, number, release.commit)
        and history.reach.bit(release.commit) & ~twin_tips(history, number)
    ]
    fresh = _new_commits(view, release, against)
    return ReleaseContents(
        release=release,
        against=against,
        new=tuple(v for v in verdicts if v.outcome == "included" and v.new is not False),
        removed=tuple(v for v in verdicts if v.outcome == "removed"),
        reverted=tuple(
            v for v in verdicts if v.outcome == "reverted" and not fresh.isdisjoint(_shas(v))
        ),
        partly=tuple(v for v in verdicts if v.outcome == "partly" and v.new is not False),
        undetermined=tuple(
            v for v in verdicts if v.outcome == "undetermined" and _may_differ(view, v, against)
        ),
        carriers=tuple(sorted(n for n in carriers if not fresh.isdisjoint(_of(view, n)))),
        unattributed=_unattributed(view, fresh),
        missing=_missing(view, *([release] if against is None else [release, against])),
    )


def is_carrier_only(view: ReleaseView, number: int) -> bool:
    """Tell whether a request only brought others: a cherry-pick, a sync, a promotion."""
    return view.sums.only_brings(number)


def _require(view: ReleaseView, number: int) -> None:
    if number not in view.requests and not view.history.carriers.of(number):
        raise NotFound(f"nothing is recorded of #{number} as known then")


def _missing(view: ReleaseView, *releases: KnownRelease) -> tuple[str, ...]:
    return tuple(
        sorted({sha for release in releases for sha in view.history.missing_of(release.commit)})
    )


def _touches(view: ReleaseView, number: int, tip: str) -> bool:
    if tip not in view.history.graph:
        return False
    return any(view.history.is_in(c.sha, tip) for c in view.history.carriers.of(number))


def _stays(view: ReleaseView, number: int, tip: str, before: str | None) -> bool:
    """Tell whether a request is in both commits, as a whole or in part: then it is told in none."""
    graph = view.history.graph
    if before is None or before not in graph or tip not in graph:
        return False
    both = view.history.reach.bit(tip) | view.history.reach.bit(before)
    where = view.matrix.of(number)
    return both in (where.included & both, where.partly & both)


def _may_differ(view: ReleaseView, answer: Verdict, against: KnownRelease | None) -> bool:
    """Tell whether what decides about a request is not the same in the release and before it."""
    if against is None or against.commit not in view.history.graph:
        return True
    return view.history.differs(answer.number, answer.tip, against.commit)


def _new_commits(
    view: ReleaseView, release: KnownRelease, against: KnownRelease | None
) -> frozenset[str]:
    graph = view.history.graph
    if release.commit not in graph:
        return frozenset()
    before = against.commit if against is not None and against.commit in graph else None
    return frozenset(view.history.reach.between(release.commit, before))


def _unattributed(view: ReleaseView, fresh: frozenset[str]) -> tuple[str, ...]:
    plain = _plain(view.history, fresh)
    return tuple(sorted(plain, key=view.history.graph.rank, reverse=True))


def _plain(history: History, shas: Iterable[str]) -> Iterator[str]:
    """Yield the commits that carry no request and are no merges."""
    speaking = {revert.sha for revert in history.resolution.reverts}
    for sha in shas:
        if not history.carriers.at(sha) and sha not in speaking and not history.graph.is_merge(sha):
            yield sha


def _shas(answer: Verdict) -> set[str]:
    return {carrier.sha for carrier in answer.carriers}


def _of(view: ReleaseView, number: int) -> set[str]:
    return {carrier.sha for carrier in view.history.carriers.of(number)}


class ReleaseCounts(msgspec.Struct, frozen=True, kw_only=True):
    """Requests that are new against the release before, and that it lacks again."""

    against: KnownRelease | None
    new: int
    removed: int
    unattributed: int
    """Commits that are new and carry no request."""

    @property
    def new_known(self) -> int | None:
        """How many requests are new; None where none of its new commits names one."""
        return self.new if self.new or not self.unattributed else None


def counts(view: ReleaseView, releases: Iterable[KnownRelease]) -> dict[str, ReleaseCounts]:
    """Return the counts of releases by tag; a release whose commit is not recorded has none."""
    history = view.history
    counted = {}
    for release in releases:
        if release.commit not in history.graph:
            continue
        against = view.predecessor(release)
        known = against is not None and against.commit in history.graph
        before = against.commit if against is not None and known else None
        between = view.sums.between(release.commit, before)
        counted[release.tag] = ReleaseCounts(
            against=against,
            new=between.new,
            removed=between.removed,
            unattributed=between.unattributed,
        )
    return counted
