"""Aliases: the names by which readers call releases (`26.08` for `core_v0.19.0`). Pure.

What a person decided beats what is configured, also where he decided that a name means nothing any
more: a decision is dated and sourced, a line of the configuration is not. Nothing else ever moves
an alias.
"""

from collections.abc import Iterable, Mapping

import msgspec

from events.facts.curation import ReleaseAliasDecided
from events.instant import Instant


class Alias(msgspec.Struct, frozen=True, kw_only=True):
    """What a name means. Without `decided_at` it stands in the configuration."""

    name: str
    tag: str
    decided_at: Instant | None = None
    author: str = ""
    source: str = ""
    reason: str = ""
    record_id: str | None = None


def meanings(
    decisions: Iterable[tuple[str, ReleaseAliasDecided]], configured: Mapping[str, str]
) -> dict[str, Alias]:
    """Return what each alias means; of several decisions the last by (decided_at, record id)."""
    ordered = sorted(decisions, key=lambda one: (one[1].decided_at, one[0]))
    latest = {decision.alias: (record_id, decision) for record_id, decision in ordered}
    found = {
        name: Alias(name=name, tag=tag) for name, tag in configured.items() if name not in latest
    }
    for name, (record_id, decision) in latest.items():
        if decision.tag is not None:
            found[name] = Alias(
                name=name,
                tag=decision.tag,
                decided_at=decision.decided_at,
                author=decision.author,
                source=decision.source,
                reason=decision.reason,
                record_id=record_id,
            )
    return dict(sorted(found.items()))
