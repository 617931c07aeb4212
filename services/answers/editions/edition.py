"""One edition, assembled once for every language and format. Nothing here reads or writes."""

from collections.abc import Iterator, Mapping
from typing import Final, Literal, TypeAlias

import msgspec

from events.facts.editions import Language, Section, ThemesAssigned
from events.instant import Instant
from projections.period_ledger.change_groups.members import Member, Pair
from projections.period_ledger.change_groups.standing import ToldGroup
from projections.period_ledger.reconciliation import Reconciliation
from services.answers.editions.release_content import ReleaseContent
from services.answers.questions.question import Stage
from services.answers.reports.assemble import Report
from services.answers.text.bullets import Bullet

SECTIONS: Final[tuple[Section, ...]] = ("delivered", "in_progress")
MoveKind: TypeAlias = Literal["new", "moved", "left"]
Origin: TypeAlias = Literal["title", "text", "person", "model", "words", "gap"]


class Line(msgspec.Struct, frozen=True, kw_only=True):
    """A text in one language, and where it is from: a title, a request's own text, a person, a
    language model, or the fixed words of editions.

    A gap waits for a person. `records` are the decisions, or those that showed what is quoted.
    """

    text: str
    origin: Origin
    numbers: tuple[int, ...] = ()
    records: tuple[str, ...] = ()


class ReviewNote(msgspec.Struct, frozen=True, kw_only=True):
    """Something that a person should look at again, and why."""

    about: str
    why: str
    records: tuple[str, ...] = ()


class ToldChange(msgspec.Struct, frozen=True, kw_only=True):
    """One change of an edition: its group of requests, and its bullets in each language.

    `plain` are the numbers whose state is that of their section; the others are printed with
    their mark.
    """

    told: ToldGroup
    section: Section
    members: Mapping[int, Member]
    plain: frozenset[int]
    bullets: Mapping[Language, Line]
    made: Bullet
    """What its requests say of themselves: title, caveats, and the figures that can be quoted."""

    @property
    def lead(self) -> int:
        """The number under which the change is told."""
        return self.told.lead

    @property
    def numbers(self) -> tuple[int, ...]:
        """Every number of the group, ascending."""
        return self.told.group.numbers


class EditionTheme(msgspec.Struct, frozen=True, kw_only=True):
    """One theme of a section, with its changes by their leads. `key` is the name it was given."""

    section: Section
    key: str
    names: Mapping[Language, str]
    how: str
    changes: tuple[ToldChange, ...]
    summary: Mapping[Language, Line]

    @property
    def numbers(self) -> tuple[int, ...]:
        """Every number that the theme prints, ascending."""
        return tuple(sorted({number for change in self.changes for number in change.numbers}))


class ThemeMove(msgspec.Struct, frozen=True, kw_only=True):
    """One request that is not where the recorded themes had it, or was not in them, and why.

    `theme` is where it is told now, None where in no theme or not at all; `was` where it was, None
    where nowhere. `recorded`: an earlier draft has said so, and it is recorded.
    """

    number: int
    section: Section
    kind: MoveKind
    theme: str | None
    was: str | None
    why: str
    recorded: bool = False

    @property
    def says(self) -> str:
        """The move as a sentence without its end."""
        where = "in no theme" if self.theme is None else f"under {self.theme}"
        if self.kind == "new":
            return f"#{self.number} is new, placed {where}: {self.why}"
        if self.kind == "left":
            whence = "" if self.was is None else f" {self.was}"
            return f"#{self.number} left{whence}: {self.why}"
        whence = "in no theme" if self.was is None else f"under {self.was}"
        return f"#{self.number} was {whence}, is {where}: {self.why}"


class Grouping(msgspec.Struct, frozen=True, kw_only=True):
    """By what a section is grouped: the record of its themes, and since when it is known.

    No record: the themes were made for this draft, and another draft may have others.
    """

    section: Section
    record: str | None
    known_since: Instant | None


class Edition(msgspec.Struct, frozen=True, kw_only=True):
    """What is published about one period of one repository."""

    report: Report
    stage: Stage
    label: str
    """What the title calls the period, empty for its name."""
    author: str
    overview: Mapping[Language, Line]
    themes: tuple[EditionTheme, ...]
    left_over: Mapping[Section, tuple[ToldChange, ...]]
    """Changes that fit no theme."""
    not_told: Mapping[int, str]
    """Merged or active requests that no theme tells, and why."""
    uncertain: tuple[Pair, ...]
    """Requests that may land one change with another one: a person has to say."""
    reconciliation: Reconciliation
    assignments: tuple[ThemesAssigned, ...]
    """How the changes of each section are grouped."""
    unrecorded: tuple[ThemesAssigned, ...] = ()
    """Those of them that have to be recorded, so that the next draft keeps to them."""
    groupings: tuple[Grouping, ...] = ()
    """By what record each section is grouped, if by one."""
    moves: tuple[ThemeMove, ...] = ()
    """What is not where the recorded themes have it, or is not in them."""
    looks: tuple[ReviewNote, ...] = ()
    stale: tuple[ReviewNote, ...] = ()
    """Translations that are older than what they translate, or missing."""
    release: ReleaseContent | None = None
    """What a release brings, where it is told and no period: then `merged` of the reconciliation
    are the requests that it brings, and nothing is in progress."""

    def of(self, section: Section) -> tuple[EditionTheme, ...]:
        """Return the themes of a section."""
        return tuple(theme for theme in self.themes if theme.section == section)

    @property
    def releases(self) -> tuple[str, str] | None:
        """The tags of the two releases, where what one brings is told and no period."""
        return None if self.release is None else self.release.tags

    def by_model(self, language: Language) -> tuple[EditionTheme, ...]:
        """Return the themes whose sentence a language model wrote."""
        return tuple(theme for theme in self.themes if theme.summary[language].origin == "model")

    def gaps(self, language: Language) -> Iterator[str]:
        """Yield the names of the places that wait for a person."""
        if self.overview[language].origin == "gap":
            yield "overview"
        for theme in self.themes:
            if theme.summary[language].origin == "gap":
                yield f"{theme.section}: {theme.names[language]}"
