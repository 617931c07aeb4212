"""Pull requests: their own events, and the snapshots inside events about reviews."""

from typing import Literal

import msgspec
from msgspec import UNSET, UnsetType

from events.facts.base import Fact, Trust
from events.facts.pull_request import PullRequestObserved
from events.sources.github_webhook.moment import Moment, instant_of
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
    label_names,
    login,
)
from events.sources.github_webhook.payload import decode
from events.sources.github_webhook.repository import mentioned

SNAPSHOT = "snapshot"


class HeadRepository(msgspec.Struct, frozen=True):
    """The repository of a branch; a deleted fork is null instead."""

    id: Number


class Head(msgspec.Struct, frozen=True):
    """The branch that is to be merged."""

    ref: str
    sha: Sha
    repo: HeadRepository | None = None


class Base(msgspec.Struct, frozen=True):
    """The branch that is to be changed."""

    ref: str


class PullRequest(msgspec.Struct, frozen=True):
    """A pull request object. Review events carry it without `merged`, `commits` and the like."""

    number: Number
    state: Literal["open", "closed"]
    title: str
    created_at: Moment
    updated_at: Moment
    base: Base
    head: Head
    closed_at: Moment | None = None
    merged_at: Moment | UnsetType | None = UNSET
    merged: bool | None = None
    merge_commit_sha: Sha | None = None
    commits: Count | None = None
    user: User | None = None
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

    action: str
    pull_request: PullRequest
    repository: Repository
    changes: Changes = Changes()
    label: Label | None = None
    before: Sha | None = None


class ReviewEvent(msgspec.Struct, frozen=True):
    """`pull_request_review`, `…_review_comment` and `…_review_thread`."""

    pull_request: PullRequest
    repository: Repository


def pull_request(payload: bytes) -> tuple[Fact, ...]:
    """Read a `pull_request` event."""
    event = decode(payload, PullRequestEvent)
    label = None if event.label is None else event.label.name
    fact = msgspec.structs.replace(
        observed(event.pull_request, event.repository, kind=event.action),
        base_from=event.changes.base.ref.value,
        title_from=event.changes.title.value,
        body_from=event.changes.body_from,
        head_before=event.before if event.action == "synchronize" else None,
        label_added=label if event.action == "labeled" else None,
        label_removed=label if event.action == "unlabeled" else None,
    )
    return (fact, *mentioned(event.repository, event.pull_request.updated_at))


def review(payload: bytes) -> tuple[Fact, ...]:
    """Read an event about a review: of interest is the request as it was then."""
    event = decode(payload, ReviewEvent)
    fact = observed(event.pull_request, event.repository, kind=SNAPSHOT)
    return (fact, *mentioned(event.repository, event.pull_request.updated_at))


def observed(request: PullRequest, repository: Repository, *, kind: str) -> PullRequestObserved:
    """State everything that a pull request object shows, and nothing that it does not."""
    merged_at = None if request.merged_at is UNSET else request.merged_at
    # A closed object with neither `merged` nor `merged_at` hides how it ended: it must not be
    # read as "closed without merge". So it shows no state, and the outcome stays unknown.
    hides_outcome = (
        request.state == "closed" and request.merged is None and request.merged_at is UNSET
    )
    is_merged = bool(request.merged) or merged_at is not None
    return PullRequestObserved(
        number=request.number,
        at=request.updated_at.instant,
        kind=kind,
        trust=Trust.FULL,
        state=None if hides_outcome else request.state,
        merged=request.merged,
        created_at=request.created_at.instant,
        closed_at=None if hides_outcome else instant_of(request.closed_at),
        merged_at=instant_of(merged_at),
        base=request.base.ref,
        head=_own_branch(request.head, repository),
        head_sha=request.head.sha,
        # Of a request that is not merged this is GitHub's test merge, never a landing.
        merge_commit_sha=request.merge_commit_sha if is_merged else None,
        commits=request.commits,
        title=request.title,
        # GitHub writes null for a text that was never given or was emptied.
        body=None if request.body is UNSET else request.body or "",
        author=login(request.user),
        author_is_bot=None if request.user is None else request.user.type == "Bot",
        draft=request.draft,
        labels=None if request.labels is None else label_names(request.labels),
        milestone=None if request.milestone is None else request.milestone.title,
    )


def _own_branch(head: Head, repository: Repository) -> str | None:
    """Return the branch only where it lies in the repository itself (not in a fork)."""
    same = head.repo is not None and head.repo.id == repository.id
    return head.ref if same else None
