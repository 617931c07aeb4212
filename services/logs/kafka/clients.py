"""kafka-python's clients: built and ended so that a bad broker costs nothing that lasts, and their
errors in our own words: passing faults, and a log that contradicts itself.
"""

from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from typing import Any, Final

from kafka import errors
from kafka.net.compat import KafkaNetClient

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


def build(client: Callable[..., Any], options: dict[str, Any]) -> Any:
    """Call a client's constructor; close what it opened where it fails.

    kafka-python 3.0.12 leaves a thread and some files of each consumer and admin client that did
    not reach a broker: a process that tries again all night runs out of files.
    """
    opened: list[Any] = []

    def remember(**configs: Any) -> Any:
        opened.append(KafkaNetClient(**configs))
        return opened[-1]

    try:
        return client(**options, kafka_client=remember)
    except BaseException:
        for network in opened:
            network.close()
        raise


def end_now(producer: Any, seconds: float) -> None:
    """Fail whatever a producer has not delivered, and close it.

    Its own `close` first waits for all that, and raises while it waits. In kafka-python 3.0.12 that
    can be for ever: after a batch that was under way has expired, nothing more of its partition is
    sent, and nothing of it expires (seen with a broker frozen for longer than the timeout).
    """
    producer._sender.force_close()
    with suppress(errors.KafkaTimeoutError):
        producer.close(timeout=seconds)
