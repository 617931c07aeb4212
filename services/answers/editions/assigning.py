"""How the changes of a section are grouped: once, at the first draft, and then only what is new.

The first draft's assignment is the base of all later ones, from its record on. Where none is
known at K, the themes are made anew (`services.answers.themes.making`), the same for the same
inputs, and `Assigned.unrecorded` is what to record so that they stay.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import msgspec

from events.facts.editions import PlacedChange, Section, ThemesAssigned
from projections.curation.assigning import KnownAssignment
from projections.curation.queries import Assignments
from projections.period_ledger.themes import ThemeRequest, Themes, place_by_rules
from services.answers.editions.priors import Lessons
from services.answers.themes.making import (
    Prior,
    assigned,
    inputs_digest,
    make_themes,
    placed_digest,
)
from services.answers.themes.placing import (
    GroupedRequest,
    Placing,
    extended,
    home,
    homes,
    joined,
    themes_now,
)
from services.config.repository import ThemeSettings


class Assigned(msgspec.Struct, frozen=True, kw_only=True):
    """How the changes of a section are grouped, and the statement of it that can be recorded."""

    themes: Themes
    fact: ThemesAssigned
    base: KnownAssignment | None
    """What it rests on; None where the themes were made for this draft."""
    moved: tuple[PlacedChange, ...] = ()
    """What has another theme than in the base, or since its themes were made."""

    @property
    def unrecorded(self) -> ThemesAssigned | None:
        """What to record so that a later draft keeps to it; None where that is recorded."""
        known = None if self.base is None else self.base.fact
        return self.fact if self.fact.themes and self.fact != known else None


@dataclass(frozen=True, kw_only=True)
class Assigning:
    """What the sections of one edition are grouped by: of a period, or of what a release brings."""

    start: int
    end: int
    settings: ThemeSettings
    assignments: Assignments
    lessons: Lessons
    releases: tuple[str, str] | None = None
    anew: bool = False
    """Group all changes anew, whatever is recorded, to stand in the place of it."""

    def base(self, section: Section) -> KnownAssignment | None:
        """Return what is recorded for a section."""
        return self.assignments.base(section, self.start, self.end, self.releases)

    def section(self, section: Section, changes: Sequence[GroupedRequest]) -> Assigned:
        """Group the changes of a section."""
        base = self.base(section)
        if base is not None and not self.anew:
            return self._kept(base, section, changes)
        fact = self._made(section, changes)
        if base is None:
            return Assigned(themes=themes_now(fact, changes), fact=fact, base=None)
        if (fact.themes, fact.left_over) == (base.fact.themes, base.fact.left_over):
            fact = base.fact
        else:
            fact = msgspec.structs.replace(fact, replaces=base.record_id)
        moved = tuple(_moves(base.fact, fact, changes))
        return Assigned(themes=themes_now(fact, changes), fact=fact, base=base, moved=moved)

    def _kept(
        self, base: KnownAssignment, section: Section, changes: Sequence[GroupedRequest]
    ) -> Assigned:
        placing = Placing(
            base.fact,
            self.settings,
            members=self.lessons.requests,
            elsewhere=lambda: self._elsewhere(section),
        )
        news = placing.news(changes)
        fact = base.fact
        if news:
            digest = placed_digest(base.record_id, news, placing.known, self.settings)
            fact = self.assignments.get(digest) or msgspec.structs.replace(
                extended(base.fact, news, self.settings), inputs=digest, replaces=base.record_id
            )
        moved = (*fact.placed, *joined(fact, changes))
        return Assigned(themes=themes_now(fact, changes), fact=fact, base=base, moved=moved)

    def _elsewhere(self, section: Section) -> dict[int, str]:
        """Return the themes that numbers have in the other section of the same period."""
        other = self.base("in_progress" if section == "delivered" else "delivered")
        return {} if other is None else homes(other.fact)

    def _made(self, section: Section, changes: Sequence[GroupedRequest]) -> ThemesAssigned:
        """Return the assignment that was recorded for the same inputs, or make it."""
        requests = [change.request for change in changes]
        ruled, _ = place_by_rules(requests, self.settings.rules)
        few = len(requests) - len(ruled) < self.settings.smallest
        # so few make no theme, unless one of the edition before takes them to a rule's
        names = {rule.name for rule in self.settings.rules}
        if few and names.isdisjoint(self.lessons.names(section)):
            history, prior = list[ThemeRequest](), Prior()
        else:
            history, prior = self.lessons.history, self.lessons.prior(section)
        digest = inputs_digest(requests, history, self.settings, prior)
        fact = self.assignments.get(digest)
        if fact is None:
            themes = make_themes(requests, history, self.settings, prior)
            fact = assigned(themes, start=self.start, end=self.end, digest=digest)
        return _with_every_number(fact, section, self.releases, changes, ruled)


def _with_every_number(
    fact: ThemesAssigned,
    section: Section,
    releases: tuple[str, str] | None,
    changes: Iterable[GroupedRequest],
    ruled: Iterable[int],
) -> ThemesAssigned:
    """Let an assignment of leads name every number of each change, as the first of its section."""
    numbers = {change.lead: change.numbers for change in changes}

    def every(leads: Iterable[int]) -> tuple[int, ...]:
        return tuple(sorted({number for lead in leads for number in numbers.get(lead, (lead,))}))

    return msgspec.structs.replace(
        fact,
        themes=tuple(
            msgspec.structs.replace(theme, numbers=every(theme.numbers)) for theme in fact.themes
        ),
        left_over=every(fact.left_over),
        section=section,
        releases=releases,
        ruled=every(ruled),
        placed=(),
        replaces="",
    )


def _moves(
    old: ThemesAssigned, new: ThemesAssigned, changes: Iterable[GroupedRequest]
) -> Iterable[PlacedChange]:
    """Yield the changes that have another theme in the new assignment than in the old one."""
    before, after = homes(old), homes(new)
    for change in sorted(changes, key=lambda change: change.lead):
        was, theme = home(change, before), home(change, after)
        if was != theme:
            why = "all were grouped anew"
            yield PlacedChange(number=change.lead, theme=theme or None, was=was, why=why)
