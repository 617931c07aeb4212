"""Whatever a body holds, translation gives facts that can be stored, a reason, or InvalidEvent."""

from typing import Any

import msgspec
from hypothesis import given
from hypothesis import strategies as st

from events.errors import InvalidEvent
from events.sources.github_webhook import read_routing
from tests.events.sources.github_webhook.golden import HANDLED_EVENTS, facts_of
from tests.events.sources.github_webhook.mutations import damaged
from tests.laws import tried


@tried(400)
@given(damaged())
def test_damage_gives_storable_facts_or_an_invalid_event(delivery: tuple[str, bytes]) -> None:
    event, body = delivery
    read_routing(event, "application/json", body)
    try:
        facts = facts_of(event, body)
    except InvalidEvent:
        return
    for fact in facts:
        assert_storable(msgspec.to_builtins(fact))


@tried(200)
@given(st.sampled_from(HANDLED_EVENTS), st.binary(max_size=200))
def test_any_bytes_give_facts_or_an_invalid_event(event: str, body: bytes) -> None:
    try:
        facts_of(event, body)
    except InvalidEvent:
        return


def assert_storable(value: Any) -> None:
    if isinstance(value, str):
        assert "\x00" not in value
        value.encode()  # raises for half a surrogate pair
    elif isinstance(value, int):
        assert -(2**63) <= value < 2**63
    elif isinstance(value, dict):
        for part in value.values():
            assert_storable(part)
    elif isinstance(value, list | tuple):
        for part in value:
            assert_storable(part)
