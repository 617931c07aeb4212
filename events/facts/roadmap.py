"""Facts about roadmaps that persons stated: texts they imported, and what they decided."""

from typing import Literal

from events.facts.base import Fact
from events.instant import Instant


class RoadmapImported(Fact, frozen=True, kw_only=True, omit_defaults=True):
    """A person stated that a roadmap issue had this text at a moment."""

    number: int
    at: Instant
    body: str
    title: str | None = None
    author: str = ""


class RoadmapItemDecided(Fact, frozen=True, kw_only=True, omit_defaults=True):
    """A person stated what a link of an item is to it, or what the item's status is.

    `link` is written as in the text (`#12`, `owner/name#12`). A later decision about the same link,
    or the same item's status, replaces this one; `role` and `status` None take it back.
    """

    number: int
    """Of the roadmap issue."""
    item: str
    decided_at: Instant
    author: str
    reason: str
    link: str | None = None
    role: Literal["implementing", "tracking", "mention"] | None = None
    status: str | None = None
    branches: tuple[str, ...] = ()


class DriftAcknowledged(Fact, frozen=True, kw_only=True, omit_defaults=True):
    """A person stated that a drift is known and may be quiet.

    It holds for what `digest` covers (claim and facts): the drift fires again when those change,
    or when `expires_at` is past.
    """

    number: int
    """Of the roadmap issue."""
    item: str
    digest: str
    decided_at: Instant
    author: str
    reason: str
    expires_at: Instant | None = None
    holds: bool = True
    """False: an earlier acknowledgement was taken back."""
