"""So many log lines of one kind a minute, and then one that says how many more there were.

Whoever reaches a port can make a process write lines; without a bound he fills the disk with them.
What happened how often is told by the metrics, without a bound.
"""

import logging
import threading
import time
from collections.abc import Callable
from typing import Any, Final, TypeAlias

import msgspec
import structlog
from structlog.processors import NAME_TO_LEVEL
from structlog.typing import EventDict

Kind: TypeAlias = tuple[str, str, int]
"""The logger, and the event name of a line of ours; of others' lines, where they are written."""

#: Lines of one kind in one minute.
LINES: Final = 100
_SECONDS: Final = 60.0


class _Minute(msgspec.Struct, kw_only=True):
    """The lines of one kind since `begun`, the first of them, and how many were not written."""

    begun: float
    first: logging.LogRecord
    written: int = 0
    left_out: int = 0


class FloodFilter(logging.Filter):
    """Add it to a handler: drops what is too much, and tells of it when the minute is over."""

    def __init__(
        self,
        handler: logging.Handler,
        *,
        lines: int = LINES,
        seconds: float = _SECONDS,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        super().__init__()
        self._handler = handler
        self._lines, self._seconds, self._clock = lines, seconds, clock
        self._minutes: dict[Kind, _Minute] = {}
        self._lock = threading.Lock()

    def drop_early(self, logger: Any, method: str, event: EventDict) -> EventDict:
        """Drop a line of ours that would not be written, before it is made: a structlog processor.

        Making a line costs more than most of what is told by it.
        """
        kind = (logger.name, str(event.get("event", "")), NAME_TO_LEVEL[method])
        with self._lock:
            minute = self._minutes.get(kind)
            if (
                minute is not None
                and minute.left_out
                and self._clock() - minute.begun < self._seconds
            ):
                minute.left_out += 1
                raise structlog.DropEvent
        return event

    def filter(self, record: logging.LogRecord) -> bool:
        """Tell whether a line is written."""
        kind = _kind_of(record)
        now = self._clock()
        with self._lock:
            minute = self._minutes.get(kind)
            over = minute is not None and now - minute.begun >= self._seconds
            if minute is None or over:
                self._minutes[kind] = _Minute(begun=now, first=record, written=1)
            elif minute.written < self._lines:
                minute.written += 1
            else:
                minute.left_out += 1
                if minute.left_out == 1:
                    self._tell_later(kind, minute, minute.begun + self._seconds - now)
                return False
        if over and minute is not None:
            self._tell(minute)
        return True

    def tell_rest(self) -> None:
        """Tell at the end of what was left out and not told yet."""
        with self._lock:
            minutes = list(self._minutes.values())
        for minute in minutes:
            self._tell(minute)

    def _tell_later(self, kind: Kind, minute: _Minute, seconds: float) -> None:
        def tell() -> None:
            with self._lock:
                if self._minutes.get(kind) is minute:
                    del self._minutes[kind]
            self._tell(minute)

        timer = threading.Timer(seconds, tell)
        timer.daemon = True
        timer.start()

    def _tell(self, minute: _Minute) -> None:
        record = minute.first
        with self._lock:
            count, minute.left_out = minute.left_out, 0
        if count == 0:
            return
        event = f"{_event_of(record)}: … and {count:,} more of this kind"
        remark = logging.LogRecord(
            record.name, record.levelno, record.pathname, record.lineno, event, None, None
        )
        # not through `handle`, which would count it
        self._handler.acquire()
        try:
            self._handler.emit(remark)
        finally:
            self._handler.release()


def _kind_of(record: logging.LogRecord) -> Kind:
    if isinstance(record.msg, dict):
        return record.name, _event_of(record), record.levelno
    return record.name, record.pathname, record.lineno


def _event_of(record: logging.LogRecord) -> str:
    if isinstance(record.msg, dict):
        return str(record.msg.get("event", ""))
    return str(record.msg)
