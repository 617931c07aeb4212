"""Releases."""

import msgspec

from events.facts.base import Fact
from events.facts.git import ReleaseObserved
from events.instant import Instant
from events.sources.github_webhook.moment import Moment, instant_of, latest
from events.sources.github_webhook.objects import From, Number, Repository
from events.sources.github_webhook.payload import decode
from events.sources.github_webhook.repository import mentioned


class Release(msgspec.Struct, frozen=True):
    """A release object. `created_at` is the tagged commit's date; older ones lack `updated_at`."""

    id: Number
    tag_name: str
    draft: bool
    prerelease: bool
    created_at: Moment
    published_at: Moment | None = None
    updated_at: Moment | None = None
    name: str | None = None
    target_commitish: str | None = None


class Changes(msgspec.Struct, frozen=True):
    """What an edit changed."""

    tag_name: From = From()


class ReleaseEvent(msgspec.Struct, frozen=True):
    """`release`: one click on "publish" gives `created`, `published` and `released`."""

    action: str
    release: Release
    repository: Repository
    changes: Changes = Changes()


def release(payload: bytes) -> tuple[Fact, ...]:
    """Read a `release` event."""
    event = decode(payload, ReleaseEvent)
    published = event.release
    fact = ReleaseObserved(
        release_id=published.id,
        at=_time(event),
        kind=event.action,
        tag=published.tag_name,
        name=published.name,
        draft=published.draft,
        prerelease=published.prerelease,
        published_at=instant_of(published.published_at),
        target=published.target_commitish,
        tag_from=event.changes.tag_name.value,
    )
    return (fact, *mentioned(event.repository, published.published_at, published.updated_at))


def _time(event: ReleaseEvent) -> Instant:
    """Return when the action was: at the publication, else at the last change that is shown."""
    published, repository = event.release, event.repository
    at_publication = published.published_at if event.action == "published" else None
    known = instant_of(at_publication) or instant_of(published.updated_at)
    if known is not None:
        return known
    proven = latest(published.published_at, repository.updated_at, repository.pushed_at)
    return published.created_at.instant if proven is None else proven
