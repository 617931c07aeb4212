"""Releases."""

import msgspec

from events.facts.base import Fact
from events.facts.git import ReleaseObserved
from events.instant import Instant
from events.sources.github_webhook.moment import Moment, instant_of, latest, latest_shown
from events.sources.github_webhook.objects import From, Number, Repository
from events.sources.github_webhook.payload import decode
from events.sources.github_webhook.repository import mentioned


class Release(msgspec.Struct, frozen=True):
    """A release object. `created_at` is the tagged commit's date; older ones lack `updated_at`."""

    id: Number
    tag_name: str
    draft: bool | None = None
    prerelease: bool | None = None
    created_at: Moment | None = None
    published_at: Moment | None = None
    updated_at: Moment | None = None
    name: str | None = None
    target_commitish: str | None = None


class Changes(msgspec.Struct, frozen=True):
    """What an edit changed."""

    tag_name: From = From()


class ReleaseEvent(msgspec.Struct, frozen=True):
    """`release`: one click on "publish" gives `created`, `published` and `released`."""

    release: Release
    action: str = "edited"
    repository: Repository | None = None
    changes: Changes | None = None


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
        # what was published is no draft
        draft=published.published_at is None if published.draft is None else published.draft,
        prerelease=bool(published.prerelease),
        published_at=instant_of(published.published_at),
        target=published.target_commitish,
        tag_from=None if event.changes is None else event.changes.tag_name.value,
    )
    return (fact, *mentioned(event.repository, published.published_at, published.updated_at))


def _time(event: ReleaseEvent) -> Instant:
    """Return when the action was: at the publication, else at the last change that is shown."""
    published, repository = event.release, event.repository
    at_publication = published.published_at if event.action == "published" else None
    known = instant_of(at_publication) or instant_of(published.updated_at)
    if known is not None:
        return known
    about = repository or Repository()
    proven = latest(published.published_at, about.updated_at, about.pushed_at)
    return latest_shown("release.created_at", published.created_at) if proven is None else proven
