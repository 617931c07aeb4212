"""Where the requests of a report are, and what was released in its period, where git tells.

Asked at the report's own (T, K), so a report made again says the same. One history is built, or
taken from the cache, for the whole report; each request costs a few operations on sets of tips.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Final

import msgspec

from events.errors import NotFound
from events.identity import RepositoryKey
from events.instant import Instant
from projections.release_inclusion.answers import counts, is_carrier_only
from projections.release_inclusion.history.carriers import Carrier, CarrierRole
from projections.release_inclusion.history.matrix import TipVerdicts
from projections.release_inclusion.known_releases import KnownRelease
from projections.release_inclusion.shipping import firsts_shipped
from projections.release_inclusion.view import HistoryCache, ReleaseView, view
from projections.store.snapshot import Snapshot
from services.answers.questions.question import ReportQuestion

_BRINGING: Final = frozenset({CarrierRole.PICK, CarrierRole.RESTORE})


class Placed(msgspec.Struct, frozen=True, kw_only=True):
    """Where one request's whole change is in force. `first` are the releases in which it shipped
    first, one for each family of tags; `partly` the branches that have some of its commits, and
    `reverted` those that had it.
    """

    branches: tuple[str, ...]
    releases: tuple[str, ...]
    first: tuple[str, ...]
    partly: tuple[str, ...]
    reverted: tuple[str, ...]
    certain: bool
    """False where for some branch or release it cannot be told."""
    traced: bool = True
    """Whether any commit that is recorded shows it."""


class Released(msgspec.Struct, frozen=True, kw_only=True):
    """A release that became visible in the period; None: its commit is not recorded."""

    tag: str
    aliases: tuple[str, ...]
    at: Instant
    evidence: str
    record_id: str
    against: str | None
    new: int | None
    """None also where none of its new commits names a request."""
    removed: int | None
    unattributed: int | None


@dataclass(frozen=True, kw_only=True)
class Places:
    """What git tells beside the ledger."""

    requests: dict[int, Placed]
    carriers: tuple[int, ...]
    """Requests of the report that only brought others."""
    picks: tuple[Carrier, ...]
    """Commits by which one request brought another to a branch, or brought it back."""
    syncs: frozenset[int]
    """Requests of the report that brought one branch to another."""
    takes_back: dict[int, int]
    """Requests that hold down one of the report's on a branch: revert -> target."""
    doubts: tuple[str, ...]
    """What has to be said of dates that this leans on."""
    seen_in: ReleaseView = field(repr=False, compare=False)
    visible: tuple[KnownRelease, ...] = ()
    """The releases that became visible in the period, as the view knows them."""

    @cached_property
    def released(self) -> tuple[Released, ...]:
        """They, with what each brings: counted when it is asked for, as editions do not ask."""
        return tuple(_released(self.seen_in, self.visible))


def places(
    snapshot: Snapshot,
    repo: RepositoryKey,
    question: ReportQuestion,
    numbers: Iterable[int],
    end: Instant,
    known_at: Instant,
    histories: HistoryCache | None,
) -> Places | None:
    """Return where requests are just before `end`, which is no later than the question's T.

    None where no git history is recorded, or no histories are given: then nobody asked.
    """
    if histories is None:
        return None
    try:
        release_view = view(
            snapshot,
            repo,
            min(end - 1, known_at),
            known_at,
            roles=question.roles,
            families=question.families,
            cache=histories,
            aliases=question.aliases,
            schemes=question.schemes,
        )
    except NotFound:
        return None
    releases = tuple(
        release for release in release_view.releases if question.period.start <= release.at < end
    )
    ordered = sorted(set(numbers))
    return Places(
        requests=_placed_of(release_view, ordered),
        carriers=tuple(number for number in ordered if is_carrier_only(release_view, number)),
        picks=tuple(
            carrier
            for carrier in release_view.history.carriers
            if carrier.role in _BRINGING and carrier.via
        ),
        syncs=frozenset(number for number in ordered if _is_sync(release_view, number)),
        takes_back={by: number for number in ordered for by in _taken_out_by(release_view, number)},
        doubts=tuple(_doubts(release_view, releases)),
        seen_in=release_view,
        visible=releases,
    )


def _released(release_view: ReleaseView, releases: Iterable[KnownRelease]) -> Iterable[Released]:
    counted = counts(release_view, releases)
    for release in sorted(releases, key=lambda release: (release.at, release.tag)):
        count = counted.get(release.tag)
        yield Released(
            tag=release.tag,
            aliases=release.aliases,
            at=release.at,
            evidence=release.evidence,
            record_id=release.record_id,
            against=count.against.tag if count and count.against else None,
            new=count.new_known if count else None,
            removed=count.removed if count else None,
            unattributed=count.unattributed if count else None,
        )


def _placed_of(release_view: ReleaseView, numbers: Iterable[int]) -> dict[int, Placed]:
    """Return where requests are; those that stand alike in all tips are looked at once."""
    history = release_view.history
    bits = [
        (release, history.reach.bit(release.commit))
        for release in release_view.releases
        if release.commit in history.graph
    ]
    placed: dict[tuple[TipVerdicts, bool], Placed] = {}
    by_number: dict[int, Placed] = {}
    for number in numbers:
        where = release_view.matrix.of(number)
        alike = where, bool(history.carriers.of(number))
        if alike not in placed:
            having = [release for release, bit in bits if where.included & bit]
            placed[alike] = _placed(release_view, number, where, having)
        by_number[number] = placed[alike]
    return by_number


def _placed(
    release_view: ReleaseView, number: int, where: TipVerdicts, having: Sequence[KnownRelease]
) -> Placed:
    """Return where a request is; `having` are the releases that include it."""
    included = where.included
    firsts = firsts_shipped(release_view, number, having)
    return Placed(
        branches=_branches(release_view, included),
        partly=_branches(release_view, where.partly),
        reverted=_branches(release_view, where.reverted),
        releases=tuple(release.tag for release in having),
        first=tuple(release.tag for release in having if release.tag in firsts),
        certain=not where.undetermined,
        traced=bool(release_view.history.carriers.of(number)),
    )


def _branches(release_view: ReleaseView, tips: int) -> tuple[str, ...]:
    history = release_view.history
    return tuple(name for name, tip in history.branches.items() if tips & history.reach.bit(tip))


def _is_sync(release_view: ReleaseView, number: int) -> bool:
    roles = {carrier.role for carrier in release_view.history.carriers.of(number)}
    return bool(roles & {CarrierRole.SYNC, CarrierRole.PROMOTION})


def _taken_out_by(release_view: ReleaseView, number: int) -> Iterable[int]:
    """Yield the requests whose reverts hold a request down on some branch."""
    history = release_view.history
    for name in _branches(release_view, release_view.matrix.of(number).reverted):
        for carrier in history.carriers.of(number):
            for sha in history.killers(carrier.sha, history.branches[name]):
                by = history.carriers.own(sha)
                if by is not None and by != number:
                    yield by


def _doubts(release_view: ReleaseView, releases: Iterable[KnownRelease]) -> Iterable[str]:
    if any(ref.evidence == "reconstructed" for ref in release_view.refs.values()):
        yield "where branches stood then is reconstructed from their first-parent history"
    assumed = [release.tag for release in releases if release.evidence == "assumed"]
    if assumed:
        yield (
            f"when {', '.join(assumed)} appeared was not seen; the commit's date stands for it "
            "(assumed)"
        )
