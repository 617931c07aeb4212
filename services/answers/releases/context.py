"""What every answer about releases stands on: one repository at one (T, K)."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

import msgspec

from events.identity import RepositoryKey
from events.instant import INF, Instant
from projections.pull_requests.attributes import Attributes, attributes_of
from projections.release_inclusion.authors import with_commit_authors
from projections.release_inclusion.queries import KnownCommit, commits_named
from projections.release_inclusion.view import HistoryCache, ReleaseView, view
from projections.repositories.branch_roles import BranchRoles
from projections.repositories.queries import find, named_at
from projections.store.snapshot import Snapshot
from services.answers.questions.question import RepositoryQuestion


class ResolvedQuestion(msgspec.Struct, frozen=True, kw_only=True):
    """What was asked of whom, and when. `dated`: the asker named a T, so dates of refs matter."""

    repo: RepositoryKey
    full_name: str
    default_branch: str
    as_of: Instant
    known_at: Instant
    settled: bool
    dated: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class ReleaseContext:
    """An open snapshot and the view of it; answers are made from it and do not keep it."""

    asked: ResolvedQuestion
    snapshot: Snapshot
    view: ReleaseView
    roles: BranchRoles

    def commits(self, shas: Iterable[str]) -> Mapping[str, KnownCommit]:
        """Return commits by SHA, with the records that showed them."""
        return commits_named(self.snapshot, self.asked.repo, shas, self.asked.known_at)

    def attributes(self, numbers: Iterable[int]) -> Mapping[int, Attributes]:
        """Return titles, authors and labels of requests."""
        asked = self.asked
        attributes = attributes_of(self.snapshot, asked.repo, numbers, asked.as_of, asked.known_at)
        return with_commit_authors(self.snapshot, asked.repo, attributes, asked.known_at)


def resolve_question(snapshot: Snapshot, question: RepositoryQuestion) -> ResolvedQuestion:
    """Return who is asked, and when. T is at most K (MODEL.md 7), and K unless it is asked for."""
    repo = find(snapshot, question.full_name).repo
    watermark = snapshot.watermark(repo)
    known_at = watermark.known_at(question.known_at)
    as_of = min(known_at, INF if question.as_of is None else question.as_of)
    name = named_at(snapshot, repo, known_at)
    return ResolvedQuestion(
        repo=repo,
        full_name=name.full_name,
        default_branch=name.default_branch,
        as_of=as_of,
        known_at=known_at,
        settled=watermark.settles(known_at),
        dated=question.as_of is not None,
    )


def open_releases(
    snapshot: Snapshot, question: RepositoryQuestion, histories: HistoryCache
) -> ReleaseContext:
    """Read the ground of a question; raise NotFound where no commits are recorded."""
    asked = resolve_question(snapshot, question)
    release_view = view(
        snapshot,
        asked.repo,
        asked.as_of,
        asked.known_at,
        roles=question.roles,
        families=question.families,
        cache=histories,
        aliases=question.aliases,
        schemes=question.schemes,
    )
    return ReleaseContext(asked=asked, snapshot=snapshot, view=release_view, roles=question.roles)
