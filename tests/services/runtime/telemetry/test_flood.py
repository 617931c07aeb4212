"""A flood of log lines of one kind is counted, not written."""

import contextlib
import io
import json
import logging
import time

import pytest
import structlog

from services.runtime.telemetry.flood import FloodFilter
from services.runtime.telemetry.logging import configure_logging
from tests.services.runtime.telemetry.test_logging import _restored_logging

__all__ = ["_restored_logging"]


class Written(logging.Handler):
    """Keeps what is written."""

    def __init__(self) -> None:
        super().__init__()
        self.lines: list[str] = []

    def emit(self, record: logging.LogRecord) -> None:
        """Keep a line."""
        self.lines.append(record.getMessage())


def logger_of(handler: Written, name: str) -> logging.Logger:
    logger = logging.getLogger(f"tests.flood.{name}")
    logger.propagate = False
    logger.handlers[:] = [handler]
    return logger


def test_lines_of_one_kind_are_counted_past_so_many_a_minute_and_others_are_written() -> None:
    now = [0.0]
    handler = Written()
    handler.addFilter(FloodFilter(handler, lines=3, seconds=60, clock=lambda: now[0]))
    logger = logger_of(handler, "counted")

    def refuse(count: int) -> None:
        for nth in range(count):
            logger.warning("refused %d", nth)

    refuse(4_214)
    logger.warning("something else")
    assert handler.lines == ["refused 0", "refused 1", "refused 2", "something else"]
    now[0] = 60.0
    refuse(1)
    assert handler.lines[4:] == ["refused %d: … and 4,211 more of this kind", "refused 0"]
    now[0] = 120.0
    refuse(1)
    assert handler.lines[6:] == ["refused 0"], "nothing was left out of that minute"


def test_how_many_more_there_were_is_told_although_nothing_is_written_any_more() -> None:
    handler = Written()
    handler.addFilter(FloodFilter(handler, lines=1, seconds=0.1))
    logger = logger_of(handler, "told")
    for _ in range(5):
        logger.error("broken")
    deadline = time.monotonic() + 5
    while len(handler.lines) < 2 and time.monotonic() < deadline:
        time.sleep(0.01)
    assert handler.lines == ["broken", "broken: … and 4 more of this kind"]


def test_at_the_end_it_is_told_what_was_left_out() -> None:
    handler = Written()
    flood = FloodFilter(handler, lines=1, seconds=60)
    handler.addFilter(flood)
    logger = logger_of(handler, "rest")
    for _ in range(3):
        logger.error("broken")
    flood.tell_rest()
    flood.tell_rest()
    assert handler.lines == ["broken", "broken: … and 2 more of this kind"]


@pytest.mark.parametrize("form", ["json", "columns"])
def test_a_process_writes_few_lines_whatever_is_told_a_hundred_thousand_times(form: str) -> None:
    stream = io.StringIO()
    configure_logging("json" if form == "json" else "columns", stream=stream)
    ours, theirs = structlog.get_logger("ours"), logging.getLogger("uvicorn.error")
    for nth in range(5_000):
        ours.warning("delivery.refused", delivery=f"D{nth}", reason="bad_signature")
        theirs.warning(f"Invalid request {nth}")  # as libraries do
    ours.warning("delivery.unknown")
    lines = stream.getvalue().splitlines()
    assert len(lines) == 201
    assert "delivery.unknown" in lines[-1]
    if form == "json":
        assert json.loads(lines[0])["delivery"] == "D0"


def test_what_is_dropped_early_is_counted_and_told_as_all_else() -> None:
    now = [0.0]
    handler = Written()
    flood = FloodFilter(handler, lines=2, seconds=60, clock=lambda: now[0])
    handler.addFilter(flood)
    logger = logger_of(handler, "early")
    made = []

    def say(event: str, method: str = "warning") -> None:
        with contextlib.suppress(structlog.DropEvent):
            flood.drop_early(logger, method, {"event": event})
            made.append(event)
            getattr(logger, method)({"event": event})  # as structlog hands a line on

    for _ in range(100):
        say("refused")
    say("refused", "error")
    say("other")
    assert len(made) == 5, "the first that is too many is made, and those after it are not"
    now[0] = 60.0
    say("refused")
    said = [line.removeprefix("{'event': '").removesuffix("'}") for line in handler.lines]
    assert said == [
        *("refused", "refused", "refused", "other"),
        *("refused: … and 98 more of this kind", "refused"),
    ]
