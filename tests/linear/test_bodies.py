"""A million damaged bodies: each gives facts or InvalidEvent, none takes long for its size."""

import time
from random import Random
from typing import Final

import pytest

from events.errors import InvalidEvent
from events.sources.github_webhook import read_routing
from tests.events.sources.github_webhook.golden import facts_of
from tests.linear.cpu import LIMIT, growth
from tests.places import PAYLOADS

_SEEDS: Final = tuple(
    (path.name.partition("__")[0], path.read_bytes())
    for path in sorted((PAYLOADS / "github").glob("*.json"))
)
#: Bytes that mean something in JSON, halves of characters and of escapes, large numbers.
_TOKENS: Final = (
    *(b"{", b"}", b"[", b"]", b'"', b",", b":", b"\\", b"null", b"true", b"-", b"1e400", b"0.5"),
    *(b"\\u0000", b"\\ud800", b"\xff", b"\xc3", b"9223372036854775808", b'""', b"\xe2\x80\xae"),
    *(b"0001-01-01T00:00:00+14:00", b"9999-12-31T23:59:60-14:00", b"[" * 99, b'{"a":' * 60),
)
#: A body may take so many times as long as the slowest whole one.
_LONGER: Final = 25.0


def damaged(body: bytes, random: Random) -> bytes:
    """Return a body with one to four things cut, doubled, overwritten or put in."""
    for _ in range(random.randint(1, 4)):
        start = random.randrange(len(body) + 1)
        end = min(len(body), start + random.choice((0, 1, 1, 4, 40, 400)))
        middle = random.choice((b"", body[start:end] * 2, random.choice(_TOKENS)))
        body = body[:start] + middle + body[end:]
    return body


def read(event: str, body: bytes) -> None:
    """Do with a body what ingestion and projection do first."""
    try:
        read_routing(event, "application/json", body)
        facts_of(event, body)
    except InvalidEvent:
        return


def seconds(event: str, body: bytes) -> float:
    start = time.thread_time()
    read(event, body)
    return time.thread_time() - start


def attack(times: int, seed: int) -> None:
    random = Random(seed)
    usual = max(seconds(event, body) for event, body in _SEEDS * 2)
    for _ in range(times):
        event, whole = random.choice(_SEEDS)
        body = damaged(whole, random)
        if seconds(event, body) > _LONGER * usual:  # again: something else may have run then
            assert min(seconds(event, body) for _ in range(3)) < _LONGER * usual, body


def test_damaged_bodies_take_no_long_time() -> None:
    attack(2_000, seed=1)


@pytest.mark.slow
@pytest.mark.parametrize("part", range(10))
def test_a_million_damaged_bodies_take_no_long_time(part: int) -> None:
    attack(100_000, seed=100 + part)


@pytest.mark.parametrize(
    "unit", ["[", '{"a":', '"', "\\", "\\u0000", "{}", " ", "1,", '"a",', "\n"]
)
@pytest.mark.parametrize("head", ['{"action":"', '{"action":', "[", ""])
def test_a_body_of_one_thing_takes_linear_time(head: str, unit: str) -> None:
    factor = growth(
        lambda text: read("pull_request", text.encode()),
        lambda size: head + unit * (size // len(unit)),
        250_000,
    )
    assert factor is None or factor <= LIMIT
