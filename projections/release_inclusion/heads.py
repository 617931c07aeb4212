"""Requests as their own refs show them: GitHub keeps `refs/pull/N/head` for every one, for ever.

A head proves that there is such a request, whose work its last commit is, and which files that
commit changes. It proves no state: open, closed and merged requests have one alike. A test merge
(`refs/pull/N/merge`) stands of open requests; it is gone some time after they end, so it is a hint.
"""

import msgspec
from sqlalchemy import select

from events.facts.git import Commit
from events.identity import RepositoryKey
from events.instant import Instant
from projections.pull_requests.tables import PullRequestTables
from projections.release_inclusion.queries import (
    commits_named,
    paths_of,
    pull_heads,
    refs_at,
    refs_named,
)
from projections.store.snapshot import Snapshot


class RequestHead(msgspec.Struct, frozen=True, kw_only=True):
    """The head of a request; `commit` and `paths` are None where they were not read."""

    number: int
    sha: str
    record_id: str
    commit: Commit | None
    paths: tuple[str, ...] | None
    """What the last commit changes; a request may have more of them."""
    test_merge: bool = False
    """Whether a test merge of it stands as far as is known at K, as of open requests."""


def request_head(
    snapshot: Snapshot, repo: RepositoryKey, number: int, as_of: Instant, known_at: Instant
) -> RequestHead | None:
    """Return the head of a request as its ref stood at (T, K); None where no ref shows one."""
    ref = f"refs/pull/{number}/head"
    refs = refs_at(snapshot, repo, as_of, known_at, prefix=ref)
    tested = refs_at(snapshot, repo, known_at, known_at, prefix=_test_merge(number))
    for sha in pull_heads(refs).values():
        known = commits_named(snapshot, repo, [sha], known_at).get(sha)
        return RequestHead(
            number=number,
            sha=sha,
            record_id=refs[ref].record_id,
            commit=known.commit if known else None,
            paths=paths_of(snapshot, repo, [sha], known_at).get(sha),
            test_merge=_test_merge(number) in tested,
        )
    return None


def unproven_heads(
    snapshot: Snapshot, repo: RepositoryKey, a: Instant, b: Instant, known_at: Instant
) -> list[RequestHead]:
    """Return the requests of which nothing but their head is recorded and whose last commit was
    made in [a, b), by number: they may have been in progress then, and nothing proves it.

    A head that a landing branch has on its own line is no candidate.
    """
    refs = refs_at(snapshot, repo, b - 1, known_at, prefix="refs/pull/")
    heads = pull_heads(refs)
    if not heads:
        return []
    observations = snapshot.tables(PullRequestTables).observations
    query = select(observations.c.number).where(
        observations.c.repo == repo, observations.c.k <= known_at
    )
    shown = set(snapshot.connection.scalars(query.distinct()))
    wanted = {number: sha for number, sha in heads.items() if number not in shown}
    commits = commits_named(snapshot, repo, wanted.values(), known_at)
    worked_on = {
        number: known.commit
        for number, sha in sorted(wanted.items())
        if (known := commits.get(sha)) is not None
        and known.commit.branch is None
        and a <= known.commit.committed_at < b
    }
    tested = refs_named(snapshot, repo, map(_test_merge, worked_on), known_at, known_at)
    return [
        RequestHead(
            number=number,
            sha=wanted[number],
            record_id=refs[f"refs/pull/{number}/head"].record_id,
            commit=commit,
            paths=None,
            test_merge=_test_merge(number) in tested,
        )
        for number, commit in worked_on.items()
    ]


def _test_merge(number: int) -> str:
    return f"refs/pull/{number}/merge"
