"""Issues, and the comments under issues and pull requests (GitHub calls both `issue_comment`)."""

from typing import Literal

import msgspec
from msgspec import UNSET, UnsetType

from events.facts.base import Fact, Trust
from events.facts.issue import IssueObserved
from events.facts.pull_request import PullRequestObserved
from events.sources.github_webhook.moment import Moment, instant_of
from events.sources.github_webhook.objects import (
    Label,
    Milestone,
    Number,
    Repository,
    User,
    label_names,
    login,
)
from events.sources.github_webhook.payload import decode
from events.sources.github_webhook.pull_request import SNAPSHOT
from events.sources.github_webhook.repository import mentioned


class PullRequestPart(msgspec.Struct, frozen=True):
    """Its presence says that the "issue" is a pull request. Old payloads have no `merged_at`."""

    merged_at: Moment | UnsetType | None = UNSET


class Issue(msgspec.Struct, frozen=True):
    """An issue object, which for a comment may stand for a pull request."""

    number: Number
    title: str
    created_at: Moment
    updated_at: Moment
    state: Literal["open", "closed"] | None = None
    state_reason: str | None = None
    closed_at: Moment | None = None
    body: str | None = None
    user: User | None = None
    draft: bool | None = None
    labels: tuple[Label | None, ...] | None = None
    milestone: Milestone | None = None
    pull_request: PullRequestPart | None = None


class IssueEvent(msgspec.Struct, frozen=True):
    """`issues` and `issue_comment`."""

    action: str
    issue: Issue
    repository: Repository


def issues(payload: bytes) -> tuple[Fact, ...]:
    """Read an `issues` event."""
    event = decode(payload, IssueEvent)
    return _observed(event, kind=event.action)


def issue_comment(payload: bytes) -> tuple[Fact, ...]:
    """Read a comment: the action is the comment's, so the issue is a snapshot."""
    return _observed(decode(payload, IssueEvent), kind=SNAPSHOT)


def _observed(event: IssueEvent, *, kind: str) -> tuple[Fact, ...]:
    shown = event.issue
    # Asked of every issue object: to call a request an issue would refuse its merge.
    if shown.pull_request is not None:
        fact: Fact = _pull_request(shown, shown.pull_request)
    else:
        fact = _issue(shown, kind)
    return (fact, *mentioned(event.repository, shown.updated_at))


def _issue(shown: Issue, kind: str) -> IssueObserved:
    return IssueObserved(
        number=shown.number,
        at=shown.updated_at.instant,
        kind=kind,
        created_at=shown.created_at.instant,
        closed_at=instant_of(shown.closed_at),
        state=shown.state,
        state_reason=shown.state_reason,
        title=shown.title,
        body=shown.body,
        labels=label_names(shown.labels or ()),
    )


def _pull_request(shown: Issue, part: PullRequestPart) -> PullRequestObserved:
    """State what the issue form of a pull request shows: neither its base nor its head."""
    merged_at = None if part.merged_at is UNSET else part.merged_at
    # As in `pull_request.observed`: closed without a word on merging is no statement.
    hides_outcome = shown.state == "closed" and part.merged_at is UNSET
    return PullRequestObserved(
        number=shown.number,
        at=shown.updated_at.instant,
        kind=SNAPSHOT,
        trust=Trust.FULL,
        state=None if hides_outcome else shown.state,
        created_at=shown.created_at.instant,
        closed_at=None if hides_outcome else instant_of(shown.closed_at),
        merged_at=instant_of(merged_at),
        title=shown.title,
        author=login(shown.user),
        author_is_bot=None if shown.user is None else shown.user.type == "Bot",
        draft=shown.draft,
        labels=None if shown.labels is None else label_names(shown.labels),
        milestone=None if shown.milestone is None else shown.milestone.title,
    )
