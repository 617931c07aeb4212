"""Building kafka-python's clients so that a broker that is away costs nothing that lasts."""

from collections.abc import Callable
from typing import Any

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
