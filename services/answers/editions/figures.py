"""The head of an edition: title, period, the two count lines, the reconciliation. Pure."""

from events.facts.editions import Language
from projections.period_ledger.counting import DEFINITIONS
from projections.period_ledger.quality import Quality
from projections.period_ledger.reconciliation import Reconciliation
from services.answers.editions.edition import Edition
from services.answers.editions.words import CLASSES, WORDS, Words
from services.answers.questions.period import Period
from services.answers.reports.assemble import Report


def period_heading(edition: Edition, language: Language) -> str:
    """Write the title: project, kind of report, period, and what it claims of its end."""
    words, report = WORDS[language], edition.report
    title = words.heading.format(
        project=report.full_name.rpartition("/")[2],
        report=words.report["" if edition.label else report.period.kind],
        period=edition.label or period_name(report.period, language),
    )
    if edition.stage == "through":
        return title + words.through.format(day=last_counted_day(report))
    return title + (words.final if edition.stage == "final" else "")


def period_name(period: Period, language: Language) -> str:
    """Write a period for a title: `July 2026`, `Q3 2026`, or its first and last day."""
    words, first = WORDS[language], period.first_day
    if period.kind == "Monthly":
        return words.month.format(month=words.months[first.month - 1], year=first.year)
    if period.kind == "Quarterly":
        return words.quarter.format(quarter=(first.month + 2) // 3, year=first.year)
    return words.span.format(first=first.isoformat(), last=period.last_day.isoformat())


def last_counted_day(report: Report) -> str:
    """Return the last local day of which anything is known."""
    return (report.through or report.period.last_day).isoformat()


def period_line(report: Report, language: Language) -> str:
    """Write the period with its zone and source."""
    return WORDS[language].period.format(
        first=report.period.first_day.isoformat(),
        last=last_counted_day(report),
        zone=report.period.zone,
        source=report.full_name,
    )


def count_line(report: Report, language: Language) -> str:
    """Write the counts as the published reports do."""
    words = WORDS[language]
    figures = {
        name: figure(report.counts[name], report.quality[name], words) for name in DEFINITIONS
    }
    return words.counts.format_map(figures)


def landed_lines(report: Report, language: Language) -> tuple[str, ...]:
    """Write how many requests a commit landed that GitHub shows as closed; nothing for none."""
    if not report.counts["landed"]:
        return ()
    words = WORDS[language]
    count = figure(report.counts["landed"], report.quality["landed"], words)
    return (words.landed.format(count=count),)


def excluded_line(report: Report, language: Language) -> str:
    """Write what the narrative leaves out as the published reports do."""
    words, exclusions = WORDS[language], report.exclusions
    items = (
        words.excluded_item.format(
            kind=words.classes[kind],
            count=figure(exclusions.total(kind), exclusions.quality, words),
        )
        for kind in CLASSES
    )
    return words.excluded.format(items=words.separator.join(items))


def reconciliation_line(parts: Reconciliation, language: Language) -> str:
    """Write where the merged requests went."""
    return WORDS[language].reconciliation.format(
        merged=f"{len(parts.merged):,}",
        told=f"{len(parts.told):,}",
        twins=f"{len(parts.twins):,}",
        excluded=f"{sum(map(len, parts.excluded.values())):,}",
        not_told=f"{len(parts.not_told):,}",
    )


def figure(value: int | None, quality: Quality, words: Words) -> str:
    """Write a count: `249`, `at least 248`, `unknown`."""
    if value is None:
        return words.unknown
    return words.at_least.format(f"{value:,}") if quality == "at_least" else f"{value:,}"
