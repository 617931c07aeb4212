"""An attribution as bytes, so that what was computed once is read and not computed again.

What was packed is equal to what was made, down to the order of carriers.
"""

import sys
from array import array
from typing import Final

import msgspec

from events.instant import Instant
from projections.release_inclusion.history.attribution import Attribution
from projections.release_inclusion.history.carriers import Carrier, Carriers, Request
from projections.release_inclusion.history.graph import CommitGraph, Node, Reach
from projections.release_inclusion.history.lines import Chain, Chains
from projections.release_inclusion.history.resolution import Resolution
from projections.release_inclusion.messages.fixes import Fix

_HEX: Final = frozenset("0123456789abcdef")
_ROOT: Final = -1


class _Chain(msgspec.Struct, frozen=True, array_like=True):
    """`parent` is the place of another chain, -1 for none."""

    parent: int
    fork: int
    nodes: bytes
    entered: bytes
    places: bytes


class _Packed(msgspec.Struct, frozen=True, kw_only=True):
    """Arrays are bytes of this machine's order, as `order` says."""

    order: str
    width: int
    """Letters of a SHA, all alike; 0 where they are not, and are written one a line."""
    shas: bytes
    first: bytes
    others: list[tuple[Node, tuple[Node, ...]]]
    children_first: bytes
    committed_at: bytes
    chains: list[_Chain]
    tips: tuple[str, ...]
    classes: bytes
    tip_sets: list[bytes]
    carriers: list[Carrier]
    numbers: list[list[int]]
    resolution: Resolution
    fixes: dict[str, tuple[Fix, ...]]
    requests: list[Request]
    may_hold_more: list[tuple[str, int]]
    branches: dict[str, str]
    named: list[int]


_decoder = msgspec.msgpack.Decoder(_Packed)


def pack(attribution: Attribution) -> bytes:
    """Return an attribution as bytes."""
    shas, first, others, order = attribution.graph.parts()
    width, text = _pack_shas(shas)
    carriers, numbers = attribution.carriers.parts()
    reach = attribution.reach
    return msgspec.msgpack.encode(
        _Packed(
            order=sys.byteorder,
            width=width,
            shas=text,
            first=first.tobytes(),
            others=list(others.items()),
            children_first=order.tobytes(),
            committed_at=attribution.committed_at.tobytes(),
            chains=_pack_chains(attribution.chains),
            tips=reach.tips,
            classes=reach.classes.tobytes(),
            tip_sets=[tips.to_bytes(len(reach.tips) // 8 + 1, "little") for tips in reach.tip_sets],
            carriers=carriers,
            numbers=numbers,
            resolution=attribution.resolution,
            fixes=dict(attribution.fixes),
            requests=list(attribution.requests.values()),
            may_hold_more=sorted(attribution.may_hold_more),
            branches=dict(attribution.branches),
            named=sorted(attribution.named),
        )
    )


def unpack(data: bytes) -> Attribution:
    """Return what was packed; raise ValueError for bytes of a machine of another kind."""
    packed = _decoder.decode(data)
    if packed.order != sys.byteorder:
        raise ValueError(f"packed on a {packed.order}-endian machine")
    graph = CommitGraph.of_parts(
        _unpack_shas(packed.width, packed.shas),
        _ints(packed.first),
        dict(packed.others),
        _ints(packed.children_first),
    )
    tip_sets = tuple(int.from_bytes(tips, "little") for tips in packed.tip_sets)
    return Attribution(
        graph=graph,
        committed_at=_instants(packed.committed_at),
        chains=Chains(graph, _unpack_chains(packed.chains)),
        reach=Reach(graph, packed.tips, _ints(packed.classes), tip_sets),
        carriers=Carriers.of_parts(packed.carriers, packed.numbers),
        resolution=packed.resolution,
        fixes=packed.fixes,
        requests={request.number: request for request in packed.requests},
        may_hold_more=frozenset(packed.may_hold_more),
        branches=packed.branches,
        named=frozenset(packed.named),
    )


def _pack_shas(shas: list[str]) -> tuple[int, bytes]:
    width = len(shas[0]) if shas else 0
    if width % 2 == 0 and all(len(sha) == width and _HEX.issuperset(sha) for sha in shas):
        return width, bytes.fromhex("".join(shas))
    return 0, "\n".join(shas).encode()


def _unpack_shas(width: int, text: bytes) -> list[str]:
    if not width:
        return text.decode().split("\n") if text else []
    spelled = text.hex()
    return [spelled[start : start + width] for start in range(0, len(spelled), width)]


def _pack_chains(chains: Chains) -> list[_Chain]:
    places = {id(chain): place for place, chain in enumerate(chains.all)}
    return [
        _Chain(
            _ROOT if chain.parent is None else places[id(chain.parent)],
            chain.fork,
            chain.nodes.tobytes(),
            array("i", chain.entered).tobytes(),
            array("i", chain.entered.values()).tobytes(),
        )
        for chain in chains.all
    ]


def _unpack_chains(packed: list[_Chain]) -> list[Chain]:
    chains: list[Chain] = []
    for chain in packed:
        parent = None if chain.parent == _ROOT else chains[chain.parent]
        entered = dict(zip(_ints(chain.entered), _ints(chain.places), strict=True))
        chains.append(Chain(parent, chain.fork, _ints(chain.nodes), entered))
    return chains


def _ints(data: bytes) -> "array[int]":
    numbers = array("i")
    numbers.frombytes(data)
    return numbers


def _instants(data: bytes) -> "array[Instant]":
    instants = array("q")
    instants.frombytes(data)
    return instants
