"""Deliveries that keep coming, and what happens to the machines meanwhile."""

import random
import threading
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Final

import httpx

from deploy.local.kafka_part import KafkaPart
from deploy.local.postgres_part import PostgresPart
from services.simulator import Delivery, World
from tests.production import Process, Site, Supervised
from tests.service_process import SECRET

#: Seconds over which the deliveries of a repository are spread.
SPREAD: Final = 45.0
BROKER_AWAY: Final = 20.0


class Sender(threading.Thread):
    """Sends the deliveries of one repository in order, each until it is accepted.

    GitHub's own way is to mark a delivery as failed, and somebody, or `sync`, sends it again.
    """

    def __init__(self, url: str, deliveries: Sequence[Delivery]) -> None:
        super().__init__(daemon=True)
        self._url = url
        self._deliveries = deliveries
        self.accepted = 0
        self.refused = 0

    def run(self) -> None:
        """Send all."""
        pause = SPREAD / len(self._deliveries)
        with httpx.Client(timeout=10) as client:
            for delivery in self._deliveries:
                while not self._send(client, delivery):
                    self.refused += 1
                    time.sleep(0.2)
                self.accepted += 1
                time.sleep(pause)

    def _send(self, client: httpx.Client, delivery: Delivery) -> bool:
        headers = delivery.signed_headers(SECRET)
        try:
            reply = client.post(self._url, content=delivery.body, headers=headers)
        except httpx.HTTPError:
            return False
        return 200 <= reply.status_code < 300


@dataclass(kw_only=True)
class Machines:
    """What runs, and what can be done to it."""

    site: Site
    ingest: Supervised
    workers: list[Supervised]
    kafka: KafkaPart
    postgres: PostgresPart
    start_worker: Callable[[str], Process]
    done: list[str] = field(default_factory=list)

    def disturb(self, source: random.Random) -> None:
        """Do everything that is to be done, in random order with random pauses."""
        deeds: list[Callable[[], None]] = [
            *(self._kill_worker(source) for _ in range(3)),
            *[self._kill_ingest] * 3,
            self._stop_broker,
            self._restart_database,
            self._join_and_leave,
        ]
        source.shuffle(deeds)
        for deed in deeds:
            time.sleep(source.uniform(0.5, 4))
            deed()

    def _kill_worker(self, source: random.Random) -> Callable[[], None]:
        def kill() -> None:
            self.done.append("kill -9 of a worker")
            source.choice(self.workers).kill()

        return kill

    def _kill_ingest(self) -> None:
        self.done.append("kill -9 of ingestion and forwarder")
        self.ingest.kill()

    def _stop_broker(self) -> None:
        self.done.append(f"the broker stops for {BROKER_AWAY:.0f} s")
        self.kafka.stop()
        time.sleep(BROKER_AWAY)
        self.kafka.start()

    def _restart_database(self) -> None:
        self.done.append("PostgreSQL restarts")
        self.postgres.restart()

    def _join_and_leave(self) -> None:
        self.done.append("a third worker joins, and leaves")
        third = self.start_worker("third")
        time.sleep(8)
        if third.running:  # it may have met the other troubles, and has no supervisor
            third.stop()


def senders_of(url: str, worlds: Sequence[World]) -> list[Sender]:
    """Return a sender for each repository, not started."""
    return [Sender(url, world.deliveries) for world in worlds]
