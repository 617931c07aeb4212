"""Facts about repositories and about what is known of them as a whole."""

from events.facts.base import Fact
from events.instant import Instant


class RepositoryObserved(Fact, frozen=True, kw_only=True):
    """A source named a repository at one moment.

    `created` is set only by the delivery that announces the creation: it proves that no request
    is older. `at` is the best valid time that the source gives.
    """

    full_name: str
    at: Instant
    default_branch: str | None = None
    created: bool = False
    kind: str = "mentioned"
    """`mentioned`, or the action of a `repository` delivery (`renamed`, `transferred` …)."""


class RepositoryJoined(Fact, frozen=True, kw_only=True, omit_defaults=True):
    """A person said that what was recorded under this key goes on under another one."""

    into: str
    at: Instant


class CensusObserved(Fact, frozen=True, kw_only=True):
    """One full listing of a repository's requests was made.

    A `complete` census names every request that was open at `at`; no request above
    `highest_number` existed then.
    """

    at: Instant
    listed_from: str
    highest_number: int
    open_numbers: tuple[int, ...]
    complete: bool


class GapObserved(Fact, frozen=True, kw_only=True):
    """It became known that records are missing for a span, and why."""

    start: Instant
    end: Instant
    reason: str
    touches: tuple[int, ...] = ()
    """The requests concerned, where they are known."""
    harmless: bool = False
    """True where nothing proves that a genuine record is missing (an unsigned, oversized body)."""


class GapFilled(Fact, frozen=True, kw_only=True, omit_defaults=True):
    """What was missing for a gap has been recorded since."""

    gap: str
    """Id of the record that named the gap."""


class ArchiveRead(Fact, frozen=True, kw_only=True):
    """Hourly files of an archive were read for [start, end); gaps name what they do not show."""

    start: Instant
    end: Instant
