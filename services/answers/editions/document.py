"""An edition of a period as a document."""

from collections import Counter
from collections.abc import Iterable, Iterator
from datetime import timedelta
from typing import Final

from events.facts.editions import Language, Section
from events.instant import to_datetime
from projections.period_ledger.counting import DEFINITIONS, LedgerEntry
from services.answers.editions.edition import SECTIONS, Edition, ToldChange
from services.answers.editions.figures import (
    count_line,
    excluded_line,
    figure,
    landed_lines,
    period_heading,
    period_line,
    reconciliation_line,
)
from services.answers.editions.parts import Told
from services.answers.editions.words import WORDS, Words
from services.answers.questions.period import Period
from services.answers.questions.question import Shape
from services.answers.reports.coverage_summary import coverage_summary
from services.answers.reports.wording import rfc3339, told_counts
from services.documents.model import Bars, Block, Days, Document, Fold, Footer, OnPage, Paragraph
from services.documents.model import Section as Headed
from services.runtime.clock import zone_of

#: A chart by days is readable up to a quarter.
_MOST_DAYS: Final = 100


def period_document(
    edition: Edition, language: Language, shape: Shape, *, noted: bool = False
) -> Document:
    """Write the edition of a period; `noted`: with notes for the writer of a draft."""
    words, report = WORDS[language], edition.report
    writer = Told(
        edition,
        language,
        shape,
        mark=lambda change, number: mark(change, number, words),
        remark=lambda change: _told_as(change, words),
        noted=noted,
    )
    return Document(
        title=period_heading(edition, language),
        byline=edition.author,
        language=language,
        blocks=(
            writer.line(period_line(report, language)),
            writer.overview(
                (
                    count_line(report, language),
                    *landed_lines(report, language),
                    excluded_line(report, language),
                )
            ),
            *(_section(writer, section) for section in SECTIONS),
            Headed(
                words.method,
                (
                    writer.line(words.method_text),
                    *writer.by_model(),
                    writer.line(reconciliation_line(edition.reconciliation, language)),
                    writer.line(coverage_summary(report, language)),
                ),
            ),
            *writer.left_over(),
            OnPage((*_charts(edition, language), *_evidence(writer))),
        ),
    )


def mark(change: ToldChange, number: int, words: Words) -> str:
    """Write a number with its branch and its state at the end: `[main #6870, open]`."""
    member = change.members[number]
    return f"[{member.base or words.unknown} #{number}, {words.states[member.state]}]"


def theme_bars(edition: Edition, section: Section, language: Language) -> Bars:
    """Draw how many requests each theme of a section has."""
    words = WORDS[language]
    sizes = {theme.names[language]: len(theme.numbers) for theme in edition.of(section)}
    return Bars(f"{words.sections[section]}: {words.chart_themes}", sizes)


def _told_as(change: ToldChange, words: Words) -> str:
    telling = words.tellings.get(change.told.telling)
    return f" — {telling}" if telling else ""


def _section(writer: Told, section: Section) -> Headed:
    words, report = writer.words, writer.edition.report
    themes = writer.edition.of(section)
    blocks: list[Block] = [writer.theme(theme) for theme in themes]
    if not themes:
        known = section != "in_progress" or report.counts["active_and_open"] is not None
        blocks.append(Paragraph(words.nothing if known else words.not_known))
    if section == "in_progress" and report.candidates:
        tested = sum(head.test_merge for head in report.candidates)
        line = words.candidates.format(count=f"{len(report.candidates):,}", tested=f"{tested:,}")
        blocks.append(Paragraph(line))
    return Headed(words.sections[section], tuple(blocks))


def _charts(edition: Edition, language: Language) -> Iterator[Block]:
    report, words = edition.report, WORDS[language]
    told = told_counts(report.counts)
    counts = {name: value for name in told if (value := report.counts[name]) is not None}
    yield Bars(
        words.chart_counts, {words.count_names[name]: value for name, value in counts.items()}
    )
    labels = _days(report.period)
    if 1 < len(labels) <= _MOST_DAYS:
        names = ("opened", "merged", "landed", "closed_without_merge")
        yield Days(
            words.chart_days,
            labels,
            {
                words.count_names[name]: _by_day(report.entries[name], labels, report.period)
                for name in names
                if name in counts
            },
        )
    yield from (theme_bars(edition, section, language) for section in SECTIONS)


def _days(period: Period) -> list[str]:
    count = (period.last_day - period.first_day).days + 1
    return [(period.first_day + timedelta(days=nth)).isoformat() for nth in range(count)]


def _by_day(entries: Iterable[LedgerEntry], labels: list[str], period: Period) -> list[int]:
    zone = zone_of(period.zone)
    counts = Counter(to_datetime(entry.at).astimezone(zone).date().isoformat() for entry in entries)
    return [counts[label] for label in labels]


def _evidence(writer: Told) -> Iterator[Block]:
    edition, words = writer.edition, writer.words
    report, parts = edition.report, edition.reconciliation
    lists = {
        words.parts["told"]: parts.told,
        words.parts["twins"]: parts.twins,
        **{words.classes[kind]: numbers for kind, numbers in parts.excluded.items()},
        words.parts["not_told"]: parts.not_told,
    }
    folds = [
        writer.fold(name, [", ".join(f"#{number}" for number in numbers)], len(numbers))
        for name, numbers in lists.items()
        if numbers
    ]
    if report.coverage:
        says = [doubt.says for doubt in report.coverage]
        folds.append(writer.fold(words.coverage, says, len(says)))
    folds += writer.quotations()
    for name in told_counts(report.counts):
        meaning = DEFINITIONS[name]
        value = figure(report.counts[name], report.quality[name], words)
        folds.append(Fold(f"{words.count_names[name]}: {value}", (Paragraph(meaning),)))
    yield Headed(words.evidence, tuple(folds))
    yield Footer(
        f"T {rfc3339(report.as_of)}, K {rfc3339(report.known_at)}; {report.exclusions.digest[:12]}"
    )
