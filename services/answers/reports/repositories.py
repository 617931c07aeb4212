"""The repositories that can be asked about, and what is known of each."""

from collections.abc import Sequence

import msgspec

from events.identity import RepositoryKey
from events.instant import Instant
from projections.period_ledger.queries import reach
from projections.repositories.queries import listing
from projections.store.snapshot import Snapshot
from services.answers.reports.wording import rfc3339
from services.documents.forms import Forms
from services.documents.model import Column, Document, Table


class ListedRepository(msgspec.Struct, frozen=True, kw_only=True):
    """One repository; `first` and `last` are its earliest and latest dated event (None: none)."""

    repo: RepositoryKey
    full_name: str
    default_branch: str
    first: Instant | None
    last: Instant | None
    known_at: Instant


class RepositoryListed(msgspec.Struct, frozen=True, kw_only=True):
    """One repository, and from when until when something is known of it."""

    name: str
    key: str
    default_branch: str | None
    first_event: str | None
    last_event: str | None
    known_at: str | None


class RepositoriesAnswer(msgspec.Struct, frozen=True, kw_only=True):
    """All repositories of which something was recorded, by name."""

    repositories: tuple[RepositoryListed, ...]


def repositories_forms(repositories: Sequence[ListedRepository]) -> Forms:
    """Return the repositories in their forms."""
    columns = tuple(map(Column, ("name", "key", "first_event", "last_event")))
    rows = tuple(
        (
            repository.full_name,
            repository.repo,
            rfc3339(repository.first) or "-",
            rfc3339(repository.last) or "-",
        )
        for repository in repositories
    )
    return Forms(
        document=lambda: Document(title="Repositories", blocks=(Table(columns, rows),)),
        answer=lambda: RepositoriesAnswer(repositories=tuple(map(_listed, repositories))),
    )


def _listed(repository: ListedRepository) -> RepositoryListed:
    return RepositoryListed(
        name=repository.full_name,
        key=repository.repo,
        default_branch=repository.default_branch or None,
        first_event=rfc3339(repository.first),
        last_event=rfc3339(repository.last),
        known_at=rfc3339(repository.known_at),
    )


def list_repositories(snapshot: Snapshot) -> list[ListedRepository]:
    """Return every repository of which something was recorded, by name."""
    repositories = []
    for name in listing(snapshot):
        known_at = snapshot.watermark(name.repo).last_recorded
        first, last = reach(snapshot, name.repo, known_at)
        repositories.append(
            ListedRepository(
                repo=name.repo,
                full_name=name.full_name,
                default_branch=name.default_branch,
                first=first,
                last=last,
                known_at=known_at,
            )
        )
    return repositories
