"""Appending from asyncio: acknowledgements come over the bridge, the loop is never held up."""

import asyncio
import threading
import time

import pytest

from events.errors import LogUnavailable
from tests.contracts.log_base import read_partition, record, records
from tests.services.logs.kafka.conftest import UNCLOSED, OpenLog


async def longest_pause(stop: asyncio.Event) -> float:
    """Return the longest time for which the loop did nothing else."""
    longest = 0.0
    while not stop.is_set():
        started = time.monotonic()
        await asyncio.sleep(0.005)
        longest = max(longest, time.monotonic() - started)
    return longest


def test_many_appends_at_once_are_all_stored_in_the_order_of_the_calls(
    open_log: OpenLog,
) -> None:
    log = open_log()

    async def main() -> float:
        stop = asyncio.Event()
        watch = asyncio.create_task(longest_pause(stop))
        await asyncio.gather(*(log.append_async([one]) for one in records(300)))
        stop.set()
        return await watch

    pause = asyncio.run(main())
    assert pause < 0.5
    assert [entry.record.id for entry in read_partition(log, "0")] == [f"r{n}" for n in range(300)]
    assert log.in_flight == (0, 0)


def test_the_client_is_built_away_from_the_loop(open_log: OpenLog) -> None:
    log = open_log(partitions=2)
    seen: list[str] = []
    prepare = log.prepare

    def spy(timeout: float | None = None) -> None:
        seen.append(threading.current_thread().name)
        prepare(timeout)

    log.prepare = spy  # type: ignore[method-assign]
    assert asyncio.run(log.append_async([record("a")]))[0].outcome == "stored"
    assert all(name.startswith("kafka-log-append") for name in seen)


@UNCLOSED
def test_without_a_broker_it_fails_in_time_and_the_loop_goes_on(open_log: OpenLog) -> None:
    log = open_log(bootstrap="127.0.0.1:9", append_timeout=1)

    async def main() -> float:
        stop = asyncio.Event()
        watch = asyncio.create_task(longest_pause(stop))
        with pytest.raises(LogUnavailable):
            await log.append_async([record("a")])
        stop.set()
        return await watch

    started = time.monotonic()
    assert asyncio.run(main()) < 0.5
    assert time.monotonic() - started < 3
