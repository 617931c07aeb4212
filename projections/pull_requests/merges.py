"""Was the request merged, and when? Two signs, several sources, and what refuses a git merge."""

from collections.abc import Sequence

import msgspec

from events.facts.base import Trust
from events.instant import INF, Instant
from projections.pull_requests.observation import (
    CensusSighting,
    Observation,
    contradicts_itself,
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
    counts where nothing better is known, and yields to a full object later than its commit.
    """
    full = [seen for seen in observations if seen.fact.trust >= Trust.ARCHIVE_FULL]
    shown = [seen for seen in full if shows_merge(seen.fact)]
    if shown:
        return _confirmed(shown), ()
    commits = [seen for seen in observations if shows_merge(seen.fact)]
    if not commits:
        return None, ()
    # the most trusted recognition, then the oldest commit: picks onto other branches come later
    best = min(commits, key=lambda seen: (-seen.fact.trust, _date(seen), seen.order))
    reason = _refusal(best, full, censuses, is_issue=is_issue)
    if reason is not None:
        return None, (reason,)
    return (
        Merge(
            at=_date(best),
            seen_at=best.fact.at,
            evidence="git",
            record_id=best.record_id,
            flags=("unconfirmed",),
        ),
        (),
    )


def _confirmed(shown: Sequence[Observation]) -> Merge:
    dated = [seen for seen in shown if _date(seen) != INF]
    contradiction = any(contradicts_itself(seen.fact) for seen in shown)
    # the most trusted, then the newest object decides the time, then the delivery that says so
    trust = max(seen.fact.trust for seen in dated or shown)
    trusted = [seen for seen in dated or shown if seen.fact.trust == trust]
    at = _date(max(trusted, key=lambda seen: (seen.fact.merged_at is not None, seen.order)))
    proof = min(
        (seen for seen in trusted if _date(seen) == at),
        key=lambda seen: (seen.fact.kind != "closed", seen.order),
    )
    return Merge(
        at=None if at == INF else at,
        seen_at=proof.fact.at,
        evidence="stated" if proof.fact.kind == "closed" else "shown",
        record_id=proof.record_id,
        flags=("contradiction",) if contradiction else (),
    )


def _date(seen: Observation) -> Instant:
    """Merging closes, so the close dates a merge too; `updated_at` never does."""
    if seen.fact.merged_at is not None:
        return seen.fact.merged_at
    return INF if seen.fact.closed_at is None else seen.fact.closed_at


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
    for seen in censuses:
        census = seen.fact
        if census.complete and census.at >= at and number > census.highest_number:
            return f"no request #{number} existed when all were listed"
    if any(shown.fact.at > at for shown in full):
        return "a later full object does not show it as merged"
    return None
