"""A hostile body does not keep the event loop from others while a thread reads it."""

import asyncio
import time
from typing import Final

import pytest

from events.errors import InvalidEvent
from events.record import JSON
from events.sources.github_webhook.payload import json_payload

_SIZE: Final = 8_000_000


async def longest_pause(body: bytes) -> tuple[float, float]:
    """Return how long the loop stood still at most, and how long the body took (seconds)."""
    start = before = time.perf_counter()
    reading = asyncio.create_task(asyncio.to_thread(read, body))
    longest = 0.0
    while not reading.done():
        await asyncio.sleep(0.001)
        now = time.perf_counter()
        longest, before = max(longest, now - before), now
    await reading
    return longest, time.perf_counter() - start


def read(body: bytes) -> None:
    try:
        json_payload(JSON, body)
    except InvalidEvent:
        return


@pytest.mark.parametrize("unit", [b"[],", b'"a",', b"{}", b"\\u0000"])
def test_the_loop_goes_on_while_a_body_is_read(unit: bytes) -> None:
    body = b"[" * 101 + unit * (_SIZE // len(unit))
    shares = []
    for _again in range(3):  # another process may have had the core
        longest, whole = asyncio.run(longest_pause(body))
        if whole < 0.2 or longest < 0.6 * whole:
            return
        shares.append(longest / whole)
    assert shares == []


def test_depth_is_counted_over_the_borders_of_pieces() -> None:
    deep = b"[" * 99 + b"[]," * 100_000
    assert json_payload(JSON, deep) == deep
    with pytest.raises(InvalidEvent, match="nested too deeply"):
        json_payload(JSON, b"[" * 99 + b"[]," * 100_000 + b"[[")
