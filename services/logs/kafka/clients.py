"""Building and ending kafka-python's clients, so that a bad broker costs nothing that lasts."""

from collections.abc import Callable
from contextlib import suppress
from typing import Any

from kafka.errors import KafkaTimeoutError
from kafka.net.compat import KafkaNetClient


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
        for one in opened:
            one.close()
        raise


def end_now(producer: Any, seconds: float) -> None:
    """Fail whatever a producer has not delivered, and close it.

    Its own `close` first waits for all that, and raises while it waits. In kafka-python 3.0.12 that
    can be for ever: after a batch that was under way has expired, nothing more of its partition is
    sent, and nothing of it expires (seen with a broker frozen for longer than the timeout).
    """
    producer._sender.force_close()
    with suppress(KafkaTimeoutError):
        producer.close(timeout=seconds)
