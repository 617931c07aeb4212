"""Themes that were made before, and the changes of now: kept, placed, or gone. Pure.

A change keeps its theme, by any of its numbers. A rule of now comes first; what is new, and what a
rule took that takes it no longer, goes to the theme that it is nearest to, else it is left over.
Each is placed as if it came alone: nothing that is new moves anything else.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cached_property
from typing import Final

import msgspec

from events.facts.editions import AssignedTheme, PlacedChange, ThemesAssigned
from projections.period_ledger.themes import (
    DEPENDENCIES,
    Theme,
    ThemeRequest,
    Themes,
    place_by_rules,
)
from services.answers.themes.dependencies import raises_dependency
from services.answers.themes.nearness import Nearness
from services.config.repository import ThemeSettings

#: What a change has that fits no theme, where None would say that it is new.
NO_THEME: Final = ""

Members = Callable[[Iterable[int]], Mapping[int, ThemeRequest]]
"""Reads what is known of some requests."""


class GroupedRequest(msgspec.Struct, frozen=True, kw_only=True):
    """A change as one request, under its lead, and all its numbers."""

    request: ThemeRequest
    numbers: tuple[int, ...]

    @property
    def lead(self) -> int:
        """The number under which it is told."""
        return self.request.number


News = Sequence[tuple[GroupedRequest, PlacedChange]]
"""Changes with the theme that each gets, or gets now."""


def homes(fact: ThemesAssigned) -> dict[int, str]:
    """Return the theme of each number of an assignment, `NO_THEME` for those left over."""
    by_number = dict.fromkeys(fact.left_over, NO_THEME)
    for theme in fact.themes:
        by_number.update(dict.fromkeys(theme.numbers, theme.name))
    return by_number


def home(change: GroupedRequest, by_number: Mapping[int, str]) -> str | None:
    """Return the theme of a change: of its lead, else of the first number that has one.

    None: none of its numbers was there.
    """
    known = [by_number[n] for n in (change.lead, *change.numbers) if n in by_number]
    return next((name for name in known if name), NO_THEME if known else None)


def themes_now(fact: ThemesAssigned, changes: Iterable[GroupedRequest]) -> Themes:
    """Return an assignment as the themes of the changes of now, each under its lead."""
    by_number, leads = homes(fact), dict[str, list[int]]()
    for change in changes:
        leads.setdefault(home(change, by_number) or NO_THEME, []).append(change.lead)
    return Themes(
        themes=tuple(
            Theme(
                name=theme.name,
                numbers=tuple(sorted(leads[theme.name])),
                how=theme.how,
                terms=theme.terms,
            )
            for theme in fact.themes
            if theme.name in leads
        ),
        left_over=tuple(sorted(leads.get(NO_THEME, ()))),
    )


def joined(fact: ThemesAssigned, changes: Iterable[GroupedRequest]) -> list[PlacedChange]:
    """Return the requests that are told under another theme since they are part of a change."""
    by_number, moves = homes(fact), list[PlacedChange]()
    for change in changes:
        theme = home(change, by_number)
        for number in change.numbers:
            was = by_number.get(number, theme)
            if theme and was is not None and was != theme:
                keeper = next(n for n in (change.lead, *change.numbers) if by_number.get(n))
                why = f"told with #{keeper} as one change"
                moves.append(PlacedChange(number=number, theme=theme, was=was, why=why))
    return moves


class Placing:
    """Places the changes of now on what was assigned before.

    `members` reads what is known of the requests that have a theme, and `elsewhere` the themes
    that numbers have in the other section; either is asked only where it is needed.
    """

    def __init__(
        self,
        base: ThemesAssigned,
        settings: ThemeSettings,
        members: Members,
        elsewhere: Callable[[], Mapping[int, str]],
    ) -> None:
        self._base, self._settings = base, settings
        self._read, self._read_elsewhere = members, elsewhere
        self._homes = homes(base)
        self._rules = {rule.name for rule in settings.rules}
        self._names = {theme.name for theme in base.themes}
        #: What of the base the placing rested on.
        self.known: tuple[ThemeRequest, ...] = ()

    @cached_property
    def _members(self) -> dict[str, list[ThemeRequest]]:
        """The requests of each theme that is open to what is near: of none that a rule makes."""
        known = self._read({n for theme in self._open.values() for n in theme})
        self.known = tuple(known[number] for number in sorted(known))
        return {
            name: [known[number] for number in numbers if number in known]
            for name, numbers in self._open.items()
        }

    @cached_property
    def _open(self) -> dict[str, tuple[int, ...]]:
        return {
            theme.name: theme.numbers
            for theme in self._base.themes
            if theme.name != DEPENDENCIES and theme.name not in self._rules
        }

    @cached_property
    def _elsewhere(self) -> Mapping[int, str]:
        return self._read_elsewhere()

    @cached_property
    def _nearness(self) -> Nearness:
        return Nearness(self._members)

    def news(self, changes: Iterable[GroupedRequest]) -> News:
        """Return each change that gets a theme, or another one, and why; by their leads."""
        ordered = sorted(changes, key=lambda change: change.lead)
        requests = [change.request for change in ordered]
        names, reasons = place_by_rules(requests, self._settings.rules)
        news = []
        for change in ordered:
            was, rule = home(change, self._homes), names.get(change.lead)
            if rule is not None:
                if rule != was:
                    placed = _placed(change, was, rule, reasons[change.lead])
                    news.append((change, placed))
            elif was is None or self._has_lost_its_rule(change, was):
                news.append((change, self._by_likeness(change, was)))
        return news

    def _has_lost_its_rule(self, change: GroupedRequest, was: str) -> bool:
        taken = not self._ruled.isdisjoint(change.numbers)
        return taken and was in self._rules

    @cached_property
    def _ruled(self) -> frozenset[int]:
        return frozenset(self._base.ruled)

    def _by_likeness(self, change: GroupedRequest, was: str | None) -> PlacedChange:
        if raises_dependency(change.request):
            there = DEPENDENCIES in self._names
            why = "it raises a dependency" if there else "it raises a dependency, as no theme does"
            return _placed(change, was, DEPENDENCIES if there else None, why)
        other = next((self._elsewhere[n] for n in change.numbers if self._elsewhere.get(n)), None)
        if was is None and other in self._open:
            return _placed(change, was, other, "as in the other section")
        near = self._nearness.nearest(change.request)
        if near is None:
            return _placed(change, was, None, "near to no theme")
        return _placed(change, was, near.theme, f"nearest to #{near.number}")


def _placed(change: GroupedRequest, was: str | None, theme: str | None, why: str) -> PlacedChange:
    return PlacedChange(number=change.lead, theme=theme, was=was, why=why)


def extended(
    base: ThemesAssigned,
    news: News,
    settings: ThemeSettings,
) -> ThemesAssigned:
    """Return an assignment with what was placed since."""
    moved = {number for change, _ in news for number in change.numbers}
    added = dict[str, set[int]]()
    for change, placed in news:
        added.setdefault(placed.theme or NO_THEME, set()).update(change.numbers)
    named = {theme.name for theme in base.themes}
    made_by_rule = [
        AssignedTheme(name=rule.name, numbers=(), how="rule")
        for rule in settings.rules
        if rule.name in added and rule.name not in named
    ]
    rules = {rule.name for rule in settings.rules}
    ruled = {
        number for change, placed in news if placed.theme in rules for number in change.numbers
    }
    return msgspec.structs.replace(
        base,
        themes=tuple(
            msgspec.structs.replace(theme, numbers=_with(theme.numbers, moved, added, theme.name))
            for theme in _before_dependencies(base.themes, made_by_rule)
        ),
        left_over=_with(base.left_over, moved, added, NO_THEME),
        ruled=tuple(sorted((set(base.ruled) - moved) | ruled)),
        placed=(*base.placed, *(placed for _, placed in news)),
    )


def _with(
    numbers: Iterable[int], moved: set[int], added: Mapping[str, set[int]], name: str
) -> tuple[int, ...]:
    return tuple(sorted((set(numbers) - moved) | added.get(name, set())))


def _before_dependencies(
    themes: Sequence[AssignedTheme], more: Sequence[AssignedTheme]
) -> list[AssignedTheme]:
    """Put new themes last, but before that of dependencies, which always is."""
    last = [theme for theme in themes if theme.name == DEPENDENCIES and theme.how != "rule"]
    return [*(theme for theme in themes if theme not in last), *more, *last]
