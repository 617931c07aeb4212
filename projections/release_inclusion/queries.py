"""What is known at one (T, K) of commits, refs, releases, aliases and decisions."""

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from operator import itemgetter
from types import MappingProxyType
from typing import Final, TypeAlias

import msgspec
from sqlalchemy import ColumnElement, RowMapping, Table, select

from events.facts.curation import MentionDecided, ReleaseAliasDecided
from events.facts.git import Commit, ReleaseObserved
from events.identity import RepositoryKey
from events.instant import Instant
from projections.release_inclusion.releases import Alias, meanings
from projections.release_inclusion.tables import ReleaseTables
from projections.store.dialects import chunks
from projections.store.snapshot import Snapshot

HEADS: Final = "refs/heads/"
TAGS: Final = "refs/tags/"
_PULL_HEAD: Final = re.compile(r"refs/pull/([1-9][0-9]{0,8})/head")


class RefValue(msgspec.Struct, frozen=True, kw_only=True):
    """Where a ref pointed. `evidence` says what its date `at` rests on (`RefObserved`), or
    `reconstructed` for a branch's tip of before it was first seen.
    """

    ref: str
    sha: str
    at: Instant
    evidence: str
    record_id: str
    tag_object: str | None = None

    @property
    def name(self) -> str:
        """The short name."""
        return self.ref.removeprefix(HEADS).removeprefix(TAGS)


def refs_at(
    snapshot: Snapshot,
    repo: RepositoryKey,
    as_of: Instant,
    known_at: Instant,
    *,
    prefix: str = "",
) -> dict[str, RefValue]:
    """Return the refs that existed at a point, by full name; `prefix`: those that begin so."""
    table = snapshot.tables(ReleaseTables).refs
    query = select(table).where(
        table.c.repo == repo, *standing(table, as_of, known_at), table.c.sha.is_not(None)
    )
    if prefix:
        query = query.where(table.c.ref.startswith(prefix, autoescape=True))
    rows = snapshot.connection.execute(query.order_by(table.c.ref)).mappings()
    return {row["ref"]: ref_value(row) for row in rows}


def refs_named(
    snapshot: Snapshot,
    repo: RepositoryKey,
    refs: Iterable[str],
    as_of: Instant,
    known_at: Instant,
) -> dict[str, RefValue]:
    """Return those of some refs that existed at a point, by full name."""
    table = snapshot.tables(ReleaseTables).refs
    named: dict[str, RefValue] = {}
    for chunk in chunks(sorted(set(refs))):
        query = select(table).where(
            table.c.repo == repo, table.c.ref.in_(chunk), *standing(table, as_of, known_at)
        )
        rows = snapshot.connection.execute(query.where(table.c.sha.is_not(None))).mappings()
        named |= {row["ref"]: ref_value(row) for row in rows}
    return named


def standing(refs: Table, as_of: Instant, known_at: Instant) -> Iterator[ColumnElement[bool]]:
    """Yield the conditions of rows that hold at a point; those without a commit say: deleted."""
    yield refs.c.kf <= known_at
    yield refs.c.kt > known_at
    yield refs.c.vf <= as_of
    yield refs.c.vt > as_of


def all_ref_values(
    snapshot: Snapshot, repo: RepositoryKey, known_at: Instant
) -> defaultdict[str, list[RefValue]]:
    """Return every value that each ref ever had as known at K, oldest first, by full name."""
    table = snapshot.tables(ReleaseTables).refs
    query = select(table).where(
        table.c.repo == repo,
        table.c.kf <= known_at,
        table.c.kt > known_at,
        table.c.sha.is_not(None),
    )
    values: defaultdict[str, list[RefValue]] = defaultdict(list)
    for row in snapshot.connection.execute(query.order_by(table.c.ref, table.c.vf)).mappings():
        values[row["ref"]].append(ref_value(row))
    return values


