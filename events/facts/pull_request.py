"""Facts about pull requests."""

from typing import Literal

from events.facts.base import Fact, Trust
from events.instant import Instant


class PullRequestObserved(Fact, frozen=True, kw_only=True):
    """A source showed a pull request as it was at one moment.

    A snapshot proves more than its action: a `labeled` payload proves when the request was opened.
    Every field but the first four is None where the source does not show it.
    """

    number: int
    at: Instant
    """Valid time of the snapshot: the payload's `updated_at`; of a commit, its committer date."""
    kind: str
    """The action (`opened`, `closed`, `edited`, `synchronize` …), `snapshot`, or `merge_commit`."""
    trust: Trust

    state: Literal["open", "closed"] | None = None
    merged: bool | None = None
    created_at: Instant | None = None
    closed_at: Instant | None = None
    merged_at: Instant | None = None

    base: str | None = None
    """Short name of the branch that the request asks to change."""
    base_from: str | None = None
    """Of an edit that moved it: the base before."""
    head: str | None = None
    """Short name of the request's own branch, only where it lies in the same repository."""
    head_sha: str | None = None
    head_before: str | None = None
    """Of a `synchronize`: the head before it."""
    merge_commit_sha: str | None = None
    """The landing commit, only where the request is merged (else GitHub shows a test merge)."""
    commits: int | None = None

    title: str | None = None
    title_from: str | None = None
    body: str | None = None
    """The request's own text, as it stands there; empty where it was shown to have none."""
    body_from: str | None = None
    """Of an edit that changed it: the text before, empty where there was none."""
    author: str | None = None
    author_is_bot: bool | None = None
    """None where the source does not say whether the author is a program or a person."""
    merger: str | None = None
    """Who merged it, only where it is merged."""
    merger_is_bot: bool | None = None
    draft: bool | None = None
    labels: tuple[str, ...] | None = None
    label_added: str | None = None
    label_removed: str | None = None
    milestone: str | None = None

    recognised_by: str | None = None
    """Of a git observation: how the number was found (`trailing number`, `merge subject` …)."""
