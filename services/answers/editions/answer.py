"""Editions for programs: the report, and what is told of it in every language."""

from collections.abc import Mapping
from typing import Any

import msgspec

from events.facts.editions import Language
from projections.period_ledger.change_groups.members import Pair
from projections.period_ledger.reconciliation import Reconciliation
from services.answers.editions.edition import Edition, EditionTheme, Line, ReviewNote, ToldChange
from services.answers.editions.figures import period_heading
from services.answers.editions.moves_answer import (
    GroupingAnswer,
    ThemeMoveAnswer,
    grouping_answer,
    move_answer,
)
from services.answers.editions.placing import Place
from services.answers.editions.words import LANGUAGES
from services.answers.reports.answer import LedgerAnswer, report_answer
from services.answers.reports.why_forms import WhyAnswer


class ReconciliationAnswer(msgspec.Struct, frozen=True, kw_only=True):
    """Where the merged requests went: how many there were, and the numbers of each part."""

    merged: int
    told: tuple[int, ...]
    twins: tuple[int, ...]
    excluded: dict[str, tuple[int, ...]]
    not_told: tuple[int, ...]


class LineAnswer(msgspec.Struct, frozen=True, kw_only=True, rename={"origin": "from"}):
    """A text, where it is from, and the records that it rests on."""

    text: str
    origin: str
    records: tuple[str, ...]


class MemberAnswer(msgspec.Struct, frozen=True, kw_only=True):
    """One request of a change, as it stood at the end."""

    number: int
    base: str | None
    state: str
    merged_here: bool
    merged_before: bool


class TieAnswer(msgspec.Struct, frozen=True, kw_only=True):
    """Why two requests are one change."""

    number: int
    of: int
    by: str
    says: str


class QuotableAnswer(msgspec.Struct, frozen=True, kw_only=True):
    """A figure that a request states itself, in its exact words, with what limits it."""

    number: int
    quote: str
    figures: tuple[str, ...]
    caveats: tuple[str, ...]
    text_version: str


class QuotableColumn(msgspec.Struct, frozen=True, kw_only=True):
    """A column of figures in a table of a request."""

    number: int
    heading: str
    span: str | None
    rows: int
    caveats: tuple[str, ...]
    text_version: str


class ThemeChange(msgspec.Struct, frozen=True, kw_only=True, rename={"telling": "as"}):
    """One change: its requests, why they are one, its bullets, what can be quoted."""

    told_under: int
    telling: str
    requests: tuple[MemberAnswer, ...]
    ties: tuple[TieAnswer, ...]
    bullets: dict[str, LineAnswer]
    caveats: tuple[str, ...]
    quotable: tuple[QuotableAnswer, ...]
    quotable_columns: tuple[QuotableColumn, ...]


class ThemeAnswer(msgspec.Struct, frozen=True, kw_only=True):
    """One theme of a section, in the order in which it is told."""

    section: str
    theme: str
    names: dict[str, str]
    how: str
    pulls: tuple[int, ...]
    summary: dict[str, LineAnswer]
    changes: tuple[ThemeChange, ...]


class NotToldAnswer(msgspec.Struct, frozen=True, kw_only=True):
    """A request that no theme tells, and why."""

    number: int
    why: str


class PairAnswer(msgspec.Struct, frozen=True, kw_only=True):
    """Two requests that may land one change, why so, and why it is not certain."""

    id: str
    number: int
    of: int
    kind: str
    by: str
    says: str
    doubt: str
    confidence: float


class NoteAnswer(msgspec.Struct, frozen=True, kw_only=True):
    """What a person should look at again."""

    about: str
    why: str
    records: tuple[str, ...]


class PairsAnswer(msgspec.Struct, frozen=True, kw_only=True):
    """The requests of a period that may land one change."""

    waiting: tuple[PairAnswer, ...]


class EditionAnswer(LedgerAnswer[ReconciliationAnswer], frozen=True, kw_only=True):
    """An edition of a period: the report, and what is told in every language."""

    title: dict[str, str]
    stage: str | None
    overview: dict[str, LineAnswer]
    themes: tuple[ThemeAnswer, ...]
    left_over: dict[str, tuple[ThemeChange, ...]]
    not_told: tuple[NotToldAnswer, ...]
    gaps: dict[str, tuple[str, ...]]
    may_be_one_change: tuple[PairAnswer, ...]
    grouped_by: tuple[GroupingAnswer, ...]
    moves: tuple[ThemeMoveAnswer, ...]
    look_again: tuple[NoteAnswer, ...]
    stale_translations: tuple[NoteAnswer, ...]


