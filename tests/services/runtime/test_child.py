"""A part in a process of its own: it is kept running, and ends with whoever started it."""

import os
import signal
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path

from services.runtime.child import ChildProcess


@contextmanager
def running(order: str) -> Iterator[tuple[ChildProcess, list[str], threading.Event]]:
    """Run a part; give it, what it has told, and whether it could not go on."""
    told: list[str] = []
    part = ChildProcess(
        "part",
        "tests.services.runtime.child_part",
        lambda line: told.append(line.decode().strip()),
        order=order.encode(),
        last_work=5,
    )
    fault = threading.Event()
    part.start(on_fault=fault.set)
    try:
        yield part, told, fault
    finally:
        assert part.stop()


def wait_until(true: Callable[[], bool]) -> None:
    deadline = time.monotonic() + 20
    while not true():
        assert time.monotonic() < deadline
        time.sleep(0.02)


def has_told(told: list[str], count: int) -> bool:
    return len(told) == count


def lives(pid: int) -> bool:
    return Path(f"/proc/{pid}").exists()


def test_it_ends_in_order_when_it_is_told_to() -> None:
    with running("work") as (part, told, fault):
        wait_until(lambda: bool(told))
        assert told == [f"{part.pid} work"]
        assert part.fault() is None
    assert told[1:] == ["ended in order"]
    assert not fault.is_set()


def test_one_that_is_killed_is_started_again() -> None:
    with running("work") as (part, told, fault):
        for count in range(1, 3):
            wait_until(partial(has_told, told, count))
            assert part.pid is not None
            os.kill(part.pid, signal.SIGKILL)
        wait_until(lambda: len(told) == 3)
        wait_until(lambda: part.fault() is None)
        assert len({line.split()[0] for line in told}) == 3
        assert not fault.is_set()


def test_one_that_ends_at_once_is_tried_again_with_growing_pauses() -> None:
    with running("die") as (part, told, fault):
        wait_until(lambda: len(told) == 3)
        wait_until(lambda: part.fault() is not None)
        assert "ended with -9" in str(part.fault())
        assert not fault.is_set()


def test_one_that_cannot_go_on_is_told_and_not_started_again() -> None:
    with running("give up") as (part, told, fault):
        assert fault.wait(20)
        wait_until(lambda: "cannot go on" in str(part.fault()))
        assert len(told) == 1


def test_signals_to_the_group_are_the_parents_to_heed() -> None:
    with running("work") as (part, told, _):
        wait_until(lambda: bool(told))
        assert part.pid is not None
        for number in (signal.SIGINT, signal.SIGTERM):
            os.kill(part.pid, number)
        time.sleep(0.2)
        assert lives(part.pid)
    assert told[1:] == ["ended in order"]


def test_one_that_is_stopped_before_it_was_started_starts_nothing() -> None:
    part = ChildProcess("part", "tests.nothing", lambda _: None, order=b"", last_work=1)
    assert part.stop()
    assert part.pid is None
