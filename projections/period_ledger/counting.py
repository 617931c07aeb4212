"""The counts of a period [a, b), by the definitions of MODEL.md 4. Pure.

Each request counts at most once in each count. All numbers come with the records that decided
them, so that the answer can be traced.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Final

import msgspec

from events.instant import Instant
from projections.pull_requests.bases import BaseSpan
from projections.pull_requests.spans import Enter, StateSpan

#: Name -> definition, in the order in which they are printed.
DEFINITIONS: Final[Mapping[str, str]] = {
    "opened": "created in the period",
    "merged": "merged in the period",
    "landed": (
        "closed in the period without GitHub's merge, and closed at its end, and landed by a commit"
    ),
    "closed_without_merge": "closed in the period, and closed at its end, and landed by no commit",
    "closed_unknown": "closed in the period, and closed at its end, with an unknown outcome",
    "reopened": "closed at the start of the period, and left that state before its end",
    "open_at_start": "open at the start of the period",
    "open_at_end": "open at the end of the period",
    "opened_and_still_open": "created in the period, and open at its end",
    "active_and_open": (
        "open at the end of the period, and opened, reopened or given a commit in it"
    ),
}
_CLOSED: Final = ("closed", "closed_unknown")


class LedgerEntry(msgspec.Struct, frozen=True, kw_only=True):
    """A request that counts, since when, by which base, and the record that decided it."""

    number: int
    at: Instant
    base: str | None
    record_id: str
    evidence: str
    flags: tuple[str, ...] = ()
    enter: Enter = "opened"
    """How the state was entered that puts it there."""


def delivered(entries: Mapping[str, Sequence[LedgerEntry]]) -> tuple[LedgerEntry, ...]:
    """Return the entries whose change was delivered in the period, merged or landed, by number."""
    both = (*entries["merged"], *entries["landed"])
    return tuple(sorted(both, key=lambda entry: entry.number))


class Activity(msgspec.Struct, frozen=True, kw_only=True):
    """What the read model knows of a period [a, b) at one K.

    `spans` are those that began in it and the closed ones that ended in it; `open_at_start` and
    `open_at_end` hold the open span of each number; `commits` when numbers were given commits.
    """

    a: Instant
    b: Instant
    spans: Sequence[tuple[int, StateSpan]]
    open_at_start: Mapping[int, StateSpan]
    open_at_end: Mapping[int, StateSpan]
    bases: Mapping[int, Sequence[BaseSpan]]
    commits: Mapping[int, Sequence[Instant]]


class Counted(msgspec.Struct, frozen=True, kw_only=True):
    """The entries behind each count, the counts by base group, and the raw events."""

    entries: Mapping[str, tuple[LedgerEntry, ...]]
    by_base: Mapping[str, Mapping[str, int]]
    events: Mapping[str, int]

    @property
    def counts(self) -> dict[str, int]:
        """The number of entries by count."""
        return {name: len(entries) for name, entries in self.entries.items()}


def count(activity: Activity, group_of: Callable[[str | None], str]) -> Counted:
    """Count a period; `group_of` gives the base group of a base."""
    a, b, spans = activity.a, activity.b, activity.spans
    began = [(number, span) for number, span in spans if a <= span.vf < b]

    def last(numbered: tuple[int, StateSpan]) -> bool:
        return numbered[1].vt >= b

    opened = _by_number(numbered for numbered in began if numbered[1].enter == "opened")
    merged = _by_number(numbered for numbered in began if numbered[1].enter == "merged")
    landed, closed, unknown = (
        _by_number(numbered for numbered in began if numbered[1].enter == enter and last(numbered))
        for enter in ("landed", "closed", "closed_unknown")
    )
    left = {
        number: span
        for number, span in spans
        if span.state in _CLOSED and span.vf < a and a <= span.vt < b
    }
    reopenings = _by_number(numbered for numbered in began if numbered[1].enter == "reopened")
    active = {
        number: span
        for number, span in activity.open_at_end.items()
        if number in opened or number in reopenings or activity.commits.get(number)
    }
    still_open = {n: span for n, span in activity.open_at_end.items() if n in opened}
    exits = {**closed, **unknown, **landed, **merged}
    base = _Bases(activity)
    entries = {
        "opened": _entries(opened, base.at_event),
        "merged": _entries(merged, base.at_event),
        "landed": _entries(landed, base.at_event),
        "closed_without_merge": _entries(closed, base.at_event),
        "closed_unknown": _entries(unknown, base.at_event),
        "reopened": _entries(left, base.at_leaving),
        "open_at_start": _entries(activity.open_at_start, base.at_start),
        "open_at_end": _entries(activity.open_at_end, base.at_end),
        "opened_and_still_open": _entries(still_open, base.at_end),
        "active_and_open": _entries(active, base.at_end),
    }
    return Counted(
        entries=entries,
        by_base=_by_base(entries, exits, base, group_of),
        events={
            "close_events": sum(span.state in _CLOSED for _, span in began),
            "reopen_events": len([1 for _, span in began if span.enter == "reopened"]),
        },
    )


class _Bases:
    """The base of a request at the moment by which a count takes it."""

    def __init__(self, activity: Activity) -> None:
        self._activity = activity

    def at_event(self, number: int, span: StateSpan) -> str | None:
        """Just after an opening, a merge or a close."""
        return self._upto(number, span.vf)

    def at_leaving(self, number: int, span: StateSpan) -> str | None:
        """Just after the closed state at the start was left."""
        return self._upto(number, span.vt)

    def at_start(self, number: int, _span: StateSpan) -> str | None:
        """After all events before the start."""
        return self._before(number, self._activity.a)

    def at_end(self, number: int, _span: StateSpan) -> str | None:
        """After all events before the end."""
        return self._before(number, self._activity.b)

    def _upto(self, number: int, at: Instant) -> str | None:
        spans = self._activity.bases.get(number, ())
        return next((span.base for span in spans if span.vf <= at < span.vt), None)

    def _before(self, number: int, bound: Instant) -> str | None:
        spans = self._activity.bases.get(number, ())
        return next((span.base for span in spans if span.vf < bound <= span.vt), None)


def _by_number(spans: Iterable[tuple[int, StateSpan]]) -> dict[int, StateSpan]:
    """Keep the last span of each number: a request counts once."""
    return dict(spans)


def _entries(
    spans: Mapping[int, StateSpan], base_of: Callable[[int, StateSpan], str | None]
) -> tuple[LedgerEntry, ...]:
    return tuple(
        LedgerEntry(
            number=number,
            at=span.vf,
            base=base_of(number, span),
            record_id=span.record_id,
            evidence=span.evidence,
            flags=span.flags,
            enter=span.enter,
        )
        for number, span in sorted(spans.items())
    )


def _by_base(
    entries: Mapping[str, tuple[LedgerEntry, ...]],
    exits: Mapping[int, StateSpan],
    base: _Bases,
    group_of: Callable[[str | None], str],
) -> dict[str, dict[str, int]]:
    """Count by group of the base, and who moved between groups in the period."""
    table: dict[str, Counter[str]] = {}
    entry_group: dict[int, str] = {}
    for name, listed in entries.items():
        for entry in listed:
            group = group_of(entry.base)
            table.setdefault(group, Counter())[name] += 1
            if name in ("open_at_start", "opened", "reopened"):
                entry_group[entry.number] = group
    exit_group = {entry.number: group_of(entry.base) for entry in entries["open_at_end"]}
    exit_group |= {n: group_of(base.at_event(n, span)) for n, span in exits.items()}
    for number, first in entry_group.items():
        last = exit_group.get(number, first)
        if first != last:
            table.setdefault(first, Counter())["retargeted_out"] += 1
            table.setdefault(last, Counter())["retargeted_in"] += 1
    names = [*entries, "retargeted_in", "retargeted_out"]
    return {group: {name: row[name] for name in names} for group, row in sorted(table.items())}


def balance_gap(counts: Mapping[str, int]) -> int:
    """Return what is missing for the ledger to balance; 0 where it does.

    With `retargeted_in` and `retargeted_out` (0 where absent) it holds by base group too.
    """
    return (
        counts["open_at_start"]
        + counts["opened"]
        + counts["reopened"]
        - counts["merged"]
        - counts["landed"]
        - counts["closed_without_merge"]
        - counts["closed_unknown"]
        + counts.get("retargeted_in", 0)
        - counts.get("retargeted_out", 0)
        - counts["open_at_end"]
    )