def ref_value(row: RowMapping) -> RefValue:
    """Read one row of ref_version."""
    return RefValue(
        ref=row["ref"],
        sha=row["sha"],
        at=row["vf"],
        evidence=row["evidence"],
        record_id=row["record_id"],
        tag_object=row["tag_object"],
    )


def pull_heads(refs: Mapping[str, RefValue]) -> dict[int, str]:
    """Return the head of each request that its own ref shows; only requests have one."""
    heads = ((_PULL_HEAD.fullmatch(name), ref.sha) for name, ref in refs.items())
    return {int(match[1]): sha for match, sha in heads if match}


def pull_of(ref: str) -> int | None:
    """Return the request whose head a ref is, None for any other ref."""
    match = _PULL_HEAD.fullmatch(ref)
    return int(match[1]) if match else None


RefSpan: TypeAlias = tuple[Instant, Instant, str | None]
"""(from, until, commit) of a ref."""


def ref_history(
    snapshot: Snapshot, repo: RepositoryKey, ref: str, known_at: Instant
) -> list[RefSpan]:
    """Return what a ref was as known at K, oldest first."""
    table = snapshot.tables(ReleaseTables).refs
    query = select(table.c.vf, table.c.vt, table.c.sha).where(
        table.c.repo == repo, table.c.ref == ref, table.c.kf <= known_at, table.c.kt > known_at
    )
    return [(row.vf, row.vt, row.sha) for row in snapshot.connection.execute(query.order_by("vf"))]


def ref_histories(
    snapshot: Snapshot, repo: RepositoryKey, prefix: str, known_at: Instant
) -> dict[str, list[RefSpan]]:
    """Return what `ref_history` does for all refs that begin so, by ref."""
    table = snapshot.tables(ReleaseTables).refs
    query = select(table.c.ref, table.c.vf, table.c.vt, table.c.sha).where(
        table.c.repo == repo,
        table.c.ref.startswith(prefix, autoescape=True),
        table.c.kf <= known_at,
        table.c.kt > known_at,
    )
    histories: defaultdict[str, list[RefSpan]] = defaultdict(list)
    for row in snapshot.connection.execute(query.order_by("vf")):
        histories[row.ref].append((row.vf, row.vt, row.sha))
    return histories


def has_commits(snapshot: Snapshot, repo: RepositoryKey) -> bool:
    """Tell whether any commit of a repository is recorded."""
    table = snapshot.tables(ReleaseTables).commits
    query = select(table.c.sha).where(table.c.repo == repo).limit(1)
    return snapshot.connection.scalar(query) is not None


def paths_of(
    snapshot: Snapshot, repo: RepositoryKey, shas: Iterable[str], known_at: Instant
) -> dict[str, tuple[str, ...]]:
    """Return the changed paths of some commits; a commit whose paths were not read is left out."""
    table = snapshot.tables(ReleaseTables).commits
    by_sha: dict[str, tuple[str, ...]] = {}
    for chunk in chunks(sorted(set(shas))):
        query = select(table.c.k, table.c.sha, table.c.paths).where(
            table.c.repo == repo,
            table.c.sha.in_(chunk),
            table.c.k <= known_at,
            table.c.paths.is_not(None),
        )
        # sorted here: with an order by K, SQLite would walk the index of all commits
        rows = sorted(snapshot.connection.execute(query).all(), key=itemgetter(0))
        for _, sha, paths in rows:
            by_sha[sha] = msgspec.json.decode(paths, type=tuple[str, ...])
    return by_sha


def has_folder(snapshot: Snapshot, repo: RepositoryKey, folder: str, known_at: Instant) -> bool:
    """Tell whether any commit changed something below a folder (with its slash at the end)."""
    table = snapshot.tables(ReleaseTables).commits
    below = msgspec.json.encode(folder).decode()[:-1]
    query = select(table.c.sha).where(
        table.c.repo == repo, table.c.k <= known_at, table.c.paths.contains(below, autoescape=True)
    )
    return snapshot.connection.scalar(query.limit(1)) is not None


