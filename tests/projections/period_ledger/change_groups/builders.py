"""Requests with defaults, so that a test says only what matters to it."""

from collections.abc import Mapping
from typing import Any

from projections.period_ledger.change_groups.members import Member
from projections.period_ledger.change_groups.pairing import Relations, StatementReader, relations
from projections.period_ledger.change_groups.similarity import near_titles
from projections.release_inclusion.messages.references import Names

NAMES = Names.of("acme/widget")
DAY = 24 * 3600 * 1_000_000
_ROLES = {"main": "main", "dev": "dev"}


def member(number: int, title: str = "", **fields: Any) -> Member:
    """Return a merged request to main, opened on day `number` by its own author."""
    base = fields.get("base", "main")
    defaults: dict[str, Any] = {
        "title": title or f"Change number {number} of this kind",
        "base": "main",
        "role": _ROLES.get(base, "release"),
        "author": f"dev-{number}",
        "state": "merged",
        "opened_at": number * DAY,
        "ended_at": None if fields.get("state") == "open" else (number + 1) * DAY,
    }
    return Member(number=number, **{**defaults, **fields})


def members(*given: Member) -> dict[int, Member]:
    """Return requests by number."""
    return {one.number: one for one in given}


def related(found: Mapping[int, Member]) -> Relations:
    """Return what ties requests, each of them asked for."""
    near = near_titles(found, found)
    return relations(found, StatementReader(NAMES).statements(found), near)
