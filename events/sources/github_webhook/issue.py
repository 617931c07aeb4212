"""Issues, their parts, and the comments under issues and pull requests (one kind at GitHub)."""

from typing import Literal

import msgspec
from msgspec import UNSET, UnsetType

from events.facts.base import Fact, Trust
from events.facts.issue import CommentObserved, IssueObserved, MovedTo, SubIssueObserved
from events.facts.pull_request import PullRequestObserved
from events.instant import Instant
from events.sources.github_webhook.moment import Moment, instant_of, latest_shown
from events.sources.github_webhook.objects import (
    Label,
    Milestone,
    Number,
    Repository,
    TextChanges,
    User,
    is_bot,
    label_names,
    login,
    title_of,
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
    title: str | None = None
    created_at: Moment | None = None
    updated_at: Moment | None = None
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

    number: Number | None = None


class NewRepository(msgspec.Struct, frozen=True):
    """Where a transferred issue went."""

    full_name: str | None = None


class IssueChanges(TextChanges, frozen=True):
    """What an action did to an issue."""

    new_issue: NewIssue | None = None
    new_repository: NewRepository | None = None

    @property
    def moved_to(self) -> MovedTo | None:
        """Where a transfer brought the issue; None where the repository or number is not told."""
        name = self.new_repository.full_name if self.new_repository else None
        number = self.new_issue.number if self.new_issue else None
        return MovedTo(name.lower(), number) if name and number else None


class IssueEvent(msgspec.Struct, frozen=True):
    """`issues`."""

    issue: Issue
    action: str = SNAPSHOT
    repository: Repository | None = None
    changes: IssueChanges | None = None


class Comment(msgspec.Struct, frozen=True):
    """A comment under an issue or a pull request."""

    id: Number
    created_at: Moment | None = None
    updated_at: Moment | None = None
    body: str | None = None
    user: User | None = None


class CommentEvent(msgspec.Struct, frozen=True):
    """`issue_comment`."""

    issue: Issue
    comment: Comment | None = None
    action: str = "created"
    repository: Repository | None = None


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
    about = _observed(event, kind=SNAPSHOT)
    return about if event.comment is None else (*about, _comment(event, event.comment))


def sub_issues(payload: bytes) -> tuple[Fact, ...]:
    """Read a part that was added to an issue or taken from it, if the issue lies here."""
    event = decode(payload, SubIssueEvent)
    moments = (event.parent_issue.updated_at, event.sub_issue.updated_at)
    known = mentioned(event.repository, *moments)
    created = (event.parent_issue.created_at, event.sub_issue.created_at)
    times = [moment.instant for moment in moments if moment is not None]
    parent, child = event.parent_issue_repo, event.sub_issue_repo
    if parent is not None and parent.id != event.repository.id:
        return known
    foreign = child is not None and child.id != event.repository.id
    link = SubIssueObserved(
        parent=event.parent_issue.number,
        child=event.sub_issue.number,
        at=max(times) if times else latest_shown("parent_issue.updated_at", None, *created),
        linked=event.action.endswith("_added"),
        repository=(child.full_name or "").lower() or None if child and foreign else None,
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


def _time(issue: Issue) -> Instant:
    return latest_shown("issue.updated_at", issue.updated_at, issue.created_at, issue.closed_at)


def _issue(issue: Issue, kind: str, changes: IssueChanges) -> IssueObserved:
    return IssueObserved(
        number=issue.number,
        at=_time(issue),
        kind=kind,
        created_at=instant_of(issue.created_at),
        closed_at=instant_of(issue.closed_at),
        state=issue.state,
        state_reason=issue.state_reason,
        title=issue.title,
        title_from=changes.title.value,
        body=issue.body,
        body_from=changes.body_from,
        labels=label_names(issue.labels) or (),
        moved_to=changes.moved_to,
    )


def _comment(event: CommentEvent, comment: Comment) -> CommentObserved:
    deleted = event.action == "deleted"
    written = latest_shown(
        "comment.updated_at", comment.updated_at, comment.created_at, event.issue.updated_at
    )
    # of a deletion only the issue's own time tells when it was
    times = (written, _time(event.issue) if deleted else 0)
    return CommentObserved(
        number=event.issue.number,
        comment_id=comment.id,
        at=max(times),
        kind=event.action,
        created_at=instant_of(comment.created_at) or written,
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
        at=_time(issue),
        kind=SNAPSHOT,
        trust=Trust.FULL,
        state=None if hides_outcome else issue.state,
        created_at=instant_of(issue.created_at),
        closed_at=None if hides_outcome else instant_of(issue.closed_at),
        merged_at=instant_of(merged_at),
        title=issue.title,
        author=login(issue.user),
        author_is_bot=is_bot(issue.user),
        draft=issue.draft,
        labels=label_names(issue.labels),
        milestone=title_of(issue.milestone),
    )
