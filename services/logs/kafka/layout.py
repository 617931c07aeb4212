"""How many partitions the topic was made with: the one thing about it that may never change.

A repository's partition is computed from the count. Kafka lets partitions be added, and then
repositories move: their history lies in one partition and goes on in another one, so they have no
order any more. The count is therefore written down at the first use, in a small topic beside the
log, and compared at the start of every process. The first message there is the one that counts.
"""

from contextlib import suppress
from dataclasses import replace
from functools import partial
from typing import Any, Final

from kafka import KafkaProducer

from events.errors import BrokenLog, ConfigurationError, InvalidEvent
from services.config.kafka import KafkaSettings
from services.logs.kafka.clients import build, translated
from services.logs.kafka.codec import partition_of, repository_of
from services.logs.kafka.entries import Stored
from services.logs.kafka.reader import PartitionEnds, PartitionReader

_SUFFIX: Final = ".layout"
_KEY: Final = b"partitions"


def layout_topic(settings: KafkaSettings) -> str:
    """Return the name of the topic in which the count is written down."""
    return settings.topic + _SUFFIX


def check_layout(settings: KafkaSettings, timeout: float) -> None:
    """Compare the count with the one written down, and write it down at the first use.

    Both topics are there, and the log has as many partitions as are configured. Raise
    ConfigurationError where it was made with another number.
    """
    made_with = _written(settings, timeout)
    if made_with is None:
        _check_places(settings, timeout)
        _write(settings, timeout)
        made_with = _written(settings, timeout)
    if made_with != settings.partitions:
        raise grown(settings, f"was made with {made_with} partitions and has {settings.partitions}")


def grown(settings: KafkaSettings, what: str) -> ConfigurationError:
    """Return the refusal of a topic whose repositories have moved, with what to do."""
    return ConfigurationError(
        f"topic {settings.topic} {what}: repositories have moved to other partitions in the middle "
        "of their history, so nothing is read and nothing is written; copy it into a new topic: "
        "`shipledger log export --grown FILE`, another kafka.topic, `shipledger log import FILE` "
        "(see `Partitions grown` in deploy/README.md)"
    )


def _written(settings: KafkaSettings, timeout: float) -> int | None:
    first = _first(replace(settings, topic=layout_topic(settings), partitions=1), timeout).get(0)
    if first is None:
        return None
    try:
        return int(first.value or b"")
    except ValueError:
        raise ConfigurationError(
            f"topic {layout_topic(settings)} begins with {first.value!r}, which is no number of "
            "partitions; somebody else has written to it"
        ) from None


def _write(settings: KafkaSettings, timeout: float) -> None:
    topic = layout_topic(settings)
    with translated(f"writing to topic {topic}"):
        producer: Any = build(KafkaProducer, settings.producer_options(timeout))
        try:
            count = str(settings.partitions).encode()
            producer.send(topic, key=_KEY, value=count, partition=0).get(timeout)
        finally:
            producer.close(timeout=timeout)


def _check_places(settings: KafkaSettings, timeout: float) -> None:
    """Look at the first record of each partition: a log from before the count was written down."""
    for number, stored in _first(settings, timeout).items():
        try:
            repository = repository_of(stored.key)
        except InvalidEvent:
            continue
        if partition_of(repository, settings.partitions) != number:
            raise grown(
                settings,
                f"has {settings.partitions} partitions, and {repository} begins in {number}, where "
                "it does not belong",
            )


def _first(settings: KafkaSettings, timeout: float) -> dict[int, Stored]:
    """Return the first message of each partition that still has it."""
    ends = PartitionEnds(settings)
    try:
        counts = ends.ends(timeout)
    finally:
        ends.close()
    first = {}
    for number, end in counts.items():
        if end:
            reader = PartitionReader(settings, number, partial(int, end))
            try:
                with suppress(BrokenLog):  # whoever reads from the start will say so
                    first[number] = reader.read(0, 1, 1)[0]
            finally:
                reader.close()
    return first
