"""Which record decided that a request moved into or out of a count. Pure.

The rows of a request carry known time, so its counts can be told after each of its records; the
record after which a count was for good what it is at the end is the one that decided.
"""

from collections.abc import Mapping, Sequence

from events.instant import Instant
from projections.period_ledger.counting import Activity, count
from projections.pull_requests.restated import KnownLife, KnownRecord
from projections.pull_requests.spans import StateSpan


def counts_of(life: KnownLife, a: Instant, b: Instant, known_at: Instant) -> frozenset[str]:
    """Return the raw counts of [a, b) in which one request was, as known at K."""
    spans = spans_at(life, known_at)
    commits = [at for k, at in life.commits if k <= known_at and a <= at < b]
    activity = Activity(
        a=a,
        b=b,
        spans=[(0, span) for span in spans],
        open_at_start=_open_before(spans, a),
        open_at_end=_open_before(spans, b),
        bases={},
        commits={0: commits},
    )
    counted = count(activity, lambda _: "")
    return frozenset(name for name, entries in counted.entries.items() if entries)


def spans_at(life: KnownLife, known_at: Instant) -> list[StateSpan]:
    """Return the states of a request as known at K, in the order in which they follow."""
    spans = [row.span for row in life.states if row.kf <= known_at < row.kt]
    return sorted(spans, key=lambda span: (span.vf, span.vt))


def deciding(
    life: KnownLife,
    counts: frozenset[str],
    a: Instant,
    b: Instant,
    after: Instant,
    until: Instant,
) -> Instant | None:
    """Return the K in (after, until] since which a request is, or is no longer, in any of counts.

    None where at `until` it is as it was at `after`, whatever it was in between.
    """
    moments = {row.kf for row in life.states} | {row.kt for row in life.states}
    moments |= {k for k, _ in life.commits}
    first = counted = bool(counts & counts_of(life, a, b, after))
    since: Instant | None = None
    for k in sorted(k for k in moments if after < k <= until):
        now = bool(counts & counts_of(life, a, b, k))
        if now != counted:
            since, counted = k, now
    return None if counted == first else since


def sight_at(
    life: KnownLife, coverage: Mapping[Instant, KnownRecord], k: Instant
) -> KnownRecord | None:
    """Return the record behind a K: one that showed the request, else a listing of all."""
    return next((sight for sight in life.records if sight.k == k), coverage.get(k))


def later_record(life: KnownLife, a: Instant, b: Instant, known_at: Instant) -> str | None:
    """Return the record of the last change of state in [a, b), else of the last push in it."""
    began = [span for span in spans_at(life, known_at) if a <= span.vf < b]
    if began:
        return began[-1].record_id
    pushed = [(at, k) for k, at in life.commits if k <= known_at and a <= at < b]
    if not pushed:
        return None
    last = max(pushed)[1]
    return next((sight.record_id for sight in life.records if sight.k == last), None)


def _open_before(spans: Sequence[StateSpan], bound: Instant) -> dict[int, StateSpan]:
    open_spans = [span for span in spans if span.state == "open" and span.vf < bound <= span.vt]
    return {0: open_spans[-1]} if open_spans else {}
