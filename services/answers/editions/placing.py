"""Where an edition tells one request, or why it does not."""

import msgspec

from services.answers.editions.edition import Edition


class Place(msgspec.Struct, frozen=True, kw_only=True):
    """The section and theme under which a request is told, and the number that leads it there.

    `theme` None with a section: the change fits no theme and is listed. No section: it is not
    told, and `why` says for what reason; empty where the edition does not speak of it at all.
    """

    number: int
    section: str | None = None
    theme: str | None = None
    lead: int | None = None
    why: str = ""


def place_of(edition: Edition, number: int) -> Place:
    """Return where an edition tells a request."""
    for theme in edition.themes:
        for change in theme.changes:
            if number in change.numbers:
                name = theme.names["en"]
                return Place(number=number, section=theme.section, theme=name, lead=change.lead)
    for section, changes in edition.left_over.items():
        for change in changes:
            if number in change.numbers:
                return Place(number=number, section=section, lead=change.lead)
    return Place(number=number, why=edition.not_told.get(number, ""))


def as_sentence(place: Place) -> str:
    """Write a place for a person."""
    if place.section is None:
        reason = f": {place.why}" if place.why else ""
        return f"The edition does not tell #{place.number}{reason}."
    lead = f", with #{place.lead}" if place.lead != place.number else ""
    if place.theme is None:
        # a change that fits no theme counts as not told, so nothing may say that it is
        return (
            f"The edition lists #{place.number} as {place.section} in no theme, among what is left "
            f"over{lead}."
        )
    return f"The edition tells #{place.number} as {place.section} under “{place.theme}”{lead}."
