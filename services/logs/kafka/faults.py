"""Kafka's errors in our own words: passing faults, and a log that contradicts itself."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final

from kafka import errors

from events.errors import BrokenLog, ConfigurationError, LogUnavailable

#: The record at the position is gone (retention, truncation), or its bytes have changed.
_BROKEN: Final = (
    errors.OffsetOutOfRangeError,
    errors.NoOffsetForPartitionError,
    errors.LogTruncationError,
    errors.CorruptRecordError,
)


@contextmanager
def translated(doing: str) -> Iterator[None]:
    """Raise what Kafka's client raises in our own words, saying what was tried."""
    try:
        yield
    except _BROKEN as error:
        raise BrokenLog(f"{doing}: {_short(error)}") from error
    except errors.KafkaConfigurationError as error:
        raise ConfigurationError(f"{doing}: {_short(error)}") from error
    except (errors.KafkaError, OSError) as error:
        raise LogUnavailable(f"{doing}: {_short(error)}") from error


def _short(error: BaseException) -> str:
    text = str(error)
    name = type(error).__name__
    return text if name in text else f"{name}: {text}"
