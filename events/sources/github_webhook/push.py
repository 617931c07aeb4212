"""Pushes: a ref got a new value."""

from typing import Final

import msgspec

from events.facts.base import Fact
from events.facts.git import RefObserved
from events.instant import Instant
from events.sources.github_webhook.moment import latest_shown
from events.sources.github_webhook.objects import Repository, Sha
from events.sources.github_webhook.payload import decode
from events.sources.github_webhook.repository import mentioned

#: Branches that the merge queue makes and deletes by itself; nothing is ever released from them.
QUEUE: Final = "refs/heads/gh-readonly-queue/"
TAGS: Final = "refs/tags/"


class HeadCommit(msgspec.Struct, frozen=True):
    """The commit at the new value, null at a deletion."""

    id: Sha | None = None


class PushEvent(msgspec.Struct, frozen=True):
    """`push`: of a branch or a tag, also its creation and deletion."""

    ref: str
    before: Sha | None = None
    after: Sha | None = None
    repository: Repository | None = None
    deleted: bool = False
    forced: bool | None = None
    head_commit: HeadCommit | None = None


def push(payload: bytes) -> tuple[Fact, ...]:
    """Read a `push` event."""
    event = decode(payload, PushEvent)
    return (*_observed(event), *mentioned(event.repository))


def _observed(event: PushEvent) -> tuple[Fact, ...]:
    if event.ref.startswith(QUEUE):
        return ()
    is_tag = event.ref.startswith(TAGS)
    sha = _commit(event, is_tag=is_tag)
    deleted = event.deleted or (event.after is not None and _is_zero(event.after))
    if sha is None and not deleted:
        return ()  # a tag of something that is not a commit: no branch or release to speak of
    return (
        RefObserved(
            ref=event.ref,
            sha=None if deleted else sha,
            at=_time(event),
            evidence="pushed",
            tag_object=event.after if is_tag and not deleted and event.after != sha else None,
            # Of an annotated tag `before` is the old tag object, so it is no commit to compare.
            before=None
            if is_tag or event.before is None or _is_zero(event.before)
            else event.before,
            forced=event.forced,
        ),
    )


def _time(event: PushEvent) -> Instant:
    """Return when the ref was pushed; the date of its commit does not say that."""
    about = event.repository or Repository()
    return latest_shown("repository.pushed_at", about.pushed_at, about.updated_at)


def _commit(event: PushEvent, *, is_tag: bool) -> str | None:
    """Return the peeled commit: of an annotated tag `after` is the tag object."""
    head = None if event.head_commit is None else event.head_commit.id
    return head if is_tag else event.after or head


def _is_zero(sha: str) -> bool:
    return not sha.strip("0")
