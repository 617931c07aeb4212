"""Facts about issues, which share their numbers with pull requests."""

from typing import Literal

import msgspec

from events.facts.base import Fact
from events.instant import Instant


class MovedTo(msgspec.Struct, frozen=True):
    """Where a transfer brought an issue; there it has a new number."""

    repository: str
    """`owner/name` in lower case, as it was called then."""
    number: int

    def __str__(self) -> str:
        """Write it as a link."""
        return f"{self.repository}#{self.number}"


class IssueObserved(Fact, frozen=True, kw_only=True):
    """A source showed that a number is an issue, and its state at one moment."""

    number: int
    at: Instant
    kind: str
    created_at: Instant | None = None
    closed_at: Instant | None = None
    state: Literal["open", "closed"] | None = None
    state_reason: str | None = None
    title: str | None = None
    title_from: str | None = None
    """Of an edit that changed it: the title before."""
    body: str | None = None
    body_from: str | None = None
    """Of an edit that changed it: the text before, empty where there was none."""
    labels: tuple[str, ...] = ()
    moved_to: MovedTo | None = None
    """Of a transfer: where to."""


class CommentObserved(Fact, frozen=True, kw_only=True):
    """A comment on an issue or a pull request was shown, or its deletion; `body` is None then."""

    number: int
    comment_id: int
    at: Instant
    kind: str
    """The action: `created`, `edited` or `deleted`."""
    created_at: Instant
    on_pull_request: bool = False
    author: str | None = None
    body: str | None = None


class SubIssueObserved(Fact, frozen=True, kw_only=True):
    """An issue was made part of another one, or is part of it no longer."""

    parent: int
    child: int
    at: Instant
    linked: bool
    repository: str | None = None
    """`owner/name` of the child where it lies in another repository."""
