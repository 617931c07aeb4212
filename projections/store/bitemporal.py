"""Rows on two clocks: which known rows end, and which begin, when a fold gives a new result."""

from collections.abc import Hashable, Iterable
from typing import TypeVar

Row = TypeVar("Row", bound=Hashable)


def changes(known: Iterable[Row], now: Iterable[Row]) -> tuple[set[Row], set[Row]]:
    """Return (rows that end, rows that begin); rows in both go on untouched.

    Rows are compared as wholes, without their known time, so an equal fold writes nothing.
    """
    before, after = set(known), set(now)
    return before - after, after - before
