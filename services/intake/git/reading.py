"""One reading of a clone: when it was brought up to date, and which refs it speaks for. Pure."""

from collections.abc import Sequence
from fnmatch import fnmatchcase

import msgspec

from events.instant import Instant


class Reading(msgspec.Struct, frozen=True, kw_only=True):
    """When a clone was read, and when the reading before it was.

    Every ref had its value by `at`. `last` is when the reading before began to ask (None: there
    was none), so a ref that changed between the two had its old value then.
    """

    at: Instant
    last: Instant | None = None
    follows: tuple[str, ...] | None = None
    """Patterns of the refs (`refs/heads/*`) that the clone follows completely: what is missing
    among them is gone, and others are not read. None where the clone itself has to tell."""
    followed: tuple[str, ...] | None = None
    """The same of the reading before: what it did not follow is seen for the first time."""

    def last_of(self, name: str) -> Instant | None:
        """Return when a ref was last read, None where this is the first sight of it."""
        if self.followed is not None and not matches(name, self.followed):
            return None
        return self.last


def matches(name: str, patterns: Sequence[str]) -> bool:
    """Tell whether one of the patterns of a fetch takes a ref; `*` stands for any text."""
    return any(fnmatchcase(name, pattern) for pattern in patterns)
