"""Worlds that several tests look at; made once, for making them is the slower part."""

import json
from functools import cache
from typing import Any, Final

from services.simulator import Delivery, World, simulate

SEEDS: Final = (1, 2, 3)


@cache
def world(seed: int = 1) -> World:
    """Return a default world."""
    return simulate(seed)


def payload(delivery: Delivery) -> Any:
    """Read a delivery's body."""
    return json.loads(delivery.body)
