"""Which recorded assignment of themes is the base of a section's next draft. Pure.

The first one is. Each later one stands in the place of the one that it names; one that names
another, since two were made beside each other, counts for nothing.
"""

from collections.abc import Iterable

import msgspec

from events.facts.editions import Section, ThemesAssigned
from events.identity import derived_id
from events.instant import Instant


class KnownAssignment(msgspec.Struct, frozen=True, kw_only=True):
    """A recorded assignment with its record, and since when it is known."""

    fact: ThemesAssigned
    record_id: str
    k: Instant


def about(fact: ThemesAssigned) -> str:
    """Return what an assignment is about as one word, empty where it is no base of drafts.

    One without themes is none: all that comes later would be left over.
    """
    if fact.section is None or not fact.themes:
        return ""
    return section_of(fact.section, fact.start, fact.end, fact.releases)


def section_of(
    section: Section, start: Instant, end: Instant, releases: tuple[str, str] | None
) -> str:
    """Return the word for a section of a period, or of what one release brings: by its tags."""
    edges = releases or (start, end)
    return derived_id("themes", section, "releases" if releases else "period", *edges)


def standing(assignments: Iterable[KnownAssignment]) -> KnownAssignment | None:
    """Return the one that holds of those about one section, in the order of the log."""
    holds: KnownAssignment | None = None
    for assignment in assignments:
        if assignment.fact.replaces == ("" if holds is None else holds.record_id):
            holds = assignment
    return holds
