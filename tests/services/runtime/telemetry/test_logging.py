"""Structured logs: one line an event, for machines or for people."""

import io
import json
import logging
from collections.abc import Iterator

import pytest
import structlog

from services.runtime.telemetry.logging import configure_logging


@pytest.fixture(autouse=True)
def _restored_logging() -> Iterator[None]:
    root = logging.getLogger()
    handlers, level = root.handlers[:], root.level
    yield
    root.handlers[:] = handlers
    root.setLevel(level)
    structlog.reset_defaults()


def test_in_production_a_line_is_json_with_a_constant_name_and_its_values() -> None:
    stream = io.StringIO()
    configure_logging("json", stream=stream)
    structlog.get_logger("services.intake.webhooks").info("delivery.accepted", delivery="D1")
    line = json.loads(stream.getvalue())
    assert line.pop("timestamp").endswith("Z")
    assert line == {
        "event": "delivery.accepted",
        "delivery": "D1",
        "level": "info",
        "logger": "services.intake.webhooks",
    }


def test_lines_of_other_libraries_take_the_same_form() -> None:
    stream = io.StringIO()
    configure_logging("json", stream=stream)
    logging.getLogger("uvicorn.error").warning("listening on %s", "a port")
    assert json.loads(stream.getvalue())["event"] == "listening on a port"


def test_an_error_carries_its_trace() -> None:
    stream = io.StringIO()
    configure_logging("json", stream=stream)
    try:
        raise ValueError("no such thing")
    except ValueError:
        structlog.get_logger().exception("delivery.failed")
    assert "no such thing" in json.dumps(json.loads(stream.getvalue())["exception"])


def test_a_person_gets_columns_and_only_what_was_asked_for() -> None:
    stream = io.StringIO()
    configure_logging("columns", level="WARNING", stream=stream)
    structlog.get_logger().info("delivery.accepted")
    structlog.get_logger().warning("delivery.refused", reason="bad_signature")
    assert "delivery.accepted" not in stream.getvalue()
    assert "reason=bad_signature" in stream.getvalue()
