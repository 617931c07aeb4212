"""Issues, their parts, and the comments under issues and pull requests (one kind at GitHub)."""

from typing import Literal

import msgspec
from msgspec import UNSET, UnsetType

from events.facts.base import Fact, Trust
from events.facts.issue import CommentObserved, IssueObserved, MovedTo, SubIssueObserved
from events.facts.pull_request import PullRequestObserved
from events.sources.github_webhook.moment import Moment, instant_of
from events.sources.github_webhook.objects import (
    Label,
    Milestone,
    Number,
    Repository,
    TextChanges,
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


class NewIssue(msgspec.Struct, frozen=True):
    """The number that a transferred issue has where it went."""

    number: Number


class NewRepository(msgspec.Struct, frozen=True):
    """Where a transferred issue went."""

    full_name: str


class IssueChanges(TextChanges, frozen=True):
    """What an action did to an issue."""

    new_issue: NewIssue | None = None
    new_repository: NewRepository | None = None

    @property
    def moved_to(self) -> MovedTo | None:
        """Where a transfer brought the issue."""
        if self.new_issue is None or self.new_repository is None:
            return None
        return MovedTo(self.new_repository.full_name.lower(), self.new_issue.number)


class IssueEvent(msgspec.Struct, frozen=True):
    """`issues`."""

    action: str
    issue: Issue
    repository: Repository
    changes: IssueChanges = IssueChanges()


class Comment(msgspec.Struct, frozen=True):
    """A comment under an issue or a pull request."""

    id: Number
    created_at: Moment
    updated_at: Moment
    body: str | None = None
    user: User | None = None


class CommentEvent(msgspec.Struct, frozen=True):
    """`issue_comment`."""

    action: str
    issue: Issue
    comment: Comment
    repository: Repository


class SubIssueEvent(msgspec.Struct, frozen=True):
    """`sub_issues`: GitHub sends one to the parent's repository and one to the child's."""

    action: str
    parent_issue: Issue
    sub_issue: Issue
    repository: Repository
    parent_issue_repo: Repository | None = None
    sub_issue_repo: Repository | None = None


def issues(payload: bytes) -> tuple[Fact, ...]:
    """Read an `issues` event."""
    event = decode(payload, IssueEvent)
    return _observed(event, kind=event.action, changes=event.changes)


def issue_comment(payload: bytes) -> tuple[Fact, ...]:
    """Read a comment: the action is the comment's, so the issue is a snapshot."""
    event = decode(payload, CommentEvent)
    return (*_observed(event, kind=SNAPSHOT), _comment(event))


def sub_issues(payload: bytes) -> tuple[Fact, ...]:
    """Read a part that was added to an issue or taken from it, if the issue lies here."""
    event = decode(payload, SubIssueEvent)
    moments = (event.parent_issue.updated_at, event.sub_issue.updated_at)
    known = mentioned(event.repository, *moments)
    parent, child = event.parent_issue_repo, event.sub_issue_repo
    if parent is not None and parent.id != event.repository.id:
        return known
    foreign = child is not None and child.id != event.repository.id
    link = SubIssueObserved(
        parent=event.parent_issue.number,
        child=event.sub_issue.number,
        at=max(moment.instant for moment in moments),
        linked=event.action.endswith("_added"),
        repository=child.full_name.lower() if child is not None and foreign else None,
    )
    return (link, *known)


def _observed(
    event: IssueEvent | CommentEvent, *, kind: str, changes: IssueChanges | None = None
) -> tuple[Fact, ...]:
    issue = event.issue
    # Asked of every issue object: to call a request an issue would refuse its merge.
    if issue.pull_request is not None:
        fact: Fact = _pull_request(issue, issue.pull_request)
    else:
        fact = _issue(issue, kind, changes or IssueChanges())
    return (fact, *mentioned(event.repository, issue.updated_at))


def _issue(issue: Issue, kind: str, changes: IssueChanges) -> IssueObserved:
    return IssueObserved(
        number=issue.number,
        at=issue.updated_at.instant,
        kind=kind,
        created_at=issue.created_at.instant,
        closed_at=instant_of(issue.closed_at),
        state=issue.state,
        state_reason=issue.state_reason,
        title=issue.title,
        title_from=changes.title.value,
        body=issue.body,
        body_from=changes.body_from,
        labels=label_names(issue.labels or ()),
        moved_to=changes.moved_to,
    )


def _comment(event: CommentEvent) -> CommentObserved:
    comment, deleted = event.comment, event.action == "deleted"
    # of a deletion only the issue's own time tells when it was
    times = (comment.updated_at.instant, event.issue.updated_at.instant if deleted else 0)
    return CommentObserved(
        number=event.issue.number,
        comment_id=comment.id,
        at=max(times),
        kind=event.action,
        created_at=comment.created_at.instant,
        on_pull_request=event.issue.pull_request is not None,
        author=login(comment.user),
        body=None if deleted else comment.body or "",
    )


def _pull_request(issue: Issue, part: PullRequestPart) -> PullRequestObserved:
    """State what the issue form of a pull request shows: neither its base nor its head."""
    merged_at = None if part.merged_at is UNSET else part.merged_at
    # As in `pull_request.observed`: closed without a word on merging is no statement.
    hides_outcome = issue.state == "closed" and part.merged_at is UNSET
    return PullRequestObserved(
        number=issue.number,
        at=issue.updated_at.instant,
        kind=SNAPSHOT,
        trust=Trust.FULL,
        state=None if hides_outcome else issue.state,
        created_at=issue.created_at.instant,
        closed_at=None if hides_outcome else instant_of(issue.closed_at),
        merged_at=instant_of(merged_at),
        title=issue.title,
        author=login(issue.user),
        author_is_bot=None if issue.user is None else issue.user.type == "Bot",
        draft=issue.draft,
        labels=None if issue.labels is None else label_names(issue.labels),
        milestone=None if issue.milestone is None else issue.milestone.title,
    )
