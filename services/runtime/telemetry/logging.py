"""Structured logs: one constant event name and key/value pairs a line.

JSON in production, columns for a person at a terminal. Records of the standard library (uvicorn,
Faust, kafka) take the same way, so a process writes one kind of line. Times are UTC. Of lines of
one kind there are only so many a minute (`flood.py`).
"""

import atexit
import logging
import sys
from collections.abc import Iterable
from typing import Final, Literal, TextIO

import structlog
from structlog.typing import Processor

from services.runtime.telemetry.flood import FloodFilter

#: While a broker is away these write several lines a second; what it means for us, we say.
CLIENTS: Final = ("kafka", "aiokafka")

_SHARED: Final[tuple[Processor, ...]] = (
    structlog.contextvars.merge_contextvars,
    structlog.stdlib.add_logger_name,
    structlog.stdlib.add_log_level,
    structlog.processors.TimeStamper(fmt="iso", utc=True),
    structlog.processors.StackInfoRenderer(),
)


def configure_logging(
    form: Literal["json", "columns"], *, level: str = "INFO", stream: TextIO | None = None
) -> None:
    """Send the logs of this process to `stream` (standard error unless given)."""
    handler = logging.StreamHandler(sys.stderr if stream is None else stream)
    flood = FloodFilter(handler)
    structlog.configure(
        processors=[
            structlog.stdlib.filter_by_level,
            flood.drop_early,
            *_SHARED,
            structlog.stdlib.ProcessorFormatter.wrap_for_formatter,
        ],
        logger_factory=structlog.stdlib.LoggerFactory(),
        wrapper_class=structlog.stdlib.BoundLogger,
        # A cached logger would keep the settings it was first used with.
        cache_logger_on_first_use=False,
    )
    handler.setFormatter(
        structlog.stdlib.ProcessorFormatter(
            foreign_pre_chain=_SHARED,
            processors=[
                structlog.stdlib.ProcessorFormatter.remove_processors_meta,
                *_renderers(form, colors=handler.stream.isatty()),
            ],
        )
    )
    handler.addFilter(flood)
    atexit.register(flood.tell_rest)
    root = logging.getLogger()
    root.handlers[:] = [handler]
    root.setLevel(level)


def quieten(names: Iterable[str], level: int) -> None:
    """Drop what some loggers say below a level, unless everything is asked for (DEBUG)."""
    for name in names:
        if logging.getLogger().level > logging.DEBUG:
            logging.getLogger(name).setLevel(level)


def _renderers(form: Literal["json", "columns"], *, colors: bool) -> tuple[Processor, ...]:
    if form == "columns":
        return (structlog.dev.ConsoleRenderer(colors=colors),)
    return (
        structlog.processors.dict_tracebacks,
        structlog.processors.JSONRenderer(sort_keys=True, default=str),
    )
