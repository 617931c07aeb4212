"""Pushes: a ref got a new value."""

from typing import Final

import msgspec

from events.facts.base import Fact
from events.facts.git import RefObserved
from events.sources.github_webhook.moment import Moment
from events.sources.github_webhook.objects import FullName, Number, Sha
from events.sources.github_webhook.objects import Repository as AnyRepository
from events.sources.github_webhook.payload import decode
from events.sources.github_webhook.repository import mentioned

#: Branches that the merge queue makes and deletes by itself; nothing is ever released from them.
QUEUE: Final = "refs/heads/gh-readonly-queue/"
TAGS: Final = "refs/tags/"


class PushRepository(msgspec.Struct, frozen=True):
    """As elsewhere, but `pushed_at` is required: it dates the push (and is an integer here)."""

    id: Number
    full_name: FullName
    pushed_at: Moment
    default_branch: str | None = None
    updated_at: Moment | None = None


class HeadCommit(msgspec.Struct, frozen=True):
    """The commit at the new value, null at a deletion."""

    id: Sha


class PushEvent(msgspec.Struct, frozen=True):
    """`push`: of a branch or a tag, also its creation and deletion."""

    ref: str
    before: Sha
    after: Sha
    repository: PushRepository
    deleted: bool = False
    forced: bool | None = None
    head_commit: HeadCommit | None = None


def push(payload: bytes) -> tuple[Fact, ...]:
    """Read a `push` event."""
    event = decode(payload, PushEvent)
    pushed = event.repository
    named = AnyRepository(
        id=pushed.id,
        full_name=pushed.full_name,
        default_branch=pushed.default_branch,
        updated_at=pushed.updated_at,
        pushed_at=pushed.pushed_at,
    )
    return (*_observed(event), *mentioned(named))


def _observed(event: PushEvent) -> tuple[Fact, ...]:
    if event.ref.startswith(QUEUE):
        return ()
    is_tag = event.ref.startswith(TAGS)
    sha = _commit(event, is_tag=is_tag)
    deleted = event.deleted or _is_zero(event.after)
    if sha is None and not deleted:
        return ()  # a tag of something that is not a commit: no branch or release to speak of
    return (
        RefObserved(
            ref=event.ref,
            sha=None if deleted else sha,
            at=event.repository.pushed_at.instant,
            evidence="pushed",
            tag_object=event.after if is_tag and not deleted and event.after != sha else None,
            # Of an annotated tag `before` is the old tag object, so it is no commit to compare.
            before=None if is_tag or _is_zero(event.before) else event.before,
            forced=event.forced,
        ),
    )


def _commit(event: PushEvent, *, is_tag: bool) -> str | None:
    """Return the peeled commit: of an annotated tag `after` is the tag object."""
    if not is_tag:
        return event.after
    return None if event.head_commit is None else event.head_commit.id


def _is_zero(sha: str) -> bool:
    return not sha.strip("0")
