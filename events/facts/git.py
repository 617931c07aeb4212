"""Facts about refs and commits."""

from typing import Literal

import msgspec

from events.facts.base import Fact
from events.instant import Instant


class Commit(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A commit as git has it. `paths` are those of the difference to the first parent, without
    rename detection (a rename names both), sorted; None where they were not read.
    """

    sha: str
    parents: tuple[str, ...]
    authored_at: Instant
    committed_at: Instant
    author: str
    subject: str
    message: str = ""
    """What follows the subject, as it stands there."""
    paths: tuple[str, ...] | None = None
    branch: str | None = None
    """The branch whose first-parent history it belongs to (default branch first), if any."""


class CommitsObserved(Fact, frozen=True, kw_only=True):
    """A clone held these commits."""

    commits: tuple[Commit, ...]


class RefObserved(Fact, frozen=True, kw_only=True):
    """A ref had a new value: `sha` is the peeled commit, None where the ref was deleted.

    `at` is the best valid time of the change and `evidence` says what it rests on: `published`,
    `pushed`, `tagger`, `fetched` (then `not_before` is the fetch before), `assumed` (first sight).
    """

    ref: str
    sha: str | None
    at: Instant
    evidence: Literal["published", "pushed", "tagger", "fetched", "assumed"]
    tag_object: str | None = None
    before: str | None = None
    not_before: Instant | None = None
    forced: bool | None = None


class ReleaseObserved(Fact, frozen=True, kw_only=True):
    """A GitHub release was shown. A draft has no `published_at` and is invisible to readers."""

    release_id: int
    at: Instant
    kind: str
    tag: str
    name: str | None = None
    draft: bool
    prerelease: bool
    published_at: Instant | None = None
    target: str | None = None
    tag_from: str | None = None
