"""From queries to one edition, at one (T, K): ledger, change groups, themes, decisions."""

from itertools import chain

from events.errors import InvalidQuestion
from events.facts.editions import Section, ToldTheme
from projections.curation.queries import Assignments, decisions
from projections.period_ledger.counting import delivered
from projections.period_ledger.reconciliation import Reconciliation
from projections.release_inclusion.view import HistoryCache
from projections.store.snapshot import Snapshot
from services.answers.editions.assigning import Assigned, Assigning
from services.answers.editions.choices import Choices, choices, stale_translations
from services.answers.editions.edition import SECTIONS, Edition, EditionTheme
from services.answers.editions.grouping import groups_of, moment, numbers_in_question
from services.answers.editions.moves import grouped_fields, outgrown
from services.answers.editions.priors import Lessons
from services.answers.editions.releases.assemble import release_edition
from services.answers.editions.summing import divided, overview, reasons
from services.answers.editions.telling import Telling, tell_changes
from services.answers.editions.theming import requests_of, themed
from services.answers.editions.unmatched import with_unmatched
from services.answers.editions.words import LANGUAGES
from services.answers.questions.question import EditionQuestion, Stage
from services.answers.reports.assemble import Report, assemble


def assemble_edition(
    snapshot: Snapshot, question: EditionQuestion, histories: HistoryCache
) -> Edition:
    """Answer a question; raise InvalidQuestion where `final` is asked for and not proven."""
    # where requests are is told for periods; a release is one place
    placed = None if question.releases else histories
    report = assemble(snapshot, question.report, placed)
    return edition_of(snapshot, report, question, histories)


def edition_of(
    snapshot: Snapshot, report: Report, question: EditionQuestion, histories: HistoryCache
) -> Edition:
    """Return the edition of a report that was assembled for the same question, with histories."""
    if question.releases is None:
        return with_unmatched(snapshot, _of_period(snapshot, report, question))
    edition = release_edition(snapshot, report, question, question.releases, histories)
    return with_unmatched(snapshot, edition)


def _of_period(snapshot: Snapshot, report: Report, question: EditionQuestion) -> Edition:
    edition_choices = choices(decisions(snapshot, report.repo, report.known_at), report.period)
    telling = _telling(snapshot, question, report, edition_choices)
    assigned = _assigned(snapshot, report, question, telling)
    sections = {
        section: themed(section, telling.of(section), assignment.themes, edition_choices)
        for section, assignment in assigned.items()
    }
    grouped = grouped_fields(assigned, telling, edition_choices)
    themes = tuple(theme for part in sections.values() for theme in part.themes)
    left_over = {section: part.left_over for section, part in sections.items()}
    in_question = frozenset().union(*numbers_in_question(report))
    return Edition(
        report=report,
        stage=_stage(question.stage, report),
        label=question.label,
        author=question.author,
        overview={language: overview(themes, edition_choices, language) for language in LANGUAGES},
        themes=themes,
        left_over=left_over,
        not_told=reasons(telling.not_told, chain.from_iterable(left_over.values()), in_question),
        uncertain=telling.uncertain,
        reconciliation=_reconciled(report, themes),
        **grouped,
        looks=(
            *edition_choices.rivals(),
            *telling.looks,
            *chain.from_iterable(map(outgrown, assigned.keys(), assigned.values())),
            *(look for part in sections.values() for look in part.looks),
        ),
        stale=tuple(stale_translations(edition_choices)),
    )


def _telling(
    snapshot: Snapshot, question: EditionQuestion, report: Report, edition_choices: Choices
) -> Telling:
    groups = groups_of(snapshot, question.report, report, edition_choices)
    return tell_changes(report, groups, report.exclusions.classes, edition_choices)


def _assigned(
    snapshot: Snapshot, report: Report, question: EditionQuestion, telling: Telling
) -> dict[Section, Assigned]:
    """Group the changes of each section, as recorded or anew."""
    assigning = Assigning(
        start=report.period.start,
        end=report.period.end,
        settings=question.themes,
        assignments=Assignments(snapshot, report.repo, report.known_at),
        lessons=Lessons(snapshot=snapshot, report=report, as_of=moment(report)),
        anew=question.regroup,
    )
    return {
        section: assigning.section(section, requests_of(report, telling.of(section)))
        for section in SECTIONS
    }


def _reconciled(report: Report, themes: tuple[EditionTheme, ...]) -> Reconciliation:
    merged = {entry.number for entry in delivered(report.entries)}
    return divided(merged, report.exclusions.classes, themes)


def _stage(stage: Stage, report: Report) -> Stage:
    if stage != "final":
        return "through" if report.through is not None else stage
    missing = list(unproven(report))
    if missing:
        raise InvalidQuestion(f"this edition cannot be called Final: {'; '.join(missing)}")
    return "final"


def unproven(report: Report) -> list[str]:
    """Return why an edition may not be called Final; empty where nothing can be missing."""
    missing = [doubt.says for doubt in report.coverage if doubt.kind != "notice"]
    if report.is_cut:
        missing.append("the last local day is not over, or not known to its end")
    inexact = [name for name, quality in report.quality.items() if quality != "exact"]
    if inexact and not missing:
        missing.append(f"not exact: {', '.join(inexact)}")
    if report.ledger.balance:
        missing.append(f"the ledger does not balance, by {report.ledger.balance}")
    return missing


def told_themes(edition: Edition) -> tuple[ToldTheme, ...]:
    """Return the themes as a publication states them."""
    return tuple(
        ToldTheme(section=theme.section, name=theme.key, numbers=theme.numbers)
        for theme in edition.themes
    )
