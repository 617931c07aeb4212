"""Requests that were closed because a commit had landed them: GitHub calls it no merge. Pure.

Merge bots push `Fix (#31)` or `Merge #43` themselves and close the request; so do maintainers who
land by hand. GitHub then shows a close without merge, and that stays the state; but the change is
delivered, and the commit is the evidence. Whether the push or the close came first by some seconds
decides nothing, nor what was shown of the request in between or afterwards.

A number in a commit's text is taken for the request only where nothing known speaks against it: the
commit was made when the request existed, no later than a day after the close, and before the
request was open again; and it is not the merge that GitHub itself shows of the request.
"""

from collections.abc import Sequence
from typing import Final

import msgspec

from events.facts.base import Trust
from events.instant import DAY, Instant
from projections.pull_requests.observation import Observation, shows_merge
from projections.pull_requests.spans import StateSpan

#: Whoever pushes first and closes afterwards may forget it until the next day; the dates of commits
#: are those of other clocks, too.
_AFTER_CLOSE: Final = DAY


def landings(observations: Sequence[Observation]) -> list[Observation]:
    """Return the commits that say they land a request, the most believed first, then the oldest.

    The commit of GitHub's own merge is none: a request that was closed, opened again and merged was
    not landed by the close.
    """
    merges = {
        sighting.fact.merge_commit_sha
        for sighting in observations
        if sighting.fact.trust >= Trust.ARCHIVE_FULL and shows_merge(sighting.fact)
    }
    commits = [
        sighting
        for sighting in observations
        if sighting.fact.trust < Trust.ARCHIVE_FULL
        and sighting.fact.merge_commit_sha not in (None, *merges)
        and shows_merge(sighting.fact)
    ]
    return sorted(commits, key=lambda commit: (-commit.fact.trust, commit.fact.at, commit.order))


def with_landings(
    states: Sequence[StateSpan], observations: Sequence[Observation]
) -> list[StateSpan]:
    """Give each close without merge the commit that landed the request, where there is one."""
    commits = landings(observations)
    opened = states[0].vf if states and states[0].enter == "opened" else None
    return [_landed(span, commits, opened) if commits else span for span in states]


def _landed(span: StateSpan, commits: Sequence[Observation], opened: Instant | None) -> StateSpan:
    if span.enter != "closed":
        return span
    for commit in commits:
        began = opened is None or opened <= commit.fact.at
        if began and commit.fact.at <= min(span.vf + _AFTER_CLOSE, span.vt):
            return msgspec.structs.replace(
                span, enter="landed", evidence="git", record_id=commit.record_id
            )
    return span


def closed_without_merge(full: Sequence[Observation]) -> bool:
    """Tell whether the newest full object shows a close without merge: no commit can undo that."""
    newest = max(full, key=lambda sighting: sighting.order)
    return newest.fact.state == "closed" and newest.fact.closed_at is not None
