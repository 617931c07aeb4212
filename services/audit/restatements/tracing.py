"""From two states of a figure to the requests that moved, and the step at which each did. Pure.

Between the earlier answer and the later one lie steps: the same program or another, records that
came late, the time that went on, other rules. Each step has its figures, so that a request which
is in one end and not in the other moved in one of them; where it moved to and fro, the last counts.
"""

from collections.abc import Sequence
from typing import Literal, TypeAlias

import msgspec

from services.audit.restatements.figures import NAMES, Figure, Figures, Name

StepName: TypeAlias = Literal["program", "late", "later", "rules"]
"""What differs between a stage and the one before: the program; records of events before the
earlier cut; the cut itself; the rule set."""


class Stage(msgspec.Struct, frozen=True, kw_only=True):
    """The figures after a step."""

    step: StepName
    figures: Figures


class Move(msgspec.Struct, frozen=True, kw_only=True):
    """One request that came into a figure, or left it, and in which step."""

    number: int
    into: bool
    step: StepName


class Change(msgspec.Struct, frozen=True, kw_only=True):
    """One figure before and after, with everything that lies between.

    `unlisted` is the part of the difference that no listed request makes up; it arises where the
    earlier figure came without its requests. None where it is not known: a value is unknown, or
    may be the other one, of which it is a lower bound.
    """

    name: Name
    before: Figure
    after: Figure
    moves: tuple[Move, ...]
    unlisted: int | None

    @property
    def difference(self) -> int | None:
        """After less before; None where that is not known."""
        if self.before.value is None or self.after.value is None or self.unlisted is None:
            return None
        return self.after.value - self.before.value

    @property
    def balances(self) -> bool:
        """Whether moves and the unlisted part add up to the difference."""
        moved = sum(1 if move.into else -1 for move in self.moves)
        return self.difference is None or self.difference == moved + (self.unlisted or 0)


def changes(before: Figures, stages: Sequence[Stage]) -> list[Change]:
    """Return every figure that is not what it was, and those whose requests are others."""
    after = stages[-1].figures if stages else before
    changed = []
    for name in NAMES:
        if name not in before or name not in after:
            continue
        path = [before[name], *(stage.figures[name] for stage in stages)]
        change = _change(name, path, [stage.step for stage in stages])
        if change.moves or change.unlisted or _restated(change):
            changed.append(change)
    return changed


def _change(name: Name, path: Sequence[Figure], steps: Sequence[StepName]) -> Change:
    """Trace one figure along its path, from where its requests are told."""
    first, last = path[0], path[-1]
    if first.value is None or last.value is None:
        return Change(name=name, before=first, after=last, moves=(), unlisted=None)
    start = next((nth for nth, figure in enumerate(path) if figure.members is not None), None)
    if start is None or any(figure.members is None for figure in path[start:]):
        beyond = _beyond(first, last, last.value - first.value)
        return Change(name=name, before=first, after=last, moves=(), unlisted=beyond)
    sets = [figure.members or frozenset() for figure in path[start:]]
    moves = tuple(
        Move(number=number, into=number in sets[-1], step=steps[start + _last_flip(sets, number)])
        for number in sorted(sets[0] ^ sets[-1])
    )
    part = last.value - first.value - sum(1 if move.into else -1 for move in moves)
    beyond = _beyond(first, last, part)
    return Change(name=name, before=first, after=last, moves=moves, unlisted=beyond)


def _beyond(first: Figure, last: Figure, part: int) -> int | None:
    """Return a part that no request makes up; None where the lower value is but a bound, so that
    it may be the higher one.
    """
    lower = last if part < 0 else first
    return None if part and lower.quality == "at_least" else part


def _restated(change: Change) -> bool:
    """Tell whether a value, or a quality that both ends tell, became another."""
    before, after = change.before, change.after
    other_quality = bool(before.quality and after.quality) and before.quality != after.quality
    return before.value != after.value or other_quality


def _last_flip(sets: Sequence[frozenset[int]], number: int) -> int:
    """Return the index of the step after which a request was where it is at the end."""
    inside = [number in members for members in sets]
    return max(nth for nth in range(len(inside) - 1) if inside[nth] != inside[nth + 1])
