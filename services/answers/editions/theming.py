"""The themes of one section: recorded or made anew, then as persons decided. No I/O.

Made by rules, last edition's themes and clusters (`services.answers.themes`); a person's decision
moves a change, renames a theme, or merges two.
"""

from collections.abc import Iterable, Sequence

import msgspec

from events.facts.editions import Language, Section, ThemesAssigned
from projections.curation.queries import Assignments
from projections.period_ledger.themes import How, ThemeRequest, Themes
from services.answers.editions.choices import Choices, changed_since, decided_line
from services.answers.editions.edition import EditionTheme, Line, ReviewNote, ToldChange
from services.answers.editions.words import LANGUAGES, WORDS
from services.answers.reports.assemble import Report
from services.answers.themes.making import Prior, assigned, inputs_digest, make_themes, recorded
from services.answers.themes.requests import theme_requests
from services.config.repository import ThemeSettings


class Assigned(msgspec.Struct, frozen=True, kw_only=True):
    """How the changes of a section were grouped, and the statement of it that can be recorded."""

    themes: Themes
    fact: ThemesAssigned


class Themed(msgspec.Struct, frozen=True, kw_only=True):
    """A section as it is told."""

    themes: tuple[EditionTheme, ...]
    left_over: tuple[ToldChange, ...]
    looks: tuple[ReviewNote, ...]


def known_requests(report: Report, numbers: Iterable[int]) -> list[ThemeRequest]:
    """Return what of some requests of a report decides their themes."""
    files = {number: one.files for number, one in report.exclusions.requests.items()}
    return theme_requests(numbers, report.requests, files)


def requests_of(report: Report, changes: Sequence[ToldChange]) -> list[ThemeRequest]:
    """Return each change as one request: its lead, with the paths and labels of all its numbers."""
    found = []
    for one in changes:
        parts = known_requests(report, one.numbers)
        lead = one.members[one.lead]
        found.append(
            ThemeRequest(
                number=one.lead,
                title=lead.title,
                paths=tuple(sorted({path for part in parts for path in part.paths})),
                labels=tuple(sorted({label for part in parts for label in part.labels})),
                author=lead.author,
            )
        )
    return found


def assign(
    report: Report,
    requests: Sequence[ThemeRequest],
    history: Sequence[ThemeRequest],
    settings: ThemeSettings,
    prior: Prior,
    known: Assignments,
) -> Assigned:
    """Group requests; `known` are the assignments that were recorded.

    `history` are earlier requests, from whose words clustering learns."""
    digest = inputs_digest(requests, history, settings, prior)
    fact = known.get(digest)
    if fact is not None:
        return Assigned(themes=recorded(fact), fact=fact)
    made = make_themes(requests, history, settings, prior)
    start, end = report.period.start, report.period.end
    return Assigned(themes=made, fact=assigned(made, start=start, end=end, digest=digest))


def themed(section: Section, changes: Sequence[ToldChange], made: Themes, held: Choices) -> Themed:
    """Return the themes of a section as persons decided, with their texts."""
    by_lead = {one.lead: one for one in changes}
    moved = {one.lead: name for one in changes if (name := _decided(one, held)) is not None}
    placed: dict[str, list[ToldChange]] = {}
    how: dict[str, How] = {}
    for one in made.themes:
        key = held.renamed(one.name)
        how.setdefault(key, one.how)
        stay = [by_lead[n] for n in one.numbers if n in by_lead and n not in moved]
        placed.setdefault(key, []).extend(stay)
    for lead, key in moved.items():
        how.setdefault(key, "rule")
        placed.setdefault(key, []).append(by_lead[lead])
    themes, looks = list[EditionTheme](), list[ReviewNote]()
    for key, some in placed.items():
        if some:
            theme, seen = _theme(section, key, how[key], some, held)
            themes.append(theme)
            looks += seen
    told = {one.lead for theme in themes for one in theme.changes}
    left = tuple(one for lead, one in sorted(by_lead.items()) if lead not in told)
    return Themed(themes=tuple(themes), left_over=left, looks=tuple(looks))


def _decided(change: ToldChange, held: Choices) -> str | None:
    one = held.about("theme", change.numbers)
    return None if one is None or one.fact.value is None else held.renamed(one.fact.value)


def _theme(
    section: Section, name: str, how: How, changes: Sequence[ToldChange], held: Choices
) -> tuple[EditionTheme, list[ReviewNote]]:
    ordered = tuple(sorted(changes, key=lambda one: one.lead))
    numbers = sorted({number for one in ordered for number in one.numbers})
    names = {language: held.renamed(name, language) for language in LANGUAGES}
    summary: dict[Language, Line] = {}
    looks: list[ReviewNote] = []
    for language in LANGUAGES:
        decided = held.summary(section, name, numbers, language)
        if decided is None:
            summary[language] = _gap(names[language], numbers, language)
            continue
        summary[language] = decided_line(decided, numbers)
        look = changed_since(decided, section, numbers)
        looks += [look] if look else []
    theme = EditionTheme(
        section=section, key=name, names=names, how=how, changes=ordered, summary=summary
    )
    return theme, looks


def _gap(name: str, numbers: Sequence[int], language: Language) -> Line:
    words = WORDS[language]
    listed = words.separator.join(f"#{number}" for number in numbers)
    what = words.summary_gap.format(theme=name, numbers=listed)
    return Line(text=words.gap.format(what=what), origin="gap", numbers=tuple(numbers))
