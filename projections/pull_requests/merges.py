"""Was the request merged, and when? Two signs, several sources, and what refuses a git merge."""

from collections.abc import Sequence

import msgspec

from events.facts.base import Trust
from events.instant import INF, Instant
from projections.pull_requests.landed import closed_without_merge
from projections.pull_requests.observation import (
    CensusSighting,
    Observation,
    contradicts_itself,
    lacks_outcome,
    shows_merge,
)


class Merge(msgspec.Struct, frozen=True, kw_only=True):
    """A merge at `at` (None where nothing dates it), as it was seen at `seen_at`."""

    at: Instant | None
    seen_at: Instant
    evidence: str
    record_id: str
    flags: tuple[str, ...] = ()


def find_merge(
    observations: Sequence[Observation], censuses: Sequence[CensusSighting], *, is_issue: bool
) -> tuple[Merge | None, tuple[str, ...]]:
    """Return the merge, if there is one, and the reasons for which others were refused.

    A merge shown by a full object absorbs everything. One that only git shows is unconfirmed: it
    counts where nothing better is known, and yields to a full object later than its commit, and to
    a close without merge at any time (see `landed`).
    """
    full = [sighting for sighting in observations if sighting.fact.trust >= Trust.ARCHIVE_FULL]
    merging = [sighting for sighting in full if shows_merge(sighting.fact)]
    if merging:
        return _confirmed(merging), ()
    commits = [sighting for sighting in observations if shows_merge(sighting.fact)]
    if not commits:
        return None, ()
    # the most trusted recognition, then the oldest commit: picks onto other branches come later
    best = min(
        commits, key=lambda sighting: (-sighting.fact.trust, _date(sighting), sighting.order)
    )
    reason = _refusal(best, full, censuses, is_issue=is_issue)
    if reason is not None:
        return None, (reason,)
    return (
        Merge(
            at=_date(best),
            seen_at=best.fact.at,
            evidence="shown" if best.fact.trust is Trust.ARCHIVE_STUB else "git",
            record_id=best.record_id,
            flags=("unconfirmed",),
        ),
        (),
    )


def _confirmed(merging: Sequence[Observation]) -> Merge:
    dated = [sighting for sighting in merging if _date(sighting) != INF]
    contradiction = any(contradicts_itself(sighting.fact) for sighting in merging)
    # the most trusted, then the newest object decides the time, then the delivery that says so
    trust = max(sighting.fact.trust for sighting in dated or merging)
    trusted = [sighting for sighting in dated or merging if sighting.fact.trust == trust]
    at = _date(
        max(trusted, key=lambda sighting: (sighting.fact.merged_at is not None, sighting.order))
    )
    proof = min(
        (sighting for sighting in trusted if _date(sighting) == at),
        key=lambda sighting: (sighting.fact.kind != "closed", sighting.order),
    )
    return Merge(
        at=None if at == INF else at,
        seen_at=proof.fact.at,
        evidence="stated" if proof.fact.kind == "closed" else "shown",
        record_id=proof.record_id,
        flags=("contradiction",) if contradiction else (),
    )


def _date(sighting: Observation) -> Instant:
    """Merging closes, so the close dates a merge too; `updated_at` never does."""
    if sighting.fact.merged_at is not None:
        return sighting.fact.merged_at
    return INF if sighting.fact.closed_at is None else sighting.fact.closed_at


def _refusal(
    commit: Observation,
    full: Sequence[Observation],
    censuses: Sequence[CensusSighting],
    *,
    is_issue: bool,
) -> str | None:
    number, at = commit.fact.number, _date(commit)
    if is_issue and not full:
        return f"#{number} is an issue"
    for listing in censuses:
        census = listing.fact
        if census.complete and census.at >= at and number > census.highest_number:
            return f"no request #{number} existed when all were listed"
    if full and closed_without_merge(full):
        return "GitHub shows it closed without merge"
    if any(sighting.fact.at > at and not lacks_outcome(sighting.fact) for sighting in full):
        return "a later full object does not show it as merged"
    return None
