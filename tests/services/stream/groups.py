"""What Kafka's own tools say of a consumer group."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from kafka import TopicPartition
from kafka.admin import KafkaAdminClient

from projections.engine import generations
from tests.production import Site, wait_until


@contextmanager
def admin(site: Site) -> Iterator[Any]:
    """Give a client that administers the broker."""
    client = KafkaAdminClient(**site.kafka.client_options(10))
    try:
        yield client
    finally:
        client.close()


def group_of(site: Site, projection: str = "pull_requests") -> str:
    """Return the consumer group of the active generation of a projection."""
    with site.engine().connect() as connection:
        active = {one.name: one.generation for one in generations.active(connection)}
    return f"{site.topic}.{projection}.g{active[projection]}"


def committed(site: Site, projection: str = "pull_requests") -> dict[int, int]:
    """Return the offsets that a group has committed, by partition."""
    group = group_of(site, projection)
    with admin(site) as client:
        found = client.list_group_offsets(group)[group]
        return {tp.partition: each.offset for tp, each in found.items() if each.offset >= 0}


def forget_group(site: Site, projection: str = "pull_requests") -> None:
    """Delete a group with its offsets; a group that somebody has just left takes a moment."""
    group = group_of(site, projection)
    with admin(site) as client:
        wait_until(lambda: client.delete_groups([group])[group] == "OK", 20)


def cut_off_before(site: Site, position: int, *, partition: int = 0) -> None:
    """Delete the records before a position, as an expired retention would."""
    with admin(site) as client:
        client.delete_records({TopicPartition(site.topic, partition): position})
