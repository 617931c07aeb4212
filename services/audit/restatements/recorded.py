"""The records between two known times: one by its id, and the decisions about a request."""

from functools import cached_property

from events.errors import InvalidEvent
from events.facts.curation import MentionDecided
from events.facts.editions import TellingDecided
from events.identity import RepositoryKey
from events.instant import Instant
from events.record import Entry
from events.translate import translate
from services.audit.receipts.cuts import between
from services.audit.restatements.restatement import Cause
from services.logs.walk import Indexed
from services.stream.stores import Stores


class Recorded:
    """What a repository's partition got in (after, until]; the log is read only where needed."""

    def __init__(self, stores: Stores, repo: RepositoryKey, after: Instant, until: Instant) -> None:
        self._log, self._partition = stores.log, stores.partition_of(repo)
        self._repo, self._after, self._until = repo, after, until

    def record(self, record_id: str) -> Cause | None:
        """Return a record as a cause; None for one that was not recorded in between."""
        if not isinstance(self._log, Indexed):
            return self._walked[0].get(record_id)
        entry = self._log.find(self._repo, record_id)
        if entry is None or not self._after < entry.recorded_at <= self._until:
            return None
        return cause_of(entry)

    def decision(self, number: int) -> Cause | None:
        """Return the last decision that may have changed the class of a request."""
        return self._walked[1].get(number)

    @cached_property
    def _walked(self) -> tuple[dict[str, Cause], dict[int, Cause]]:
        records: dict[str, Cause] = {}
        decisions: dict[int, Cause] = {}
        for entry in between(self._log, self._partition, self._after, self._until):
            if entry.record.repository == self._repo:
                cause = records[entry.record.id] = cause_of(entry)
                if cause.kind == "curation":
                    decisions |= dict.fromkeys(_numbers_of(entry), cause)
        return records, decisions


def cause_of(entry: Entry) -> Cause:
    """Return an entry as a cause."""
    return Cause(
        kind="curation" if entry.record.source == "curation" else "late record",
        record=entry.record.id,
        source=entry.record.source,
        recorded_at=entry.recorded_at,
    )


def _numbers_of(entry: Entry) -> set[int]:
    """Return the requests whose class a decision may have changed."""
    try:
        facts = translate(entry.record).facts
    except InvalidEvent:
        return set()
    numbers: set[int] = set()
    for fact in facts:
        if isinstance(fact, TellingDecided) and fact.kind == "exclusion":
            numbers.update(fact.numbers)
        elif isinstance(fact, MentionDecided) and fact.number is not None:
            numbers.add(fact.number)
    return numbers
