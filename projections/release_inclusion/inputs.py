"""What an attribution is made from, at one K, and its making.

It depends on no T: it reads the commits, refs, requests, decisions and patch ids that are known at
K, whenever they were true (MODEL.md 9).
"""

import hashlib
from collections.abc import Container, Iterable, Mapping
from functools import cache
from pathlib import Path
from typing import Final

import msgspec
from sqlalchemy import Table, select

import events
from events.identity import RepositoryKey
from events.instant import INF, Instant
from projections.changed_files.queries import own_patches
from projections.changed_files.tables import ChangedFilesTables
from projections.pull_requests.tables import PullRequestTables
from projections.release_inclusion import queries
from projections.release_inclusion.history.attribution import Attribution, attribute
from projections.release_inclusion.messages.references import Names
from projections.release_inclusion.queries import HEADS, TAGS, RefValue
from projections.release_inclusion.recorded_commits import commits_at, shas_at
from projections.release_inclusion.requests import requests_at, with_heads
from projections.release_inclusion.tables import ReleaseTables
from projections.release_inclusion.tips import last_held, long_lived
from projections.repositories.branch_roles import BranchRoles
from projections.repositories.queries import former_names
from projections.store.schema import dead_letters
from projections.store.snapshot import Snapshot
from projections.store.sources import digest_of_sources

ALWAYS: Final = INF - 1
"""A T after everything that anybody said was true."""


class Inputs(msgspec.Struct, frozen=True, kw_only=True):
    """What tells one attribution from another: equal inputs make equal ones.

    What is known at a K is told by the last moment of each table up to it, and by the records up to
    it that were set aside: one of them that is understood later is known since it was recorded.
    """

    repo: RepositoryKey
    generations: tuple[int, ...]
    last: tuple[Instant, ...]
    set_aside: tuple[tuple[str, str, int], ...]
    names: tuple[str, ...]
    roles: BranchRoles
    rules: str

    @property
    def has_commits(self) -> bool:
        """Whether any commit is known."""
        return bool(self.last[0])

    @property
    def known_until(self) -> Instant:
        """When the last of it was recorded."""
        return max(self.last)

    @property
    def digest(self) -> str:
        """A name for these inputs (SHA-256)."""
        return hashlib.sha256(msgspec.msgpack.encode(self)).hexdigest()


def inputs_at(
    snapshot: Snapshot, repo: RepositoryKey, known_at: Instant, roles: BranchRoles
) -> Inputs:
    """Return what an attribution at K is made from; costs a few look-ups."""
    release, files = snapshot.tables(ReleaseTables), snapshot.tables(ChangedFilesTables)
    observations = snapshot.tables(PullRequestTables).observations
    tables = (release.commits, release.sightings, release.decisions, observations, files.patches)
    projections = ("release_inclusion", "pull_requests", "changed_files")
    return Inputs(
        repo=repo,
        generations=tuple(snapshot.generation(name) for name in projections),
        last=tuple(_last(snapshot, table, repo, known_at) for table in tables),
        set_aside=_set_aside(snapshot, repo, known_at),
        names=tuple(sorted(former_names(snapshot, repo, known_at))),
        roles=roles,
        rules=rules_version(),
    )


def _last(snapshot: Snapshot, table: Table, repo: RepositoryKey, known_at: Instant) -> Instant:
    query = select(table.c.k).where(table.c.repo == repo, table.c.k <= known_at)
    newest = query.order_by(table.c.k.desc()).limit(1)
    return snapshot.connection.scalar(newest) or 0


def _set_aside(
    snapshot: Snapshot, repo: RepositoryKey, known_at: Instant
) -> tuple[tuple[str, str, int], ...]:
    table = dead_letters
    query = select(table.c.projection, table.c.partition, table.c.position).where(
        table.c.repo == repo, table.c.recorded_at <= known_at
    )
    ordered = query.order_by(table.c.projection, table.c.partition, table.c.position)
    return tuple((row[0], row[1], row[2]) for row in snapshot.connection.execute(ordered))


@cache
def rules_version() -> str:
    """Return the digest of the code that reads a history."""
    return digest_of_sources((Path(__file__).parent, Path(events.__path__[0])))


def attribution_of(snapshot: Snapshot, inputs: Inputs, known_at: Instant) -> Attribution:
    """Make the attribution of these inputs, as of K."""
    repo = inputs.repo
    recorded = shas_at(snapshot, repo, known_at)
    values = queries.all_ref_values(snapshot, repo, known_at)
    now = queries.refs_at(snapshot, repo, ALWAYS, known_at)
    unseen = [ref for ref in now.values() if ref.sha not in recorded]
    standing = here(now, last_held(snapshot, repo, unseen, ALWAYS, known_at), recorded)
    branches = long_lived(standing, inputs.roles)
    requests, issues = requests_at(snapshot, repo, ALWAYS, known_at)
    return attribute(
        commits_at(snapshot, repo, known_at),
        branches=branches,
        tags=[ref.sha for ref in standing if ref.ref.startswith(TAGS)],
        gone=_gone(values, now, recorded, inputs.roles),
        past=list(_past(values, branches)),
        requests=with_heads(requests, queries.pull_heads(now)),
        names=Names(frozenset(inputs.names)),
        decisions=queries.mention_decisions(snapshot, repo, known_at),
        strangers=issues,
        patches=own_patches(snapshot, repo, known_at),
    )


def here(
    refs: Mapping[str, RefValue], behind: Mapping[str, RefValue], recorded: Container[str]
) -> list[RefValue]:
    """Return the branches and tags whose commits are recorded; `behind`: of `last_held`."""
    standing = (ref for name, ref in {**refs, **behind}.items() if name.startswith((HEADS, TAGS)))
    return [ref for ref in standing if ref.sha in recorded]


def _gone(
    values: Mapping[str, list[RefValue]],
    now: Mapping[str, RefValue],
    recorded: Container[str],
    roles: BranchRoles,
) -> dict[str, str]:
    """Return where long-lived branches stood that were deleted since."""
    deleted = {ref: of for ref, of in values.items() if ref.startswith(HEADS) and ref not in now}
    last = [
        next((value for value in reversed(of) if value.sha in recorded), None)
        for of in deleted.values()
    ]
    return long_lived([value for value in last if value is not None], roles)


def _past(values: Mapping[str, list[RefValue]], branches: Mapping[str, str]) -> Iterable[str]:
    """Yield all earlier values of long-lived branches, and all values of tags."""
    for ref, of in values.items():
        if ref.startswith(TAGS) or ref.removeprefix(HEADS) in branches:
            yield from (value.sha for value in of)
