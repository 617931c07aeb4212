"""Where the requests that an earlier edition told are in the edition of now. Pure."""

from collections.abc import Iterable, Iterator
from typing import Final, Literal, TypeAlias

import msgspec

from events.facts.editions import ToldTheme
from services.answers.editions.edition import Edition
from services.answers.editions.placing import place_of

Now: TypeAlias = Literal["told", "excluded", "not told", "not in the period"]
#: What is printed, in its order; those that are told are only counted.
LEFT: Final[tuple[Now, ...]] = ("excluded", "not told", "not in the period")


class ToldBefore(msgspec.Struct, frozen=True, kw_only=True):
    """A request that the earlier edition told, under which theme, and what became of it.

    `why` is the class of one that is excluded, the reason of one that is not told, and what limits
    the answer where the counts are not proven.
    """

    number: int
    section: str
    theme: str
    now: Now
    why: str = ""


def told_before(themes: Iterable[ToldTheme], edition: Edition) -> tuple[ToldBefore, ...]:
    """Return each request of the earlier themes once, by its number."""
    first: dict[int, ToldTheme] = {}
    for theme in themes:
        for number in theme.numbers:
            first.setdefault(number, theme)
    return tuple(_now(number, first[number], edition) for number in sorted(first))


def told_no_more(requests: Iterable[ToldBefore]) -> Iterator[tuple[Now, str, list[int]]]:
    """Yield the requests that are not told now, by what became of them and why."""
    for now in LEFT:
        by_why: dict[str, list[int]] = {}
        for request in requests:
            if request.now == now:
                by_why.setdefault(request.why, []).append(request.number)
        for why, numbers in sorted(by_why.items()):
            yield now, why, numbers


def _now(number: int, theme: ToldTheme, edition: Edition) -> ToldBefore:
    now, why = _state(number, edition)
    return ToldBefore(number=number, section=theme.section, theme=theme.name, now=now, why=why)


def _state(number: int, edition: Edition) -> tuple[Now, str]:
    place, request = place_of(edition, number), edition.report.exclusions.requests.get(number)
    if place.theme is not None:
        return "told", ""
    if place.section is not None:
        return "not told", "in no theme"
    if request is None or not request.active:
        proven = all(quality == "exact" for quality in edition.report.quality.values())
        return "not in the period", "" if proven else "as far as is recorded"
    if request.verdict.excluded:
        return "excluded", request.verdict.kind
    return "not told", place.why or f"{request.outcome}, in no section"
