"""Deliveries of simulated repositories, as long as GitHub's are: about 20 kB."""

from typing import Final

import msgspec

from services.simulator import simulate
from services.simulator.delivery import Delivery

_FILLER: Final = {f"url_{n}": f"https://api.example.test/repos/{n}{{/sha}}" for n in range(150)}


def deliveries(*, repositories: int, pulls: int, size: int) -> list[Delivery]:
    """Return the deliveries of several repositories in the order of their times."""
    sent: list[Delivery] = []
    for nth in range(repositories):
        number = 1001 + nth
        world = simulate(
            nth + 1, pulls=pulls, days=120, full_name=f"acme/w{number}", repository_id=number
        )
        sent += [_as_long_as_real(delivery, size, number) for delivery in world.deliveries]
    return sorted(sent, key=lambda delivery: delivery.at)


def _as_long_as_real(delivery: Delivery, size: int, repository_id: int) -> Delivery:
    """Lengthen a body; most of a real one is not read by any translator."""
    body = msgspec.json.decode(delivery.body) | {"unread": _FILLER}
    text = msgspec.json.encode(body)
    long = text[:-1] + b" " * (size - len(text)) + b"}"
    return msgspec.structs.replace(delivery, body=long, repository_id=repository_id)
