"""Follows the log of one repository: what of its git history is known, and who asks for a fetch."""

from typing import Final

from events.identity import RepositoryKey
from events.log.port import START, Cursor, Log
from events.record import Record
from events.sources.github_webhook.translator import TYPE_PREFIX, event_of
from services.intake.git import Imported
from services.logs.walk import entries

#: Events after which a remote has, or may have, other refs than before.
_ASKING: Final = frozenset({"push", "create", "delete", "release"})


class Follower:
    """Reads the partition that holds the repository once, then only what is new."""

    def __init__(self, log: Log, repository: RepositoryKey, partition: str) -> None:
        self.known = Imported()
        self._log = log
        self._repository = repository
        self._partition = partition
        self._cursor = START
        self._asked_at = -1

    @property
    def position(self) -> int:
        """The next position to read."""
        return self._cursor.position

    def asks_since(self, position: int) -> bool:
        """Tell whether a record at `position` or later asks for a fetch."""
        return self._asked_at >= position

    def catch_up(self) -> bool:
        """Read to the end of the log; tell whether something that was read asks for a fetch."""
        asked_before = self._asked_at
        for entry in entries(self._log, self._partition, self._cursor):
            if entry.record.repository == self._repository:
                self.known.add(entry.record)
                if _asks(entry.record):
                    self._asked_at = entry.position
            self._cursor = Cursor(entry.position + 1, entry.recorded_at)
        return self._asked_at > asked_before


def _asks(record: Record) -> bool:
    return record.type.startswith(TYPE_PREFIX) and event_of(record.type) in _ASKING
