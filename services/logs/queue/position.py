"""How far the queue has been forwarded: one small file beside it, written whole or not at all.

It is written after the acknowledgement, so it may lag and never leads: what it does not tell yet is
sent again. Without the file everything in the queue is sent again, which readers do not mind. It
names the topic and the last record, so that a file that belongs to another queue is noticed.
"""

import fcntl
import os
from pathlib import Path
from typing import Final, Self

import msgspec

from events.errors import BrokenLog, ConfigurationError
from services.logs.files import whole_file
from services.logs.sqlite import SqliteLog

_VERSION: Final = 1


class _Content(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    version: int
    topic: str
    sequence: int
    record: str


class PositionFile:
    """The position of one queue; only one process at a time holds it."""

    def __init__(self, path: Path, topic: str) -> None:
        """Take hold of the file; raise ConfigurationError where another process does."""
        self._path = path
        self._topic = topic
        self._lock = os.open(path.with_name(f"{path.name}.lock"), os.O_RDWR | os.O_CREAT, 0o644)
        try:
            fcntl.flock(self._lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            os.close(self._lock)
            raise ConfigurationError(
                f"{path.parent} is forwarded by another process already; stop that one first, or "
                "give this one a data folder of its own"
            ) from None

    def load(self, queue: SqliteLog) -> int:
        """Return the sequence up to which the queue was forwarded, 0 without a file.

        Raise BrokenLog where the queue does not hold what was forwarded last: it was replaced.
        """
        content = self._read()
        if content is None:
            return 0
        entries = queue.read_all(content.sequence - 1, limit=1)
        if not entries:
            fault = "ends before it"
        elif entries[0].sequence != content.sequence:
            fault = "begins after it"
        elif entries[0].entry.record.id != content.record:
            fault = f"holds {entries[0].entry.record.id} there"
        else:
            return content.sequence
        raise BrokenLog(
            f"{self._path}: record {content.record} was forwarded at {content.sequence}, and the "
            f"queue {fault}; it is not the same queue: restore it, or remove the file to send "
            "everything again (which does no harm)"
        )

    def save(self, sequence: int, record_id: str) -> None:
        """Store the position durably; raise LogUnavailable where the disk does not take it."""
        content = _Content(version=_VERSION, topic=self._topic, sequence=sequence, record=record_id)
        with whole_file(self._path) as part:
            part.write_bytes(msgspec.json.encode(content) + b"\n")

    def close(self) -> None:
        """Let go of the file."""
        os.close(self._lock)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _read(self) -> _Content | None:
        try:
            content = msgspec.json.decode(self._path.read_bytes(), type=_Content)
        except FileNotFoundError:
            return None
        except (OSError, msgspec.MsgspecError) as error:
            raise ConfigurationError(
                f"{self._path} cannot be read ({error}); remove it to send everything again"
            ) from error
        if content.version > _VERSION:
            raise ConfigurationError(f"{self._path} was written by a newer Shipledger; upgrade")
        if content.topic != self._topic:
            raise ConfigurationError(
                f"{self._path}: the queue was forwarded to topic {content.topic}, and "
                f"{self._topic} is configured; remove the file to send everything there again"
            )
        return content
