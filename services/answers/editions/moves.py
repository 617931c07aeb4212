"""What differs from the recorded themes: what is new, has moved, or left, and why. Pure."""

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from events.facts.editions import Section
from services.answers.editions.assigning import Assigned
from services.answers.editions.choices import Choices
from services.answers.editions.edition import Grouping, ReviewNote, ThemeMove
from services.answers.editions.telling import Telling
from services.answers.themes.placing import NO_THEME, homes


def grouping_of(section: Section, assigned: Assigned) -> Grouping:
    """Return by what a section is grouped."""
    base = assigned.base
    return Grouping(
        section=section,
        record=None if base is None else base.record_id,
        known_since=None if base is None else base.k,
    )


def moves_of(
    section: Section,
    assigned: Assigned,
    telling: Telling,
    choices: Choices,
) -> Iterator[ThemeMove]:
    """Yield what differs from the recorded themes of a section, but what a person decided."""
    base = assigned.base
    if base is None:
        return
    change_of = {n: change for change in telling.of(section) for n in change.numbers}
    # of a request that moved again the last move counts
    last = {placed.number: nth for nth, placed in enumerate(assigned.moved)}
    for nth, placed in enumerate(assigned.moved):
        change = change_of.get(placed.number)
        decided = change is not None and choices.about("theme", change.numbers) is not None
        if change is None or decided or last[placed.number] != nth:
            continue
        yield ThemeMove(
            number=placed.number,
            section=section,
            kind="new" if placed.was is None else "moved",
            theme=_named(placed.theme, choices),
            was=_named(placed.was, choices),
            why=placed.why,
            recorded=nth < len(base.fact.placed) and placed == base.fact.placed[nth],
        )
    for number, theme in sorted(homes(base.fact).items()):
        if number not in change_of:
            why = telling.why_not(number, section)
            yield ThemeMove(
                number=number,
                section=section,
                kind="left",
                theme=None,
                was=_named(theme, choices),
                why=why,
            )


def _named(theme: str | None, choices: Choices) -> str | None:
    return choices.renamed(theme) if theme and theme != NO_THEME else None


def outgrown(section: Section, assigned: Assigned) -> Iterable[ReviewNote]:
    """Yield a note where more came after the themes were made than they were made from."""
    if assigned.base is None:
        return
    later = sum(placed.was is None for placed in assigned.fact.placed)
    first = len(homes(assigned.fact)) - later
    if later > first:
        yield ReviewNote(
            about=f"themes ({section})",
            why=f"{later:,} changes came after they were made, from {max(first, 0):,}; "
            "`shipledger edition --regroup` groups all of them anew",
            records=(assigned.base.record_id,),
        )


def grouped_fields(
    assigned: Mapping[Section, Assigned], telling: Telling, choices: Choices
) -> dict[str, Any]:
    """Return what an edition says of its grouping, by the names of its fields."""
    moves: list[ThemeMove] = []
    for section, assignment in assigned.items():
        moves += moves_of(section, assignment, telling, choices)
    return {
        "assignments": tuple(assignment.fact for assignment in assigned.values()),
        "unrecorded": tuple(
            assignment.unrecorded for assignment in assigned.values() if assignment.unrecorded
        ),
        "groupings": tuple(
            grouping_of(section, assignment) for section, assignment in assigned.items()
        ),
        "moves": tuple(moves),
    }
