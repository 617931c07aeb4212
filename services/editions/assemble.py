"""From queries to one edition, at one (T, K): ledger, change groups, themes, decisions."""

from typing import Final

from events.errors import InvalidQuestion
from events.facts.editions import EditionPublished, Language, Section, ToldTheme
from events.facts.themes import AssignedTheme
from events.instant import DAY
from projections.curation.queries import Assignments, decisions, edition_before
from projections.period_ledger.files import files_at
from projections.period_ledger.reconciliation import Reconciliation, reconcile
from projections.period_ledger.themes import ThemeRequest
from projections.pull_requests.queries import attributes_of
from projections.pull_requests.text_queries import texts_of
from projections.read_model import Snapshot
from projections.release_inclusion.view import HistoryCache
from services.editions.choices import Choices, choices, decided_line, stale_translations
from services.editions.edition import SECTIONS, Edition, EditionTheme, Line, Stage
from services.editions.grouping import groups_of, moment
from services.editions.question import EditionQuestion
from services.editions.telling import Telling, tell_changes
from services.editions.theming import Assigned, assign, requests_of, themed
from services.editions.words import LANGUAGES, WORDS
from services.reports.assemble import Report, assemble
from services.themes.making import Prior
from services.themes.requests import merged_before, theme_requests

#: Clustering learns from the words of so long before a period.
_HISTORY: Final = 365 * DAY


def assemble_edition(
    snapshot: Snapshot, question: EditionQuestion, histories: HistoryCache
) -> Edition:
    """Answer a question; raise InvalidQuestion where `final` is asked for and not proven."""
    return edition_of(snapshot, assemble(snapshot, question.report, histories), question)


def edition_of(snapshot: Snapshot, report: Report, question: EditionQuestion) -> Edition:
    """Return the edition of a report that was assembled for the same question, with histories."""
    held = choices(
        decisions(snapshot, report.repo, report.known_at), report.period.start, report.period.end
    )
    telling = _telling(snapshot, question, report, held)
    assigned = _assigned(snapshot, report, question, telling)
    sections = {
        section: themed(section, telling.of(section), made.themes, held)
        for section, made in assigned.items()
    }
    themes = tuple(theme for found in sections.values() for theme in found.themes)
    return Edition(
        report=report,
        stage=_stage(question.stage, report),
        label=question.label,
        author=question.author,
        overview={language: _overview(themes, held, language) for language in LANGUAGES},
        themes=themes,
        left_over={section: found.left_over for section, found in sections.items()},
        not_told=telling.not_told,
        uncertain=telling.uncertain,
        reconciliation=_reconciled(report, themes),
        assignments=tuple(made.fact for made in assigned.values()),
        looks=(
            *held.rivals(),
            *telling.looks,
            *(look for found in sections.values() for look in found.looks),
        ),
        stale=tuple(stale_translations(held)),
    )


def _telling(
    snapshot: Snapshot, question: EditionQuestion, report: Report, held: Choices
) -> Telling:
    groups = groups_of(snapshot, question.report, report, held)
    numbers = [n for one in groups.grouping.groups for n in one.numbers]
    texts = texts_of(snapshot, report.repo, numbers, moment(report), report.known_at)
    return tell_changes(report, groups, texts, report.exclusions.classes, held)


def _assigned(
    snapshot: Snapshot, report: Report, question: EditionQuestion, telling: Telling
) -> dict[Section, Assigned]:
    """Group the changes of each section, as recorded or anew."""
    before = edition_before(snapshot, report.repo, report.period.start, report.known_at)
    known = Assignments(snapshot, report.repo)
    history = _history(snapshot, report)
    found: dict[Section, Assigned] = {}
    for section in SECTIONS:
        prior = _prior(snapshot, report, section, before.fact if before else None)
        requests = requests_of(report, telling.of(section))
        found[section] = assign(report, requests, history, question.themes, prior, known)
    return found


def _history(snapshot: Snapshot, report: Report) -> list[ThemeRequest]:
    """Return what was merged in the year before: words change, and reading more takes long."""
    start = report.period.start
    return merged_before(
        snapshot, report.repo, start, report.known_at, since=max(start - _HISTORY, 0)
    )


def _prior(
    snapshot: Snapshot, report: Report, section: Section, before: EditionPublished | None
) -> Prior:
    """Return the themes of the edition before, with what is known of their requests now."""
    if before is None:
        return Prior()
    themes = tuple(
        AssignedTheme(name=one.name, numbers=one.numbers, how="prior")
        for one in before.themes
        if one.section == section
    )
    numbers = {number for one in themes for number in one.numbers}
    at, known_at = moment(report), report.known_at
    shown = attributes_of(snapshot, report.repo, numbers, at, known_at)
    files = files_at(snapshot, report.repo, shown, shown, at, known_at)
    requests = theme_requests(numbers, shown, files)
    return Prior(themes=themes, requests={one.number: one for one in requests})


def _overview(themes: tuple[EditionTheme, ...], held: Choices, language: Language) -> Line:
    decided = [*held.of("overview", language)][-1:]
    if decided:
        return decided_line(decided[0])
    words = WORDS[language]
    names = words.names_separator.join(dict.fromkeys(theme.names[language] for theme in themes))
    what = words.overview_gap.format(themes=names or words.nothing)
    return Line(text=words.gap.format(what=what), origin="gap")


def _reconciled(report: Report, themes: tuple[EditionTheme, ...]) -> Reconciliation:
    """Divide the merged requests: each change of a theme is told once, the others are twins."""
    merged = {entry.number for entry in report.entries["merged"]}
    told: set[int] = set()
    twins: set[int] = set()
    for theme in themes:
        for change in theme.changes:
            own = merged & set(change.numbers)
            if own:
                first = change.lead if change.lead in own else min(own)
                told.add(first)
                twins |= own - {first}
    return reconcile(merged, report.exclusions.classes, told, twins - told)


def _stage(asked: Stage, report: Report) -> Stage:
    if asked != "final":
        return "through" if report.is_cut else asked
    missing = list(unproven(report))
    if missing:
        raise InvalidQuestion(f"this edition cannot be called Final: {'; '.join(missing)}")
    return "final"


def unproven(report: Report) -> list[str]:
    """Return why an edition may not be called Final; empty where nothing can be missing."""
    found = [doubt.says for doubt in report.coverage if doubt.kind != "notice"]
    if report.is_cut:
        found.append("the last local day is not over, or not known to its end")
    inexact = [name for name, quality in report.quality.items() if quality != "exact"]
    if inexact and not found:
        found.append(f"not exact: {', '.join(inexact)}")
    if report.ledger.balance:
        found.append(f"the ledger does not balance, by {report.ledger.balance}")
    return found


def told_themes(edition: Edition) -> tuple[ToldTheme, ...]:
    """Return the themes as a publication states them."""
    return tuple(
        ToldTheme(section=theme.section, name=theme.key, numbers=theme.numbers)
        for theme in edition.themes
    )
