"""The projector's thread: passing faults are tried again in order, others end it."""

import threading
import time
from collections.abc import Sequence
from functools import partial

from prometheus_client import CollectorRegistry

from events.errors import BrokenLog, LogUnavailable, ShipledgerError
from events.log.memory import MemoryLog
from events.log.port import BATCH_BYTES, BATCH_RECORDS, Cursor
from events.record import Entry
from projections.engine.runner import Runner
from services.runtime.telemetry import Metrics
from services.simulator import World
from services.stream.dead_letters import too_many_set_aside
from services.stream.observer import MetricsObserver
from services.stream.projector import Projector
from tests.builders import merge, webhook
from tests.worlds import SetClock, memory_engine, record_of


class FailingLog(MemoryLog):
    """A log whose reads fail with the given errors before they succeed."""

    def __init__(self, clock: SetClock, faults: Sequence[ShipledgerError]) -> None:
        super().__init__(clock)
        self._faults = list(faults)
        self.read_all = threading.Event()

    def read(
        self,
        partition: str,
        cursor: Cursor,
        *,
        limit: int = BATCH_RECORDS,
        max_bytes: int = BATCH_BYTES,
    ) -> list[Entry]:
        if self._faults:
            raise self._faults.pop(0)
        batch = super().read(partition, cursor, limit=limit, max_bytes=max_bytes)
        if not batch:
            self.read_all.set()
        return batch

    def wait(self, timeout: float) -> None:
        self.read_all.set()
        super().wait(min(timeout, 0.01))


def projector_of(log: MemoryLog, metrics: Metrics) -> Projector:
    engine = memory_engine()
    runner = Runner(engine, log, SetClock(10), observer=MetricsObserver(metrics))
    limited = partial(too_many_set_aside, engine, 1)
    return Projector(runner=runner, log=log, too_many_set_aside=limited)


def test_a_passing_fault_is_tried_again(small_world: World) -> None:
    log = FailingLog(SetClock(1), [LogUnavailable("busy"), LogUnavailable("busy")])
    log.append([record_of(each) for each in small_world.deliveries[:20]])
    metrics = Metrics(CollectorRegistry())
    projector = projector_of(log, metrics)
    projector.start(on_fault=lambda: None)
    assert log.read_all.wait(20)
    assert projector.stop()
    projected = metrics.registry.get_sample_value(
        "shipledger_projected_records_total", {"projection": "pull_requests"}
    )
    assert projected == 20


def test_any_other_fault_ends_it_and_is_told(small_world: World) -> None:
    log = FailingLog(SetClock(1), [BrokenLog("records are missing")])
    log.append([record_of(each) for each in small_world.deliveries[:20]])
    projector = projector_of(log, Metrics(CollectorRegistry()))
    ended = threading.Event()
    projector.start(on_fault=ended.set)
    assert ended.wait(20)
    assert projector.fault() == "stopped: records are missing"
    assert projector.stop()


def test_past_the_limit_of_dead_letters_it_pauses_and_says_why(small_world: World) -> None:
    log = FailingLog(SetClock(1), [])
    log.append([webhook(f"poison {n}", "pull_request", b"{}") for n in range(2)])
    metrics = Metrics(CollectorRegistry())
    projector = projector_of(log, metrics)
    projector.start(on_fault=lambda: None)
    deadline = time.monotonic() + 20
    while projector.fault() is None and time.monotonic() < deadline:
        time.sleep(0.02)
    assert "has set 2 records aside (limit 1)" in (projector.fault() or "")
    log.append([record_of(small_world.deliveries[1])])
    time.sleep(0.3)
    assert projector.stop()
    projected = metrics.registry.get_sample_value(
        "shipledger_projected_records_total", {"projection": "pull_requests"}
    )
    assert projected == 2


def test_an_object_that_contradicts_itself_is_counted_once() -> None:
    log = FailingLog(SetClock(1), [LogUnavailable("busy")])
    log.append(
        [
            merge("D1", 7, "02-03 10:00:00"),
            merge("D2", 8, "02-03 10:00:00", merged=False),
            merge("D3", 9, "02-03 10:00:00", merged=None),
        ]
    )
    log.append([merge("D2", 8, "02-03 10:00:00", merged=False)])
    metrics = Metrics(CollectorRegistry())
    projector = projector_of(log, metrics)
    projector.start()
    assert log.read_all.wait(20)
    assert projector.stop()
    assert contradictions(metrics) == 1


def contradictions(metrics: Metrics) -> float | None:
    return metrics.registry.get_sample_value("shipledger_contradictions_total", {"kind": "merge"})
