"""One item of a roadmap with its claim, its evidence and its drift, as programs read it."""

import msgspec

from projections.roadmap_status.context import RoadmapContext, ViewedItem
from projections.roadmap_status.drift.drift import Drift
from projections.roadmap_status.drift.release_holds import Extent
from projections.roadmap_status.editions.identity import Match
from projections.roadmap_status.status.facts import Landing
from projections.roadmap_status.status.parts import Part
from projections.roadmap_status.status.subs import SubIssue
from services.answers.reports.wording import rfc3339


class ClaimedRelease(msgspec.Struct, frozen=True, kw_only=True):
    """A release that a text names; `target`: as the one it is meant for."""

    name: str
    target: bool


class ClaimAnswer(msgspec.Struct, frozen=True, kw_only=True):
    """What the text says of an item."""

    state: str
    text: str
    branches: tuple[str, ...]
    releases: tuple[ClaimedRelease, ...]
    box: str | None
    tested_on: str | None


class LandingAnswer(msgspec.Struct, frozen=True, kw_only=True):
    """When a branch had got something."""

    branch: str
    at: str | None
    commit: str | None


class LinkAnswer(msgspec.Struct, frozen=True, kw_only=True):
    """A link with its role and the state of what it leads to."""

    link: str
    kind: str
    role: str
    state: str
    branches: tuple[str, ...]
    moved_to: str | None
    since: str | None
    title: str | None
    note: str | None
    decided_by: str | None
    record: str | None


class SubIssueAnswer(msgspec.Struct, frozen=True, kw_only=True):
    """An issue that is a part of another one."""

    link: str
    parent: int
    title: str | None
    state: str
    since: str | None
    record: str | None


class AcknowledgementAnswer(msgspec.Struct, frozen=True, kw_only=True):
    """Who lets a drift be, and why."""

    author: str
    reason: str
    at: str | None
    expires_at: str | None


class DriftAnswer(msgspec.Struct, frozen=True, kw_only=True):
    """Where text and facts differ; `severity` 1 is the gravest."""

    kind: str
    severity: int
    text: str
    links: tuple[str, ...]
    since: str | None
    record: str | None
    digest: str
    acknowledged: AcknowledgementAnswer | None


class HintAnswer(msgspec.Struct, frozen=True, kw_only=True):
    """Something that a person may want to look at."""

    kind: str
    about: tuple[str, ...]


class RecognisedAnswer(msgspec.Struct, frozen=True, kw_only=True):
    """Why an item has its id: by what it was matched with one of the edition before."""

    method: str
    score: float
    before: str | None
    shared_links: tuple[str, ...]
    split_from: str | None


class ItemAnswer(msgspec.Struct, frozen=True, kw_only=True):
    """One item: what the text claims, what is true, where the two differ."""

    id: str
    parent: str | None
    title: str
    section: tuple[str, ...]
    line: int
    claim: ClaimAnswer
    status: str
    basis: str
    draft: bool
    branches: tuple[str, ...]
    scattered: bool
    since: str | None
    because: tuple[str, ...]
    left: tuple[str, ...]
    at_least: bool
    landed: tuple[LandingAnswer, ...]
    releases: tuple[str, ...]
    links: tuple[LinkAnswer, ...]
    sub_issues: tuple[SubIssueAnswer, ...]
    drift: tuple[DriftAnswer, ...]
    hints: tuple[HintAnswer, ...]
    evidence: tuple[str, ...]
    recognised: RecognisedAnswer
    owners: tuple[str, ...]


