"""kill -9 at random moments: what was answered 2xx is in the log and in the ledger exactly once."""

import random
import threading
import time
from pathlib import Path

import httpx
import pytest

from events.instant import INF
from services.logs.sqlite import SqliteLog
from services.logs.walk import entries
from services.runtime.clock import wall_clock
from services.runtime.data_folder import DataFolder
from services.simulator import Delivery, World
from services.simulator.counts import COUNTS, counts
from tests.service_process import SECRET, Shipledger

KILLS = 6
REPO = "github.com/1001"


class Deliverer:
    """Delivers in order from one thread; what is not answered is delivered again later."""

    def __init__(self, deliveries: tuple[Delivery, ...]) -> None:
        self._deliveries = deliveries
        self.answered: set[str] = set()
        self._next = 0

    @property
    def done(self) -> bool:
        return self._next == len(self._deliveries)

    def deliver(self, up: Shipledger) -> None:
        """Go on until all is delivered or nobody answers any more."""
        with httpx.Client(base_url=up.address, timeout=10) as client:
            while not self.done:
                delivery = self._deliveries[self._next]
                try:
                    answer = client.post(
                        "/webhooks/github",
                        content=delivery.body,
                        headers=delivery.signed_headers(SECRET),
                    )
                except httpx.TransportError:
                    return
                assert answer.status_code in (200, 202), answer.text
                self.answered.add(delivery.delivery_id)
                self._next += 1


@pytest.mark.parametrize("seed", [1, pytest.param(2, marks=pytest.mark.slow)])
def test_whatever_was_answered_is_there_exactly_once(
    data: Path, small_world: World, seed: int
) -> None:
    chosen = random.Random(seed)
    deliverer = Deliverer(small_world.deliveries)
    moments = sorted(chosen.sample(range(1, len(small_world.deliveries) - 20), KILLS))
    for moment in moments:
        up = Shipledger(data)
        thread = threading.Thread(target=deliverer.deliver, args=(up,))
        thread.start()
        while len(deliverer.answered) < moment and thread.is_alive():
            time.sleep(0.001)
        time.sleep(chosen.uniform(0, 0.01))
        up.kill()
        thread.join()
        assert not deliverer.done
        assert deliverer.answered <= set(stored(data))
    up = Shipledger(data)
    deliverer.deliver(up)
    assert deliverer.done
    up.settle()
    question = {"from": "2026-05-01", "to": "2026-09-01", "tz": "UTC"}
    report = up.http.get("/v1/repositories/acme/widget/report", params=question).json()
    assert up.stop() == 0, up.errors
    ids = stored(data)
    assert sorted(ids) == sorted(each.delivery_id for each in small_world.deliveries)
    expected = counts(small_world.truth.pulls, 0, INF)
    assert {name: report["counts"][name] for name in COUNTS} == expected


def stored(data: Path) -> list[str]:
    """Return the ids of all records of the repository, as a reader of the file sees them."""
    log = SqliteLog(DataFolder(data).log, clock=wall_clock, read_only=True)
    try:
        return [entry.record.id for entry in entries(log, REPO)]
    finally:
        log.close()
