"""Decisions of persons. They have known time only, and hold until a later one replaces them."""

from typing import Literal

from events.facts.base import Fact
from events.instant import Instant


class ReleaseAliasDecided(Fact, frozen=True, kw_only=True, omit_defaults=True):
    """A person stated which tag readers mean by a name; None: the name means nothing any more."""

    alias: str
    tag: str | None
    decided_at: Instant
    author: str
    source: str = ""
    """Where it is written (an address), for those who doubt it."""
    reason: str = ""


class MentionDecided(Fact, frozen=True, kw_only=True, omit_defaults=True):
    """A person confirmed or rejected that a commit picks, reverts or restores a change.

    The change is named by `target` (a SHA), by `number`, or by both. A confirmed one that no
    message states is added.
    """

    sha: str
    role: Literal["pick", "revert", "restore"]
    holds: bool
    decided_at: Instant
    author: str
    number: int | None = None
    target: str | None = None
    title: str | None = None
    reason: str = ""