def item_answer(context: RoadmapContext, viewed: ViewedItem) -> ItemAnswer:
    """Return one item."""
    judged = viewed.judged
    item, status = judged.match.item, judged.status
    return ItemAnswer(
        id=judged.id,
        parent=judged.match.parent,
        title=item.title,
        section=tuple(item.section),
        line=item.line,
        claim=_claim(context, viewed),
        status=status.kind.value,
        basis=status.basis.value,
        draft=status.draft,
        branches=tuple(status.branches),
        scattered=status.scattered,
        since=rfc3339(status.since),
        because=tuple(status.because),
        left=tuple(status.left),
        at_least=status.at_least,
        landed=tuple(map(landing_answer, status.landings)),
        releases=releases_with(context, viewed),
        links=tuple(map(_link, judged.parts)),
        sub_issues=tuple(map(sub_issue_answer, viewed.sub_issues)),
        drift=tuple(map(_drift, viewed.drift)),
        hints=tuple(
            HintAnswer(kind=hint.kind.value, about=tuple(hint.about)) for hint in viewed.hints
        ),
        evidence=evidence(viewed),
        recognised=_recognised(judged.match),
        owners=tuple(item.owners),
    )


def evidence(viewed: ViewedItem) -> tuple[str, ...]:
    """Return the records that decided the status and the drift of an item."""
    records = [viewed.judged.status.record_id]
    records += (part.state.record_id for part in viewed.judged.counted)
    records += (drift.record_id for drift in viewed.drift)
    return tuple(record for record in dict.fromkeys(records) if record)


def releases_with(context: RoadmapContext, viewed: ViewedItem) -> tuple[str, ...]:
    """Return the releases that hold the whole of an item."""
    if not viewed.judged.status.landings:
        return ()
    holdings = context.drift_context.releases.of(viewed.judged.counted)
    return tuple(holding.release.tag for holding in holdings if holding.extent is Extent.WHOLE)


def _claim(context: RoadmapContext, viewed: ViewedItem) -> ClaimAnswer:
    claim = viewed.judged.match.item.claim
    tested = claim.state.done and not claim.branches
    return ClaimAnswer(
        state=claim.state.value,
        text=claim.text,
        branches=tuple(claim.branches),
        releases=tuple(
            ClaimedRelease(name=release.name, target=release.target) for release in claim.releases
        ),
        box=None if claim.box is None else claim.box.value,
        tested_on=context.drift_context.default if tested else None,
    )


def _link(part: Part) -> LinkAnswer:
    state = part.state
    return LinkAnswer(
        link=part.name,
        kind=part.link.kind.value,
        role=part.role.value,
        state=state.outcome.value,
        branches=tuple(state.branches),
        moved_to=None if state.moved_to is None else str(state.moved_to),
        since=rfc3339(state.since),
        title=part.title or None,
        note=part.link.note or None,
        decided_by=part.decided.author if part.decided else None,
        record=state.record_id or None,
    )


def sub_issue_answer(part: SubIssue) -> SubIssueAnswer:
    """Return one part of an issue."""
    return SubIssueAnswer(
        link=str(part.reference),
        parent=part.parent,
        title=part.title or None,
        state=part.state.outcome.value,
        since=rfc3339(part.state.since),
        record=part.state.record_id or None,
    )


def _drift(drift: Drift) -> DriftAnswer:
    acknowledgement = drift.acknowledged
    return DriftAnswer(
        kind=drift.kind.value,
        severity=drift.kind.severity,
        text=drift.text,
        links=tuple(drift.links),
        since=rfc3339(drift.since),
        record=drift.record_id or None,
        digest=drift.digest,
        acknowledged=None
        if acknowledgement is None
        else AcknowledgementAnswer(
            author=acknowledgement.author,
            reason=acknowledgement.reason,
            at=rfc3339(acknowledgement.decided_at),
            expires_at=rfc3339(acknowledgement.expires_at),
        ),
    )


def _recognised(match: Match) -> RecognisedAnswer:
    return RecognisedAnswer(
        method=match.method.value,
        score=match.score,
        before=match.before or None,
        shared_links=tuple(match.shared),
        split_from=match.split_from,
    )


def landing_answer(landing: Landing) -> LandingAnswer:
    return LandingAnswer(
        branch=landing.branch, at=rfc3339(landing.at), commit=landing.commit or None
    )
