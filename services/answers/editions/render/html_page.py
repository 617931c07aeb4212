"""Editions as one self-contained page: no script, no outside part; all that is printed is escaped.

Numbers are links to their requests; each figure opens to its definition, and each part of the
reconciliation to its list.
"""

import re
from collections import Counter
from collections.abc import Iterable, Iterator
from datetime import timedelta
from html import escape
from importlib.resources import files
from typing import Final
from urllib.parse import quote

from events.facts.editions import Language
from events.identity import host_of
from events.instant import to_datetime
from projections.period_ledger.counting import DEFINITIONS, LedgerEntry
from services.answers.editions.edition import SECTIONS, Edition
from services.answers.editions.render.block import Block, Kind
from services.answers.editions.render.blocks import blocks
from services.answers.editions.render.figures import figure, heading
from services.answers.editions.render.notes import quotable
from services.answers.editions.words import WORDS
from services.answers.questions.period import Period
from services.answers.questions.question import Shape
from services.answers.reports.assemble import Report
from services.answers.reports.wording import rfc3339
from services.documents.charts import bars, days
from services.runtime.zones import zone_of

_TAGS: Final[dict[Kind, str]] = {
    "title": "h1",
    "author": "p",
    "section": "h2",
    "theme": "h3",
    "paragraph": "p",
    "bullet": "li",
    "related": "p",
}
_NUMBER: Final = re.compile(r"#(\d+)\b")
#: A chart by days is readable up to a quarter.
_MOST_DAYS: Final = 100


def render(edition: Edition, language: Language, shape: Shape) -> str:
    """Render an edition in a language."""
    title, author, _, *rest = blocks(edition, language, shape)  # the title stands once
    found = [title, author, *rest]
    parts = (*body(edition, found), *_charts(edition, language), *_evidence(edition, language))
    return page(language, heading(edition, language), parts)


def page(language: Language, title: str, parts: Iterable[str]) -> str:
    """Put the parts of a page into the template."""
    template = (
        files("services.answers.editions.render").joinpath("page.html").read_text(encoding="utf-8")
    )
    return (
        template.replace("{{language}}", "zh-CN" if language == "zh" else "en")
        .replace("{{title}}", escape(title))
        .replace("{{body}}", "\n".join(parts))
    )


def body(edition: Edition, found: Iterable[Block]) -> Iterator[str]:
    """Yield the blocks of an edition as elements."""
    inside = False
    for block in found:
        if inside != (block.kind == "bullet"):
            inside = block.kind == "bullet"
            yield "<ul>" if inside else "</ul>"
        tag = _TAGS[block.kind]
        text = linked(edition.report, block.text)
        yield f'<{tag} class="{block.kind}">{text}</{tag}>'
    if inside:
        yield "</ul>"


def linked(report: Report, text: str) -> str:
    """Escape a text and make its numbers links, where the repository's name is known."""
    base = f"https://{host_of(report.repo)}/{quote(report.full_name)}/pull/"
    return _NUMBER.sub(
        lambda match: f'<a href="{escape(base)}{match[1]}" rel="noreferrer">#{match[1]}</a>',
        # an escaped quote is `&#x27;`, which must not be taken for a number
        escape(text, quote=False),
    )


def _charts(edition: Edition, language: Language) -> Iterator[str]:
    report, words = edition.report, WORDS[language]
    counts = {name: value for name, value in report.counts.items() if value is not None}
    yield bars(
        words.chart_counts, {words.count_names[name]: value for name, value in counts.items()}
    )
    labels = _days(report.period)
    if 1 < len(labels) <= _MOST_DAYS:
        shown = ("opened", "merged", "closed_without_merge")
        yield days(
            words.chart_days,
            labels,
            {
                words.count_names[name]: _by_day(report.entries[name], labels, report.period)
                for name in shown
                if name in counts
            },
        )
    for section in SECTIONS:
        sizes = {theme.names[language]: len(theme.numbers) for theme in edition.of(section)}
        yield bars(f"{words.sections[section]}: {words.chart_themes}", sizes)


def _days(period: Period) -> list[str]:
    count = (period.last_day - period.first_day).days + 1
    return [(period.first_day + timedelta(days=nth)).isoformat() for nth in range(count)]


def _by_day(entries: Iterable[LedgerEntry], labels: list[str], period: Period) -> list[int]:
    zone = zone_of(period.zone)
    seen = Counter(to_datetime(one.at).astimezone(zone).date().isoformat() for one in entries)
    return [seen[label] for label in labels]


def _evidence(edition: Edition, language: Language) -> Iterator[str]:
    report, words, parts = edition.report, WORDS[language], edition.reconciliation
    yield f"<h2>{escape(words.evidence)}</h2>"
    lists = {
        words.parts["told"]: parts.told,
        words.parts["twins"]: parts.twins,
        **{words.classes[kind]: numbers for kind, numbers in parts.excluded.items()},
        words.parts["not_told"]: parts.not_told,
    }
    for name, numbers in lists.items():
        if numbers:
            listed = linked(report, ", ".join(f"#{number}" for number in numbers))
            yield details(f"{name} ({len(numbers):,})", f"<p>{listed}</p>")
    if report.coverage:
        said = "".join(f"<p>{escape(doubt.says)}</p>" for doubt in report.coverage)
        yield details(f"{words.coverage} ({len(report.coverage):,})", said)
    yield from quotations(edition, language)
    for name, meaning in DEFINITIONS.items():
        value = figure(report.counts[name], report.quality[name], words)
        yield details(f"{words.count_names[name]}: {value}", f"<p>{escape(meaning)}</p>")
    yield (
        f"<footer>T {rfc3339(report.as_of)}, K {rfc3339(report.known_at)}; "
        f"{escape(report.exclusions.digest[:12])}</footer>"
    )


def quotations(edition: Edition, language: Language) -> Iterator[str]:
    """Show what the requests themselves say in figures, exactly as it stands there."""
    words = WORDS[language]
    for theme in edition.themes:
        for change in theme.changes:
            found = [linked(edition.report, said) for said in quotable(change, words)]
            if found:
                numbers = ", ".join(f"#{number}" for number in change.made.numbers)
                shown = "".join(f"<blockquote>{said}</blockquote>" for said in found)
                yield details(words.quotable.format(numbers=numbers), shown)


def details(summary: str, inner: str) -> str:
    """Make a part that opens when it is asked for; `inner` is HTML."""
    return f"<details><summary>{escape(summary)}</summary>{inner}</details>"
