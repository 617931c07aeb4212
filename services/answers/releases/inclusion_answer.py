"""Where a request is, and what waits for a person, as programs read it.

Times are RFC 3339 in UTC.
"""

from collections.abc import Iterable

import msgspec

from projections.release_inclusion.history.carriers import Carrier
from projections.release_inclusion.ports import Port
from services.answers.releases.asked import Asked, asked_fields
from services.answers.releases.context import ResolvedQuestion
from services.answers.releases.inclusion import Everywhere, Inclusion
from services.answers.releases.reviews import Reviews, Waiting
from services.answers.reports.wording import commit_author, rfc3339


class CarrierAnswer(msgspec.Struct, frozen=True, kw_only=True):
    """A commit that carries a request; `via` is the request that brought it."""

    sha: str
    role: str
    method: str
    landing: str
    via: int | None


class EvidenceAnswer(msgspec.Struct, frozen=True, kw_only=True):
    """One thing that decided: a commit, a ref or a request, with the record that showed it."""

    kind: str
    name: str
    record: str | None


class PortAnswer(msgspec.Struct, frozen=True, kw_only=True):
    """How far a change group has come to the default branch."""

    number: int
    branch: str
    state: str
    by: tuple[int, ...]
    only_on: tuple[str, ...]


class InclusionAnswer(msgspec.Struct, frozen=True, kw_only=True):
    """Is a request in a tag or branch: the verdict, its sentence, the route, the evidence.

    `by` are requests; `carriers` the commits of the request in the tag.
    """

    release: str
    ref: str
    aliases: tuple[str, ...]
    number: int
    verdict: str
    sentence: str
    because: str
    how: str | None
    by: tuple[int, ...]
    first_shipped_in: str | None
    against: str | None
    new: bool | None
    brings: tuple[int, ...]
    lacks: tuple[str, ...]
    """What a release that has it lacks about it, a sentence each: hints."""
    carriers: tuple[CarrierAnswer, ...]
    evidence: tuple[EvidenceAnswer, ...]
    missing: tuple[str, ...]
    commit: str
    at: str | None
    dated_by: str
    notes: tuple[str, ...]
    as_of: str | None
    known_at: str | None
    settled: bool


class EverywhereAnswer(Asked, frozen=True, kw_only=True):
    """Where one request is: every branch, every release."""

    number: int
    title: str | None
    author: str | None
    commit_author: str | msgspec.UnsetType = msgspec.UNSET
    port: PortAnswer | None
    branches: tuple[InclusionAnswer, ...]
    releases: tuple[InclusionAnswer, ...]


class WaitingAnswer(msgspec.Struct, frozen=True, kw_only=True):
    """A question to a person about one commit."""

    id: str
    sha: str
    subject: str
    at: str | None
    says: str
    role: str
    numbers: tuple[int, ...]
    targets: tuple[str, ...]
    recognised_by: str
    looks_like: str | None
    """The commit that it may pick, revert or restore, where one is named."""
    answers: int
    """How many answers hang on it: a request in a release or on a long-lived branch."""
    record: str


class DecidedAnswer(msgspec.Struct, frozen=True, kw_only=True):
    """What a person decided of a mention."""

    id: str
    sha: str
    role: str
    holds: bool
    number: int | None
    author: str
    decided_at: str | None
    reason: str


class ReviewsAnswer(Asked, frozen=True, kw_only=True):
    """What waits for a person, and what was decided."""

    waiting: tuple[WaitingAnswer, ...]
    decided: tuple[DecidedAnswer, ...]


def inclusion_answer(asked: ResolvedQuestion, inclusion: Inclusion) -> InclusionAnswer:
    """Return one answer."""
    verdict, subject = inclusion.verdict, inclusion.subject
    return InclusionAnswer(
        release=subject.name,
        ref=subject.ref,
        aliases=subject.release.aliases if subject.release else (),
        number=inclusion.number,
        verdict=verdict.outcome,
        sentence=inclusion.sentence,
        because=inclusion.because,
        how=verdict.how,
        by=verdict.by,
        first_shipped_in=inclusion.first,
        against=inclusion.against,
        new=verdict.new,
        brings=inclusion.brings,
        lacks=inclusion.lacks,
        carriers=carrier_answers(verdict.carriers),
        evidence=tuple(
            EvidenceAnswer(kind=piece.kind, name=piece.name, record=piece.record_id)
            for piece in inclusion.evidence
        ),
        missing=verdict.missing,
        commit=subject.commit,
        at=rfc3339(subject.at),
        dated_by=subject.evidence,
        notes=subject.notes,
        as_of=rfc3339(asked.as_of),
        known_at=rfc3339(asked.known_at),
        settled=asked.settled,
    )


def everywhere_answer(everywhere: Everywhere) -> EverywhereAnswer:
    """Return all answers for one request."""
    asked, attributes = everywhere.asked, everywhere.attributes
    return EverywhereAnswer(
        **asked_fields(asked),
        number=everywhere.number,
        title=attributes.title if attributes else None,
        author=attributes.author if attributes else None,
        commit_author=commit_author(attributes),
        port=port_answer(everywhere.port),
        branches=tuple(inclusion_answer(asked, branch) for branch in everywhere.branches),
        releases=tuple(inclusion_answer(asked, release) for release in everywhere.releases),
    )


def reviews_answer(reviews: Reviews) -> ReviewsAnswer:
    """Return what waits for a person, and what was decided."""
    return ReviewsAnswer(
        **asked_fields(reviews.asked),
        waiting=tuple(map(_waiting, reviews.waiting)),
        decided=tuple(
            DecidedAnswer(
                id=name,
                sha=decision.sha,
                role=decision.role,
                holds=decision.holds,
                number=decision.number,
                author=decision.author,
                decided_at=rfc3339(decision.decided_at),
                reason=decision.reason,
            )
            for name, decision in reviews.decided.items()
        ),
    )


def port_answer(port: Port | None) -> PortAnswer | None:
    """Return how far a change group has come to the default branch."""
    if port is None:
        return None
    return PortAnswer(
        number=port.number,
        branch=port.branch,
        state=port.state,
        by=tuple(port.by),
        only_on=tuple(port.on),
    )


def carrier_answers(carriers: Iterable[Carrier]) -> tuple[CarrierAnswer, ...]:
    """Return the commits that carry a request."""
    return tuple(
        CarrierAnswer(
            sha=carrier.sha,
            role=carrier.role.value,
            method=carrier.method.value,
            landing=carrier.landing,
            via=carrier.via,
        )
        for carrier in carriers
    )


def _waiting(waiting: Waiting) -> WaitingAnswer:
    mentions = waiting.item.mentions
    return WaitingAnswer(
        id=waiting.item.id,
        sha=waiting.item.sha,
        subject=waiting.commit.commit.subject,
        at=rfc3339(waiting.commit.commit.committed_at),
        says=waiting.says,
        role=mentions[0].mention.role.value,
        numbers=waiting.item.subject_numbers,
        targets=tuple(sorted({target for mention in mentions for target in mention.targets})),
        recognised_by=mentions[0].mention.method,
        looks_like=mentions[0].mention.sha,
        answers=waiting.item.answers,
        record=waiting.commit.record_id,
    )