class KnownCommit(msgspec.Struct, frozen=True, kw_only=True):
    """A commit with the record that showed it."""

    commit: Commit
    record_id: str


def commits_named(
    snapshot: Snapshot, repo: RepositoryKey, shas: Iterable[str], known_at: Instant
) -> dict[str, KnownCommit]:
    """Return some commits by SHA, without their paths; of each the last sight."""
    table = snapshot.tables(ReleaseTables).commits
    decoder = msgspec.json.Decoder(Commit)
    named: dict[str, KnownCommit] = {}
    for chunk in chunks(sorted(set(shas))):
        query = select(table.c.k, table.c.sha, table.c.fields, table.c.record_id).where(
            table.c.repo == repo, table.c.sha.in_(chunk), table.c.k <= known_at
        )
        # sorted here: with an order by K, SQLite would walk the index of all commits
        rows = sorted(snapshot.connection.execute(query).all(), key=itemgetter(0))
        for sha, (fields, record_id) in {sha: rest for _, sha, *rest in rows}.items():
            named[sha] = KnownCommit(commit=decoder.decode(fields), record_id=record_id)
    return named


def published_at(
    snapshot: Snapshot, repo: RepositoryKey, as_of: Instant, known_at: Instant
) -> dict[str, ReleaseObserved]:
    """Return GitHub's releases that readers could see at a point, by tag.

    A draft is invisible until it is published; of one release the newest sight counts, and one
    publication that comes as several deliveries is one release.
    """
    table = snapshot.tables(ReleaseTables).releases
    query = select(table.c.fields).where(table.c.repo == repo, table.c.k <= known_at)
    newest: dict[int, ReleaseObserved] = {}
    rows = snapshot.connection.scalars(query)
    sights = [msgspec.json.decode(fields, type=ReleaseObserved) for fields in rows]
    for sight in sorted(
        sights,
        key=lambda sighting: (sighting.at, not sighting.draft, sighting.kind, repr(sighting)),
    ):
        known = newest.get(sight.release_id)
        # A later sight speaks only where none of the time itself shows the publication.
        if sight.at <= as_of or (_published_by(sight, as_of) and (not known or known.draft)):
            newest[sight.release_id] = sight
    return {
        sight.tag: sight
        for sight in newest.values()
        if _published_by(sight, as_of)
        and not (sight.at <= as_of and sight.kind in ("deleted", "unpublished"))
    }


def _published_by(sight: ReleaseObserved, as_of: Instant) -> bool:
    return not sight.draft and sight.published_at is not None and sight.published_at <= as_of


def aliases_at(
    snapshot: Snapshot,
    repo: RepositoryKey,
    known_at: Instant,
    configured: Mapping[str, str] = MappingProxyType({}),
) -> dict[str, Alias]:
    """Return what each alias means as known at K."""
    rows = _decisions(snapshot, repo, known_at, "alias")
    decided = [
        (record_id, msgspec.json.decode(fields, type=ReleaseAliasDecided))
        for record_id, fields in rows
    ]
    return meanings(decided, configured)


def mention_decisions(
    snapshot: Snapshot, repo: RepositoryKey, known_at: Instant
) -> tuple[MentionDecided, ...]:
    """Return what persons decided about mentions by K."""
    rows = _decisions(snapshot, repo, known_at, "mention")
    return tuple(msgspec.json.decode(fields, type=MentionDecided) for _, fields in rows)


def _decisions(
    snapshot: Snapshot, repo: RepositoryKey, known_at: Instant, kind: str
) -> list[tuple[str, str]]:
    table = snapshot.tables(ReleaseTables).decisions
    query = select(table.c.record_id, table.c.fields).where(
        table.c.repo == repo, table.c.kind == kind, table.c.k <= known_at
    )
    rows = snapshot.connection.execute(query.order_by(table.c.record_id))
    return [(row.record_id, row.fields) for row in rows]