class PeriodWhyAnswer(WhyAnswer, frozen=True, kw_only=True):
    """Why a request is told, and where the edition has it."""

    edition: Place


def edition_answer(edition: Edition) -> EditionAnswer:
    """Return an edition of a period."""
    report = msgspec.structs.asdict(report_answer(edition.report))
    return EditionAnswer(
        **{**report, "reconciliation": reconciliation_answer(edition.reconciliation)},
        title={language: period_heading(edition, language) for language in LANGUAGES},
        **told_fields(edition),
    )


def told_fields(edition: Edition) -> dict[str, Any]:
    """Return what every edition tells, whatever it is about: stage, texts, themes, what waits."""
    return {
        "stage": edition.stage or None,
        "overview": _lines(edition.overview),
        "themes": theme_answers(edition),
        "left_over": {
            section: tuple(map(_change, changes)) for section, changes in edition.left_over.items()
        },
        "not_told": tuple(
            NotToldAnswer(number=number, why=why)
            for number, why in sorted(edition.not_told.items())
        ),
        "gaps": {language: tuple(edition.gaps(language)) for language in LANGUAGES},
        "may_be_one_change": tuple(map(pair_answer, edition.uncertain)),
        "grouped_by": tuple(map(grouping_answer, edition.groupings)),
        "moves": tuple(map(move_answer, edition.moves)),
        "look_again": tuple(map(note_answer, edition.looks)),
        "stale_translations": tuple(map(note_answer, edition.stale)),
    }


def theme_answers(edition: Edition) -> tuple[ThemeAnswer, ...]:
    """Return the themes in the order in which they are told, with the numbers of each."""
    return tuple(map(_theme, edition.themes))


def reconciliation_answer(parts: Reconciliation) -> ReconciliationAnswer:
    """Return where requests went."""
    return ReconciliationAnswer(
        merged=len(parts.merged),
        told=tuple(parts.told),
        twins=tuple(parts.twins),
        excluded={kind: tuple(numbers) for kind, numbers in parts.excluded.items()},
        not_told=tuple(parts.not_told),
    )


def pair_answer(pair: Pair) -> PairAnswer:
    """Return two requests that may land one change."""
    return PairAnswer(
        id=pair.id,
        number=pair.number,
        of=pair.origin,
        kind=pair.kind.value,
        by=pair.method,
        says=pair.says,
        doubt=pair.doubt,
        confidence=pair.confidence,
    )


def note_answer(note: ReviewNote) -> NoteAnswer:
    """Return what a person should look at again."""
    return NoteAnswer(about=note.about, why=note.why, records=tuple(note.records))


def _theme(theme: EditionTheme) -> ThemeAnswer:
    return ThemeAnswer(
        section=theme.section,
        theme=theme.key,
        names={str(language): name for language, name in theme.names.items()},
        how=theme.how,
        pulls=theme.numbers,
        summary=_lines(theme.summary),
        changes=tuple(map(_change, theme.changes)),
    )


def _change(change: ToldChange) -> ThemeChange:
    told_group, bullet = change.told, change.made
    return ThemeChange(
        told_under=change.lead,
        telling=told_group.telling,
        requests=tuple(
            MemberAnswer(
                number=number,
                base=member.base,
                state=member.state,
                merged_here=number in told_group.landed,
                merged_before=number in told_group.earlier,
            )
            for number, member in change.members.items()
        ),
        ties=tuple(
            TieAnswer(number=pair.number, of=pair.origin, by=pair.method, says=pair.says)
            for pair in told_group.group.pairs
        ),
        bullets=_lines(change.bullets),
        caveats=tuple(bullet.caveats),
        quotable=tuple(
            QuotableAnswer(
                number=quotation.number,
                quote=quotation.quote,
                figures=tuple(quotation.figures),
                caveats=tuple(quotation.caveats),
                text_version=quotation.digest,
            )
            for quotation in bullet.quotations
        ),
        quotable_columns=tuple(
            QuotableColumn(
                number=column.number,
                heading=column.heading,
                span=column.span,
                rows=column.rows,
                caveats=tuple(column.caveats),
                text_version=column.digest,
            )
            for column in bullet.columns
        ),
    )


def _lines(lines: Mapping[Language, Line]) -> dict[str, LineAnswer]:
    return {
        language: LineAnswer(text=line.text, origin=line.origin, records=tuple(line.records))
        for language, line in lines.items()
    }
