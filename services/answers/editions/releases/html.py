"""Release editions as one self-contained page, like those of periods."""

from collections.abc import Iterator
from html import escape

from events.facts.editions import Language
from services.answers.editions.edition import Edition
from services.answers.editions.releases import wording
from services.answers.editions.releases.blocks import release_blocks
from services.answers.editions.releases.content import DOUBTFUL, ReleaseContent
from services.answers.editions.releases.words import RELEASE_WORDS
from services.answers.editions.render import html_page
from services.answers.editions.words import WORDS
from services.answers.questions.question import Shape
from services.answers.releases.wording import short
from services.answers.reports.wording import rfc3339
from services.documents.charts import bars


def render(edition: Edition, content: ReleaseContent, language: Language, shape: Shape) -> str:
    """Render a release edition in a language."""
    title, author, _, *rest = release_blocks(edition, content, language, shape)
    parts = (
        *html_page.body(edition, [title, author, *rest]),
        *_charts(edition, language),
        *_evidence(edition, content, language),
    )
    return html_page.page(language, wording.heading(edition, content, language), parts)


def _charts(edition: Edition, language: Language) -> Iterator[str]:
    words = WORDS[language]
    sizes = {theme.names[language]: len(theme.numbers) for theme in edition.of("delivered")}
    yield bars(f"{words.sections['delivered']}: {words.chart_themes}", sizes)


def _evidence(edition: Edition, content: ReleaseContent, language: Language) -> Iterator[str]:
    words, report = WORDS[language], edition.report
    yield f"<h2>{escape(words.evidence)}</h2>"
    yield f"<p>{escape(wording.reconciliation_line(edition, language))}</p>"
    for name, lines in _lists(edition, content, language):
        if lines:
            inner = "".join(f"<p>{html_page.linked(report, line)}</p>" for line in lines)
            yield html_page.details(f"{name} ({len(lines):,})", inner)
    yield from html_page.quotations(edition, language)
    yield (
        f"<footer>T {rfc3339(report.as_of)}, K {rfc3339(report.known_at)}; "
        f"{escape(content.first.commit)} … {escape(content.second.commit)}; "
        f"{escape(report.exclusions.digest[:12])}</footer>"
    )


def _lists(
    edition: Edition, content: ReleaseContent, language: Language
) -> Iterator[tuple[str, list[str]]]:
    words, ours, parts = WORDS[language], RELEASE_WORDS[language], edition.reconciliation
    yield words.parts["told"], [_brought(content, number, language) for number in parts.told]
    yield words.parts["twins"], [_brought(content, number, language) for number in parts.twins]
    for kind, numbers in parts.excluded.items():
        yield words.classes[kind], [_brought(content, number, language) for number in numbers]
    yield words.parts["not_told"], [_brought(content, n, language) for n in parts.not_told]
    for why in DOUBTFUL:
        rows = content.doubtful[why]
        said = (wording.reason(content, why, row, language) for row in rows)
        yield (
            ours.parts[why],
            [f"#{row.number}: {text}" for row, text in zip(rows, said, strict=True)],
        )
    yield (
        ours.carriers,
        [
            f"#{row.number}: {words.separator.join(f'#{number}' for number in row.brings)}"
            for row in content.page.carriers
        ],
    )
    yield (
        ours.unattributed,
        [f"{short(one.sha)} {one.subject}" for one in content.page.unattributed],
    )


def _brought(content: ReleaseContent, number: int, language: Language) -> str:
    said = wording.remarks(content, number, language)
    words = RELEASE_WORDS[language]
    return f"#{number}" + (f": {words.separator.join(said)}" if said else "")
