"""Facts that concern the log itself and how answers are made."""

from events.facts.base import Fact
from events.instant import Instant


class ConflictObserved(Fact, frozen=True, kw_only=True):
    """A second, different body came under an id that was taken; the first one counts."""

    record_id: str
    numbers: tuple[int, ...] = ()


class ConfigurationRecorded(Fact, frozen=True, kw_only=True):
    """The effective configuration, or a rule set, became this."""

    digest: str
    kind: str
    content: str


class Ticked(Fact, frozen=True, kw_only=True):
    """Time passed in a partition without anything else: it settles what was known by then."""

    at: Instant
