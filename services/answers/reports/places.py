"""Where the requests of a report are, and what was released in its period, where git tells.

Asked at the report's own (T, K), so a report made again says the same. One history is built, or
taken from the cache, for the whole report; each request costs a few operations on sets of tips.
"""

from collections.abc import Iterable
from typing import Final

import msgspec

from events.errors import NotFound
from events.identity import RepositoryKey
from events.instant import Instant
from projections.release_inclusion.answers import counts, first_shipped, is_carrier_only
from projections.release_inclusion.history.carriers import Carrier, CarrierRole
from projections.release_inclusion.view import HistoryCache, KnownRelease, ReleaseView, view
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


class Released(msgspec.Struct, frozen=True, kw_only=True):
    """A release that became visible in the period; None: its commit is not recorded."""

    tag: str
    aliases: tuple[str, ...]
    at: Instant
    evidence: str
    record_id: str
    against: str | None
    new: int | None
    removed: int | None


class Places(msgspec.Struct, frozen=True, kw_only=True):
    """What git tells beside the ledger."""

    released: tuple[Released, ...]
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


def places(
    snapshot: Snapshot,
    repo: RepositoryKey,
    question: ReportQuestion,
    numbers: Iterable[int],
    end: Instant,
    known_at: Instant,
    histories: HistoryCache | None,
) -> Places | None:
    """Return where requests are just before `end` (or at the question's T).

    None where no git history is recorded, or no histories are given: then nobody asked.
    """
    if histories is None:
        return None
    as_of = end - 1 if question.as_of is None else question.as_of
    try:
        seen = view(
            snapshot,
            repo,
            min(as_of, known_at),
            known_at,
            roles=question.roles,
            families=question.families,
            cache=histories,
            aliases=question.aliases,
        )
    except NotFound:
        return None
    found = [one for one in seen.releases if question.period.start <= one.at < end]
    asked = sorted(set(numbers))
    return Places(
        released=tuple(_released(seen, found)),
        requests={number: _placed(seen, number) for number in asked},
        carriers=tuple(number for number in asked if is_carrier_only(seen, number)),
        picks=tuple(one for one in seen.history.carriers if one.role in _BRINGING and one.via),
        syncs=frozenset(number for number in asked if _is_sync(seen, number)),
        takes_back={by: number for number in asked for by in _taken_out_by(seen, number)},
        doubts=tuple(_doubts(seen, found)),
    )


def _released(seen: ReleaseView, found: list[KnownRelease]) -> Iterable[Released]:
    counted = counts(seen, found)
    for one in sorted(found, key=lambda release: (release.at, release.tag)):
        count = counted.get(one.tag)
        yield Released(
            tag=one.tag,
            aliases=one.aliases,
            at=one.at,
            evidence=one.evidence,
            record_id=one.record_id,
            against=count.against.tag if count and count.against else None,
            new=count.new if count else None,
            removed=count.removed if count else None,
        )


def _placed(seen: ReleaseView, number: int) -> Placed:
    history, where = seen.history, seen.matrix.of(number)
    included = where.included
    having = [
        one
        for one in seen.releases
        if one.commit in history.graph and included & history.reach.bit(one.commit)
    ]
    families = {one.release.family: one for one in reversed(having) if one.release is not None}
    firsts = {first_shipped(seen, number, one) or one.tag for one in families.values()}
    return Placed(
        branches=_branches(seen, included),
        partly=_branches(seen, where.partly),
        reverted=_branches(seen, where.reverted),
        releases=tuple(one.tag for one in having),
        first=tuple(one.tag for one in having if one.tag in firsts),
        certain=not where.undetermined,
    )


def _branches(seen: ReleaseView, tips: int) -> tuple[str, ...]:
    history = seen.history
    return tuple(name for name, tip in history.branches.items() if tips & history.reach.bit(tip))


def _is_sync(seen: ReleaseView, number: int) -> bool:
    roles = {one.role for one in seen.history.carriers.of(number)}
    return bool(roles & {CarrierRole.SYNC, CarrierRole.PROMOTION})


def _taken_out_by(seen: ReleaseView, number: int) -> Iterable[int]:
    """Yield the requests whose reverts hold a request down on some branch."""
    history = seen.history
    for name in _branches(seen, seen.matrix.of(number).reverted):
        for carrier in history.carriers.of(number):
            for sha in history.killers(carrier.sha, history.branches[name]):
                by = history.carriers.own(sha)
                if by is not None and by != number:
                    yield by


def _doubts(seen: ReleaseView, found: list[KnownRelease]) -> Iterable[str]:
    if any(ref.evidence == "reconstructed" for ref in seen.refs.values()):
        yield "where branches stood then is reconstructed from their first-parent history"
    assumed = [one.tag for one in found if one.evidence == "assumed"]
    if assumed:
        yield (
            f"when {', '.join(assumed)} appeared was not seen; the commit's date stands for it "
            "(assumed)"
        )
