"""Rows in memory: the known history of one number while a batch is folded into it.

Only changes are written: rows that end get `kt`, rows that begin are inserted. A row that begins
and ends within one batch is inserted with both, exactly as if it had been written twice.
"""

from collections.abc import Iterator
from typing import TypeAlias

from events.instant import INF, Instant, to_datetime
from projections.pull_requests.bases import BaseSpan
from projections.pull_requests.observation import Seen
from projections.pull_requests.timeline import StateSpan, Timeline
from projections.store.bitemporal import changes

Span: TypeAlias = StateSpan | BaseSpan
Known: TypeAlias = tuple[Instant, Span]
"""A span with the `kf` of its row."""


class History:
    """Observations and open rows (kt = INF) of one number, and what a batch did to them."""

    def __init__(self) -> None:
        self.seen: list[Seen] = []
        self.open: dict[Span, Instant] = {}
        self.stored: set[Known] = set()
        self.ended: dict[Known, Instant] = {}
        self.begun: dict[Known, Instant] = {}

    def fold(self, result: Timeline, k: Instant) -> None:
        """Take a new timeline, known from `k` on."""
        spans: tuple[Span, ...] = (*result.states, *result.bases)
        ending, beginning = changes(self.open, spans)
        for span in ending:
            known = (self.open.pop(span), span)
            (self.ended if known in self.stored else self.begun)[known] = k
        for span in beginning:
            self.open[span] = k
            self.begun[(k, span)] = INF

    def months(self) -> Iterator[tuple[Instant, StateSpan, Instant]]:
        """Yield (kf, span, kt) of the open spans whose month rows have to be written anew."""
        for rows in (self.ended, self.begun):
            for (kf, span), kt in rows.items():
                if isinstance(span, StateSpan) and span.state == "open" and min(span.vt, kt) < INF:
                    yield kf, span, kt


def month_of(instant: Instant) -> int:
    """Return the UTC month of an instant as 12 * year + month - 1."""
    moment = to_datetime(instant)
    return 12 * moment.year + moment.month - 1


def months_of(vf: Instant, end: Instant) -> range:
    """Return the UTC months of [vf, end)."""
    return range(month_of(vf), month_of(end - 1) + 1) if vf < end else range(0)
