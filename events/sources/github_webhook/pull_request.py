"""Pull requests: their own events, and the snapshots inside events about reviews."""

from typing import Literal

import msgspec
from msgspec import UNSET, UnsetType

from events.errors import InvalidEvent
from events.facts.base import Fact, Trust
from events.facts.pull_request import PullRequestObserved
from events.instant import Instant
from events.sources.github_webhook.moment import Moment, instant_of, latest_shown
from events.sources.github_webhook.objects import (
    Count,
    From,
    Label,
    Milestone,
    Number,
    Repository,
    Sha,
    TextChanges,
    User,
    is_bot,
    label_name,
    label_names,
    login,
    title_of,
)
from events.sources.github_webhook.payload import decode
from events.sources.github_webhook.repository import mentioned

SNAPSHOT = "snapshot"


class HeadRepository(msgspec.Struct, frozen=True):
    """The repository of a branch; a deleted fork is null instead."""

    id: Number | None = None


class Head(msgspec.Struct, frozen=True):
    """The branch that is to be merged."""

    ref: str | None = None
    sha: Sha | None = None
    repo: HeadRepository | None = None


class Base(msgspec.Struct, frozen=True):
    """The branch that is to be changed."""

    ref: str | None = None


class PullRequest(msgspec.Struct, frozen=True):
    """A pull request object. Review events carry it without `merged`, `commits` and the like."""

    number: Number | None = None
    state: Literal["open", "closed"] | None = None
    title: str | None = None
    created_at: Moment | None = None
    updated_at: Moment | None = None
    base: Base | None = None
    head: Head | None = None
    closed_at: Moment | None = None
    merged_at: Moment | UnsetType | None = UNSET
    merged: bool | None = None
    merge_commit_sha: Sha | None = None
    commits: Count | None = None
    user: User | None = None
    merged_by: User | None = None
    body: str | UnsetType | None = UNSET
    draft: bool | None = None
    labels: tuple[Label | None, ...] | None = None
    milestone: Milestone | None = None


class BaseChange(msgspec.Struct, frozen=True):
    """What an edit did to the base."""

    ref: From = From()


class Changes(TextChanges, frozen=True):
    """What an edit changed; empty where GitHub does not say."""

    base: BaseChange = BaseChange()


class PullRequestEvent(msgspec.Struct, frozen=True):
    """`pull_request`, whatever its action: unknown ones are snapshots like all others."""

    pull_request: PullRequest
    action: str | None = None
    number: Number | None = None
    repository: Repository | None = None
    changes: Changes | None = None
    label: Label | None = None
    before: Sha | None = None


class ReviewEvent(msgspec.Struct, frozen=True):
    """`pull_request_review`, `…_review_comment` and `…_review_thread`."""

    pull_request: PullRequest
    repository: Repository | None = None


def pull_request(payload: bytes) -> tuple[Fact, ...]:
    """Read a `pull_request` event; without its action it is a snapshot."""
    event = decode(payload, PullRequestEvent)
    shown, changes = event.pull_request, event.changes or Changes()
    if shown.number is None:
        shown = msgspec.structs.replace(shown, number=event.number)
    label = label_name(event.label)
    fact = msgspec.structs.replace(
        observed(shown, event.repository, kind=event.action or SNAPSHOT),
        base_from=changes.base.ref.value,
        title_from=changes.title.value,
        body_from=changes.body_from,
        head_before=event.before if event.action == "synchronize" else None,
        label_added=label if event.action == "labeled" else None,
        label_removed=label if event.action == "unlabeled" else None,
    )
    return (fact, *mentioned(event.repository, shown.updated_at))


def review(payload: bytes) -> tuple[Fact, ...]:
    """Read an event about a review: of interest is the request as it was then."""
    event = decode(payload, ReviewEvent)
    fact = observed(event.pull_request, event.repository, kind=SNAPSHOT)
    return (fact, *mentioned(event.repository, event.pull_request.updated_at))


def observed(
    request: PullRequest, repository: Repository | None, *, kind: str
) -> PullRequestObserved:
    """State everything that a pull request object shows, and nothing that it does not.

    Raise InvalidEvent where it has no number, or no time at all.
    """
    if request.number is None:
        raise InvalidEvent("required, and missing", path="pull_request.number")
    at = _time(request, repository)
    merged_at = None if request.merged_at is UNSET else request.merged_at
    # A closed object with neither `merged` nor `merged_at` hides how it ended: it must not be
    # read as "closed without merge". So it shows no state, and the outcome stays unknown.
    hides_outcome = (
        request.state == "closed" and request.merged is None and request.merged_at is UNSET
    )
    is_merged = bool(request.merged) or merged_at is not None
    created_at = instant_of(request.created_at)
    return PullRequestObserved(
        number=request.number,
        at=at,
        kind=kind,
        trust=Trust.FULL,
        state=None if hides_outcome else request.state,
        merged=request.merged,
        # the payload of an opening dates from the opening
        created_at=at if created_at is None and kind == "opened" else created_at,
        closed_at=None if hides_outcome else instant_of(request.closed_at),
        merged_at=instant_of(merged_at),
        base=None if request.base is None else request.base.ref,
        head=own_branch(request.head, repository),
        head_sha=None if request.head is None else request.head.sha,
        # Of a request that is not merged this is GitHub's test merge, never a landing.
        merge_commit_sha=request.merge_commit_sha if is_merged else None,
        commits=request.commits,
        title=request.title,
        # GitHub writes null for a text that was never given or was emptied.
        body=None if request.body is UNSET else request.body or "",
        author=login(request.user),
        author_is_bot=is_bot(request.user),
        merger=login(request.merged_by) if is_merged else None,
        merger_is_bot=is_bot(request.merged_by) if is_merged else None,
        draft=request.draft,
        labels=label_names(request.labels),
        milestone=title_of(request.milestone),
    )


def _time(request: PullRequest, repository: Repository | None) -> Instant:
    """Return when the snapshot was made."""
    merged_at = None if request.merged_at is UNSET else request.merged_at
    about = repository or Repository()
    return latest_shown(
        "pull_request.updated_at",
        request.updated_at,
        *(request.created_at, request.closed_at, merged_at),
        *(about.updated_at, about.pushed_at),
    )


def own_branch(head: Head | None, repository: Repository | None) -> str | None:
    """Return the branch only where it lies in the repository itself (not in a fork)."""
    if head is None or head.repo is None or repository is None or repository.id is None:
        return None
    return head.ref if head.repo.id == repository.id else None
