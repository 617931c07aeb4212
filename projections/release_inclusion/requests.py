"""The requests of a repository as the rules of inclusion need them, at one (T, K)."""

from collections import defaultdict
from collections.abc import Iterable, Mapping
from typing import Final

from msgspec.structs import replace
from sqlalchemy import select

from events.facts.base import Trust
from events.facts.pull_request import PullRequestObserved
from events.identity import RepositoryKey
from events.instant import Instant
from projections.pull_requests import store
from projections.pull_requests.observation import IssueSighting, Observation, in_order, most_trusted
from projections.pull_requests.tables import PullRequestTables
from projections.release_inclusion.history.carriers import Request, State
from projections.release_inclusion.queries import pull_heads, refs_at
from projections.store.dialects import chunks
from projections.store.snapshot import Snapshot

#: What the rules know of how a state was entered; an unknown outcome is no state. What a commit
#: landed is in a branch as what GitHub merged is.
_STATES: Final[dict[str, State]] = {
    "opened": "open",
    "reopened": "open",
    "closed": "closed",
    "landed": "merged",
    "merged": "merged",
}


def requests_at(
    snapshot: Snapshot,
    repo: RepositoryKey,
    as_of: Instant,
    known_at: Instant,
    numbers: Iterable[int] | None = None,
) -> tuple[list[Request], frozenset[int]]:
    """Return the requests that better sources than git show, and the numbers of issues.

    `numbers`: of these alone.
    """
    obs = snapshot.tables(PullRequestTables).observations
    query = select(*(obs.c[name] for name in store.SEEN)).where(
        obs.c.repo == repo,
        obs.c.k <= known_at,
        obs.c.is_issue | (obs.c.trust >= Trust.ARCHIVE_FULL),
    )
    if numbers is not None:
        query = query.where(obs.c.number.in_(sorted(numbers)))
    observed: dict[int, list[Observation]] = defaultdict(list)
    issues: set[int] = set()
    for row in snapshot.connection.execute(query):
        sighting = store.seen(*row)
        if isinstance(sighting, IssueSighting):
            issues.add(sighting.fact.number)
        elif sighting.fact.at <= as_of:
            observed[sighting.fact.number].append(sighting)
    states = _states(snapshot, repo, as_of, known_at)
    requests = [
        _request(number, observations, states.get(number))
        for number, observations in sorted(observed.items())
    ]
    return requests, frozenset(issues - observed.keys())


def requests_of_moment(
    snapshot: Snapshot,
    repo: RepositoryKey,
    as_of: Instant,
    known_at: Instant,
    last: Mapping[int, Request],
) -> dict[int, Request]:
    """Return the requests that were there at T, from what is known `last` of each.

    Of those that were open then everything is as of T; the others keep what a merge or a closing
    left, which nothing asks of an earlier moment.
    """
    states = _states(snapshot, repo, as_of, known_at)
    heads = pull_heads(refs_at(snapshot, repo, as_of, known_at, prefix="refs/pull/"))
    there = {
        number: replace(request, state=_STATES.get(states.get(number, "")))
        for number, request in last.items()
        if number in states or (request.opened_at is not None and request.opened_at <= as_of)
    }
    then_open = [number for number, request in there.items() if request.state == "open"]
    for chunk in chunks(then_open):
        requests, _ = requests_at(snapshot, repo, as_of, known_at, chunk)
        there.update((request.number, request) for request in requests)
    return {request.number: request for request in with_heads(there.values(), heads)}


def with_heads(requests: Iterable[Request], heads: Mapping[int, str]) -> list[Request]:
    """Add the heads that refs show where no better source does, and requests known only by one."""
    known = {request.number: request for request in requests}
    for number, head in heads.items():
        request = known.get(number, Request(number=number))
        known[number] = replace(request, head=request.head or head)
    return [known[number] for number in sorted(known)]


def _states(
    snapshot: Snapshot, repo: RepositoryKey, as_of: Instant, known_at: Instant
) -> dict[int, str]:
    table = snapshot.tables(PullRequestTables).states
    query = select(table.c.number, table.c.enter).where(
        table.c.repo == repo,
        table.c.kf <= known_at,
        table.c.kt > known_at,
        table.c.vf <= as_of,
        table.c.vt > as_of,
    )
    return {row.number: row.enter for row in snapshot.connection.execute(query)}


def _request(number: int, observations: list[Observation], state: str | None) -> Request:
    ordered = in_order(observations)
    titles = most_trusted(ordered, "title")
    bases = most_trusted(ordered, "base")
    merges = [sighting.fact for sighting in ordered if sighting.fact.merge_commit_sha is not None]
    heads = [sighting.fact.head_sha for sighting in ordered if sighting.fact.head_sha is not None]
    counts = [sighting.fact.commits for sighting in ordered if sighting.fact.commits is not None]
    opened = [at for sighting in ordered if (at := sighting.fact.created_at) is not None]
    ended = [at for sighting in ordered if (at := _ended_at(sighting.fact)) is not None]
    return Request(
        number=number,
        state=_STATES.get(state or ""),
        merge_commit=merges[-1].merge_commit_sha if merges else None,
        commits=counts[-1] if counts else None,
        head=heads[-1] if heads else None,
        base=bases[-1].fact.base if bases else None,
        title=titles[-1].fact.title if titles else None,
        opened_at=opened[-1] if opened else None,
        ended_at=ended[-1] if ended else None,
    )


def _ended_at(fact: PullRequestObserved) -> Instant | None:
    return fact.merged_at if fact.merged_at is not None else fact.closed_at
