"""Facts about issues, which share their numbers with pull requests."""

from typing import Literal

from events.facts.base import Fact
from events.instant import Instant


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
    body: str | None = None
    labels: tuple[str, ...] = ()
