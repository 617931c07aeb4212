"""Which branch a request asked to change, and when that moved."""

from collections.abc import Sequence

import msgspec

from events.instant import INF, Instant
from projections.pull_requests.merges import Merge
from projections.pull_requests.observation import Observation, in_order, most_trusted


class BaseSpan(msgspec.Struct, frozen=True, kw_only=True):
    """The base was `base` from `vf` (inclusive) to `vt` (exclusive), known by `record_id`."""

    vf: Instant
    vt: Instant
    base: str
    record_id: str


def base_spans(
    observations: Sequence[Observation], merge: Merge | None, start: Instant
) -> tuple[BaseSpan, ...]:
    """Return the bases from `start` (the first state) on; none where no source names one."""
    naming = in_order(most_trusted(observations, "base"))
    if not naming:
        return ()
    steps: list[tuple[Instant, str, str]] = []
    for sighting in sorted(naming, key=lambda sighting: _effective(sighting, merge)):
        base, before = sighting.fact.base, sighting.fact.base_from
        assert base is not None
        if not steps and before is not None and before != base:
            steps.append((start, before, sighting.record_id))
        if not steps or steps[-1][1] != base:
            at = max(start, _effective(sighting, merge)) if steps else start
            steps.append((at, base, sighting.record_id))
    ends = [at for at, _, _ in steps[1:]] + [INF]
    return tuple(
        BaseSpan(vf=at, vt=end, base=base, record_id=record_id)
        for (at, base, record_id), end in zip(steps, ends, strict=True)
        if at < end
    )


def _effective(sighting: Observation, merge: Merge | None) -> Instant:
    """A request can't be retargeted once closed: what a later snapshot shows held at the end."""
    end = sighting.fact.at
    if merge is not None and merge.at is not None:
        end = min(end, merge.at)
    if sighting.fact.closed_at is not None:
        end = min(end, sighting.fact.closed_at)
    return end
