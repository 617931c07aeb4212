"""What drift is: its kinds, the gravest first, since when it is, and who knows of it. Pure."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from enum import StrEnum

import msgspec
from msgspec.structs import replace

from events.facts.roadmap import DriftAcknowledged
from events.identity import derived_id
from events.instant import Instant
from projections.repositories.branch_roles import BranchRoles
from projections.roadmap_status.drift.release_holds import ReleaseHolds
from projections.roadmap_status.issues import Version
from projections.roadmap_status.status.judging import JudgedItem
from projections.roadmap_status.status.parts import Part


class DriftKind(StrEnum):
    """One way to differ, the gravest first."""

    ABSENT = "claimed delivered, not there"
    ELSEWHERE = "claimed delivered, only on another branch"
    REVERTED = "claimed delivered, reverted"
    NOT_IN_RELEASE = "claimed in a release, not in it"
    TARGET_PASSED = "target release passed"
    WRONG_DATE = "claimed date wrong"
    CLAIMED_OPEN = "delivered, claimed open"
    CLAIMED_DROPPED = "delivered, claimed dropped"
    STALE = "stale"

    @property
    def severity(self) -> int:
        """Return its place: 1 is the gravest."""
        return list(DriftKind).index(self) + 1


class Drift(msgspec.Struct, frozen=True, kw_only=True):
    """One difference. `text` says it in words; `record_id` is the record that caused it."""

    kind: DriftKind
    text: str
    links: tuple[str, ...] = ()
    of_link: bool = False
    """It is about what the text says of single links, not of the item."""
    since: Instant | None = None
    record_id: str = ""
    digest: str = ""
    """What an acknowledgement covers: it changes with the claim and with the facts."""
    acknowledged: DriftAcknowledged | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class DriftContext:
    """What claims are tested with."""

    roles: BranchRoles
    default: str
    """The branch on which "delivered" without a branch is tested."""
    releases: ReleaseHolds
    moment: Instant

    def is_on(self, claimed: str, branches: Iterable[str]) -> bool:
        """Tell whether branches have the one that a text names, by its name or by its part."""
        return any(claimed in (branch, self.roles.role(branch)) for branch in branches)


def completed(
    drifts: Iterable[Drift],
    judged: JudgedItem,
    claimed: Version,
    acknowledged: Sequence[tuple[str, DriftAcknowledged]],
    moment: Instant,
) -> tuple[Drift, ...]:
    """Return drifts with since when they are, by which record, and whether a person knows them;
    the gravest first, each once.
    """
    done: dict[tuple[DriftKind, tuple[str, ...]], Drift] = {}
    for drift in sorted(drifts, key=lambda drift: drift.kind.severity):
        since, record_id = drift.since, drift.record_id
        if since is None:
            since, record_id = judged.status.since, judged.status.record_id
        if since is None or claimed.at >= since:
            since, record_id = claimed.at, claimed.record_id
        digest = _digest(drift, judged)
        quiet = [
            decision
            for _, decision in acknowledged
            if decision.digest == digest and decision.item == judged.id
        ]
        acknowledgement = quiet[-1] if quiet and quiet[-1].holds else None
        if (
            acknowledgement is not None
            and acknowledgement.expires_at is not None
            and acknowledgement.expires_at <= moment
        ):
            acknowledgement = None
        done.setdefault(
            (drift.kind, drift.links),
            replace(
                drift, since=since, record_id=record_id, digest=digest, acknowledged=acknowledgement
            ),
        )
    return tuple(done.values())


def _digest(drift: Drift, judged: JudgedItem) -> str:
    item, status = judged.match.item, judged.status
    facts = [
        f"{part.name} {part.role} {part.state.outcome} {','.join(part.state.branches)}"
        for part in judged.parts
        if part.name in drift.links or not drift.links
    ]
    claim = item.claim
    names = [release.name for release in claim.releases]
    claimed = (claim.state, *claim.branches, *names, claim.box or "")
    parts = (drift.kind, *drift.links, *claimed, status.kind, *status.branches, *facts)
    return derived_id("drift", judged.id, *parts)[:16]


def parts_by_key(parts: Iterable[Part]) -> dict[tuple[str, int], Part]:
    """Return parts by what two links to one target share."""
    return {part.link.reference.key: part for part in parts}
