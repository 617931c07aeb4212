"""Repositories: their own events, and the mention of one in every other event."""

import msgspec

from events.facts.base import Fact
from events.facts.repository import RepositoryObserved
from events.sources.github_webhook.moment import Moment, latest
from events.sources.github_webhook.objects import Repository
from events.sources.github_webhook.payload import decode


class RepositoryEvent(msgspec.Struct, frozen=True):
    """`repository`: created, renamed, transferred, edited …"""

    action: str
    repository: Repository


class AnyEvent(msgspec.Struct, frozen=True):
    """Any event of which only the repository matters here."""

    repository: Repository | None = None


def repository(payload: bytes) -> tuple[Fact, ...]:
    """Read a `repository` event. Only `created` dates from the creation, and proves it."""
    event = decode(payload, RepositoryEvent)
    described, created = event.repository, event.action == "created"
    at = described.created_at if created else described.updated_at
    instant = latest(at)
    if instant is None:
        instant = latest(described.created_at, described.updated_at, described.pushed_at)
    if instant is None:
        return ()
    return _observed(described, instant, kind=event.action, created=created)


def mention_only(payload: bytes) -> tuple[Fact, ...]:
    """Read an event that states nothing but the name its repository had."""
    return mentioned(decode(payload, AnyEvent).repository)


def mentioned(
    described: Repository | None, *moments: Moment | None
) -> tuple[RepositoryObserved, ...]:
    """State the name that a payload gives a repository, at the latest time that it proves.

    Nothing is stated where the payload has no repository, no name or no time at all.
    """
    if described is None:
        return ()
    at = latest(described.updated_at, described.pushed_at, *moments)
    return () if at is None else _observed(described, at)


def _observed(
    described: Repository, at: int, *, kind: str = "mentioned", created: bool = False
) -> tuple[RepositoryObserved, ...]:
    if described.full_name is None:
        return ()
    return (
        RepositoryObserved(
            full_name=described.full_name,
            default_branch=described.default_branch,
            at=at,
            kind=kind,
            created=created,
        ),
    )
