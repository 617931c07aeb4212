"""How far a change has come to the default branch: the port state of a change group. Pure.

A change group is a request with its ports: the requests that bring its change elsewhere. Known
here are those that commits show (cherry-picks, syncs, promotions) and open requests whose title
says by a known template what they pick.
"""

from collections.abc import Mapping, Sequence
from typing import Literal, TypeAlias

import msgspec

from projections.release_inclusion.history.carriers import CarrierRole
from projections.release_inclusion.history.history import History
from projections.release_inclusion.messages.mention import Certainty, Role
from projections.release_inclusion.messages.reading import read_mentions
from projections.release_inclusion.messages.references import Names

PortState: TypeAlias = Literal["merged", "synced", "open", "elsewhere", "nowhere"]


class Port(msgspec.Struct, frozen=True, kw_only=True):
    """The state of one change group toward `branch`, the default branch.

    `merged` as `by` (the request itself, or its port); `synced`: brought by a sync or promotion,
    `by` where that has a number; `open` as `by`; `elsewhere`: only on `on`; `nowhere`: in force on
    no branch known here.
    """

    number: int
    branch: str
    state: PortState
    by: tuple[int, ...] = ()
    on: tuple[str, ...] = ()


def port_of(history: History, number: int, waiting: Mapping[int, Sequence[int]]) -> Port | None:
    """Return the port state of the group of a request; None without a default branch.

    `waiting` is what `open_ports` says.
    """
    branch, tip = next(iter(history.branches.items()), (None, None))
    if branch is None or tip is None:
        return None
    alive = [c for c in history.carriers.of(number) if history.is_alive(c.sha, tip)]
    line = history.line(tip)
    for carrier in alive:
        entry = line.entry(carrier.sha)
        brought = history.carriers.own(entry) if entry else None
        if carrier.role in (CarrierRole.PICK, CarrierRole.RESTORE):
            by = () if carrier.via is None else (carrier.via,)
            return Port(number=number, branch=branch, state="merged", by=by)
        if brought == number or entry == carrier.sha:
            return Port(number=number, branch=branch, state="merged", by=(number,))
        by = () if brought is None else (brought,)
        return Port(number=number, branch=branch, state="synced", by=by)
    on = tuple(branches_with(history, number))
    if number in waiting:
        return Port(number=number, branch=branch, state="open", by=tuple(waiting[number]), on=on)
    return Port(number=number, branch=branch, state="elsewhere" if on else "nowhere", on=on)


def branches_with(history: History, number: int) -> list[str]:
    """Return the long-lived branches on which some of a request is in force."""
    shas = [carrier.sha for carrier in history.carriers.of(number)]
    return [
        name
        for name, tip in history.branches.items()
        if any(history.is_alive(sha, tip) for sha in shas)
    ]


def open_ports(history: History, names: Names) -> dict[int, list[int]]:
    """Return, by original, the open requests to the default branch that port it by their title."""
    default = next(iter(history.branches), None)
    ports: dict[int, list[int]] = {}
    for request in history.requests.values():
        if request.state != "open" or request.base != default or request.title is None:
            continue
        for mention in read_mentions(request.title, "", names):
            certain = mention.role is Role.PICK and mention.certainty is Certainty.CERTAIN
            if certain and mention.number is not None:
                ports.setdefault(mention.number, []).append(request.number)
    return ports
