"""When GitHub itself said that refs got their values: pushes, and releases by their tags.

A date counts for a change that was seen between two readings only if it lies between them, so
that a value which comes back (A, B, A) is not dated by the first time. GitHub's dates are whole
seconds: one that begins within the second of a reading may have come after it.
"""

from collections import defaultdict
from collections.abc import Iterable
from typing import Final

from events.errors import InvalidEvent
from events.facts.git import RefObserved, ReleaseObserved
from events.instant import SECOND, Instant
from events.record import Record
from events.sources.github_webhook.translator import TYPE_PREFIX, event_of
from events.translate import translate

_DATING: Final = frozenset({"push", "release"})


class RefDates:
    """What the records of one repository say; the order in which they come does not matter."""

    def __init__(self) -> None:
        self._pushed: defaultdict[tuple[str, str | None], set[Instant]] = defaultdict(set)
        self._published: defaultdict[str, set[Instant]] = defaultdict(set)

    def add(self, record: Record) -> None:
        """Take in any record; those that cannot be understood are someone else's concern."""
        if not record.type.startswith(TYPE_PREFIX) or event_of(record.type) not in _DATING:
            return
        try:
            facts = translate(record).facts
        except InvalidEvent:
            return
        for fact in facts:
            if isinstance(fact, RefObserved) and fact.evidence == "pushed":
                self._pushed[fact.ref, fact.tag_object or fact.sha].add(fact.at)
            elif isinstance(fact, ReleaseObserved) and fact.published_at is not None:
                self._published[fact.tag].add(fact.published_at)

    def pushed(self, ref: str, value: str | None, *, after: Instant | None) -> Instant | None:
        """Return when a ref was last pushed to a value (of an annotated tag, the tag object; None:
        deleted), if that is known and can have been after the reading before.
        """
        return max(_after(self._pushed.get((ref, value), ()), after), default=None)

    def published(self, tag: str, *, after: Instant | None, made: Instant) -> Instant | None:
        """Return when a release of a tag was first published, as `pushed`.

        A release from before the tag's commit was `made` was of another commit.
        """
        moments = _after(self._published.get(tag, ()), after)
        return min((at for at in moments if at >= made), default=None)


def _after(moments: Iterable[Instant], after: Instant | None) -> list[Instant]:
    return [at for at in moments if after is None or at + SECOND > after]
