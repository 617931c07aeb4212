"""The themes of one section, as they were assigned, then as persons decided. No I/O.

A person's decision moves a change, renames a theme, or merges two.
"""

from collections.abc import Iterable, Sequence

import msgspec

from events.facts.editions import Language, Section
from projections.period_ledger.themes import How, ThemeRequest, Themes
from services.answers.editions.choices import Choices, changed_since, decided_line
from services.answers.editions.edition import EditionTheme, Line, ReviewNote, ToldChange
from services.answers.editions.words import LANGUAGES, WORDS
from services.answers.reports.assemble import Report
from services.answers.themes.placing import GroupedRequest
from services.answers.themes.requests import theme_requests


class Themed(msgspec.Struct, frozen=True, kw_only=True):
    """A section as it is told."""

    themes: tuple[EditionTheme, ...]
    left_over: tuple[ToldChange, ...]
    looks: tuple[ReviewNote, ...]


def known_requests(report: Report, numbers: Iterable[int]) -> list[ThemeRequest]:
    """Return what of some requests of a report decides their themes."""
    files = {number: classified.files for number, classified in report.exclusions.requests.items()}
    return theme_requests(numbers, report.requests, files)


def requests_of(report: Report, changes: Sequence[ToldChange]) -> list[GroupedRequest]:
    """Return each change as one request: its lead, with the paths and labels of all its numbers."""
    requests = []
    for change in changes:
        parts = known_requests(report, change.numbers)
        lead = change.members[change.lead]
        attributes = report.requests.get(change.lead)
        request = ThemeRequest(
            number=change.lead,
            title=lead.title,
            paths=tuple(sorted({path for part in parts for path in part.paths})),
            labels=tuple(sorted({label for part in parts for label in part.labels})),
            author=lead.author or (attributes.commit_author if attributes else None),
        )
        requests.append(GroupedRequest(request=request, numbers=change.numbers))
    return requests


def themed(
    section: Section, changes: Sequence[ToldChange], section_themes: Themes, choices: Choices
) -> Themed:
    """Return the themes of a section as persons decided, with their texts."""
    by_lead = {change.lead: change for change in changes}
    moved = {
        change.lead: name for change in changes if (name := _decided(change, choices)) is not None
    }
    placed: dict[str, list[ToldChange]] = {}
    how: dict[str, How] = {}
    for section_theme in section_themes.themes:
        key = choices.renamed(section_theme.name)
        how.setdefault(key, section_theme.how)
        stay = [by_lead[n] for n in section_theme.numbers if n in by_lead and n not in moved]
        placed.setdefault(key, []).extend(stay)
    for lead, key in moved.items():
        how.setdefault(key, "rule")
        placed.setdefault(key, []).append(by_lead[lead])
    themes, looks = list[EditionTheme](), list[ReviewNote]()
    for key, placed_changes in placed.items():
        if placed_changes:
            theme, theme_looks = _theme(section, key, how[key], placed_changes, choices)
            themes.append(theme)
            looks += theme_looks
    told_leads = {change.lead for theme in themes for change in theme.changes}
    left_over = tuple(change for lead, change in sorted(by_lead.items()) if lead not in told_leads)
    return Themed(themes=tuple(themes), left_over=left_over, looks=tuple(looks))


def _decided(change: ToldChange, choices: Choices) -> str | None:
    decision = choices.about("theme", change.numbers)
    return (
        None
        if decision is None or decision.fact.value is None
        else choices.renamed(decision.fact.value)
    )


def _theme(
    section: Section, name: str, how: How, changes: Sequence[ToldChange], choices: Choices
) -> tuple[EditionTheme, list[ReviewNote]]:
    ordered = tuple(sorted(changes, key=lambda change: change.lead))
    numbers = sorted({number for change in ordered for number in change.numbers})
    names = {language: choices.renamed(name, language) for language in LANGUAGES}
    summary: dict[Language, Line] = {}
    looks: list[ReviewNote] = []
    for language in LANGUAGES:
        decided = choices.summary(section, name, numbers, language)
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
