"""Requests as their own refs show them: GitHub keeps `refs/pull/N/head` for every one, for ever.

A head proves that there is such a request, whose work its last commit is, and which files that
commit changes. It proves no state: open, closed and merged requests have one alike. A test merge
(`refs/pull/N/merge`) stands of open requests; it is gone some time after they end, so it is a hint.
"""

from collections.abc import Iterable

import msgspec
from sqlalchemy import select

from events.facts.git import Commit
from events.identity import RepositoryKey
from events.instant import Instant
from projections.pull_requests.tables import PullRequestTables
from projections.release_inclusion.queries import (
    RefValue,
    commits_named,
    paths_of,
    pull_heads,
    ref_value,
    refs_named,
    standing,
)
from projections.release_inclusion.tables import ReleaseTables
from projections.store.dialects import chunks
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
    refs = refs_named(snapshot, repo, [ref], as_of, known_at)
    tested = refs_named(snapshot, repo, [_test_merge(number)], known_at, known_at)
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
    refs = _heads_committed_in(snapshot, repo, a, b, known_at)
    heads = pull_heads(refs)
    if not heads:
        return []
    shown = _observed(snapshot, repo, heads, known_at)
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


def _heads_committed_in(
    snapshot: Snapshot, repo: RepositoryKey, a: Instant, b: Instant, known_at: Instant
) -> dict[str, RefValue]:
    """Return the refs of requests that stood just before b on a commit of [a, b), by name."""
    tables = snapshot.tables(ReleaseTables)
    commits, refs = tables.commits, tables.refs
    committed = select(commits.c.sha).where(
        commits.c.repo == repo, commits.c.at >= a, commits.c.at < b, commits.c.k <= known_at
    )
    heads: dict[str, RefValue] = {}
    # two short steps: joined, SQLite begins with all the refs there are
    for chunk in chunks(sorted(set(snapshot.connection.scalars(committed)))):
        query = select(refs).where(
            refs.c.repo == repo,
            refs.c.sha.in_(chunk),
            refs.c.ref.startswith("refs/pull/"),
            *standing(refs, b - 1, known_at),
        )
        rows = snapshot.connection.execute(query).mappings()
        heads |= {row["ref"]: ref_value(row) for row in rows}
    return heads


def _observed(
    snapshot: Snapshot, repo: RepositoryKey, numbers: Iterable[int], known_at: Instant
) -> set[int]:
    """Return those of some numbers of which more than a head is recorded."""
    table = snapshot.tables(PullRequestTables).observations
    observed: set[int] = set()
    for chunk in chunks(sorted(numbers)):
        query = select(table.c.number).where(
            table.c.repo == repo, table.c.number.in_(chunk), table.c.k <= known_at
        )
        observed.update(snapshot.connection.scalars(query.distinct()))
    return observed


def _test_merge(number: int) -> str:
    return f"refs/pull/{number}/merge"
