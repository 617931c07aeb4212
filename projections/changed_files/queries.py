"""What was recorded of changed files by K."""

from collections import defaultdict
from collections.abc import Iterable

import msgspec
from sqlalchemy import func, select

from events.facts.files import FilesObserved, FormatJudgement, PatchIdentity
from events.identity import RepositoryKey
from events.instant import Instant
from projections.changed_files.tables import ChangedFilesTables
from projections.store.dialects import chunks
from projections.store.snapshot import Snapshot


class ListedFiles(msgspec.Struct, frozen=True, kw_only=True):
    """A list of the API with the record that holds it."""

    fact: FilesObserved
    record_id: str


class KnownJudgement(msgspec.Struct, frozen=True, kw_only=True):
    """The newest judgement of a commit, the version of its rules, and the record that holds it."""

    judgement: FormatJudgement
    rules: str
    record_id: str


class KnownPatch(msgspec.Struct, frozen=True, kw_only=True):
    """A patch id and the method that made it; those of two methods do not compare."""

    identity: PatchIdentity
    method: str


def file_lists_of(
    snapshot: Snapshot, repo: RepositoryKey, numbers: Iterable[int], known_at: Instant
) -> dict[int, list[ListedFiles]]:
    """Return the lists of some requests, oldest first."""
    table = snapshot.tables(ChangedFilesTables).lists
    lists: dict[int, list[ListedFiles]] = defaultdict(list)
    for chunk in chunks(sorted(set(numbers))):
        query = select(table.c.number, table.c.fields, table.c.record_id).where(
            table.c.repo == repo, table.c.number.in_(chunk), table.c.k <= known_at
        )
        # two lists of one moment cannot be told apart: the record's id makes it the same one always
        for row in snapshot.connection.execute(query.order_by(table.c.at, table.c.record_id)):
            fact = msgspec.json.decode(row.fields, type=FilesObserved)
            lists[row.number].append(ListedFiles(fact=fact, record_id=row.record_id))
    return lists


def judgements_of(
    snapshot: Snapshot, repo: RepositoryKey, shas: Iterable[str], known_at: Instant
) -> dict[str, KnownJudgement]:
    """Return the newest judgements of some commits; one that nobody looked into is left out."""
    table = snapshot.tables(ChangedFilesTables).formats
    judgements: dict[str, KnownJudgement] = {}
    for chunk in chunks(sorted(set(shas))):
        query = select(table).where(
            table.c.repo == repo, table.c.sha.in_(chunk), table.c.k <= known_at
        )
        rows = snapshot.connection.execute(query.order_by(table.c.k, table.c.idx)).mappings()
        for row in rows:
            judgement = FormatJudgement(
                sha=row["sha"], format_only=row["format_only"], because=row["because"]
            )
            judgements[row["sha"]] = KnownJudgement(
                judgement=judgement, rules=row["rules"], record_id=row["record_id"]
            )
    return judgements


def patch_ids_of(
    snapshot: Snapshot, repo: RepositoryKey, shas: Iterable[str], known_at: Instant
) -> dict[str, list[KnownPatch]]:
    """Return the patch ids of some commits; one whose contents nobody read is left out."""
    table = snapshot.tables(ChangedFilesTables).patches
    patches: dict[str, list[KnownPatch]] = defaultdict(list)
    for chunk in chunks(sorted(set(shas))):
        query = select(table.c.sha, table.c.since, table.c.patch, table.c.method).where(
            table.c.repo == repo, table.c.sha.in_(chunk), table.c.k <= known_at
        )
        for row in snapshot.connection.execute(query.order_by(table.c.k, table.c.idx)):
            identity = PatchIdentity(sha=row.sha, since=row.since, patch=row.patch)
            patches[row.sha].append(KnownPatch(identity=identity, method=row.method))
    return patches


def patches_version(snapshot: Snapshot, repo: RepositoryKey, known_at: Instant) -> int:
    """Return what tells one set of known patch ids from another: how many there are."""
    table = snapshot.tables(ChangedFilesTables).patches
    query = select(func.count()).where(table.c.repo == repo, table.c.k <= known_at)
    return snapshot.connection.scalar(query) or 0


def own_patches(snapshot: Snapshot, repo: RepositoryKey, known_at: Instant) -> dict[str, str]:
    """Return the newest patch id of each commit against its own first parent.

    Left out are commits that change nothing, and differences of requests' heads.
    """
    table = snapshot.tables(ChangedFilesTables).patches
    query = select(table.c.sha, table.c.patch).where(
        table.c.repo == repo, table.c.since.is_(None), table.c.k <= known_at
    )
    rows = snapshot.connection.execute(query.order_by(table.c.k, table.c.idx))
    return {sha: patch for sha, patch in rows if patch}
