"""A release edition as a document.

Only what was delivered is told: work in progress belongs to no release.
"""

from collections.abc import Iterator

from events.facts.editions import Language
from services.answers.editions.document import theme_bars
from services.answers.editions.edition import Edition, ToldChange
from services.answers.editions.figures import excluded_line
from services.answers.editions.parts import Told
from services.answers.editions.release_content import DOUBTFUL, ReleaseContent
from services.answers.editions.releases import wording
from services.answers.editions.releases.words import RELEASE_WORDS
from services.answers.editions.words import WORDS
from services.answers.questions.question import Shape
from services.answers.releases.wording import short
from services.answers.reports.wording import rfc3339, title
from services.documents.model import Block, Document, Footer, List, OnPage, Paragraph, Section


def release_document(
    edition: Edition,
    content: ReleaseContent,
    language: Language,
    shape: Shape,
    *,
    noted: bool = False,
) -> Document:
    """Write a release edition in a language and a shape; `noted`: with notes for its writer."""
    writer = Told(
        edition,
        language,
        shape,
        mark=lambda change, number: wording.mark(content, change, number, language),
        remark=lambda change: _remark(content, change, language),
        noted=noted,
    )
    counts = (
        wording.count_line(content, language),
        excluded_line(edition.report, language),
        wording.reconciliation_line(edition, language),
    )
    return Document(
        title=wording.heading(edition, content, language),
        byline=edition.author,
        language=language,
        blocks=(
            writer.line(wording.releases_line(edition, content, language)),
            writer.overview(counts),
            _delivered(writer, content),
            *_doubtful(writer, content),
            Section(WORDS[language].method, tuple(_method(writer, content))),
            *writer.left_over(),
            OnPage((theme_bars(edition, "delivered", language), *_evidence(writer, content))),
        ),
    )


def _delivered(writer: Told, content: ReleaseContent) -> Section:
    blocks: list[Block] = []
    if not content.rows:
        empty = RELEASE_WORDS[writer.language].empty.format(first=content.first.name)
        blocks.append(writer.line(empty))
    blocks += map(writer.theme, writer.edition.of("delivered"))
    return Section(writer.words.sections["delivered"], tuple(blocks))


def _remark(content: ReleaseContent, change: ToldChange, language: Language) -> str:
    telling = wording.told_as(content, change, language)
    words = f" — {telling}" if telling else ""
    return words + "".join(f" {remark}" for remark in wording.remarks_of(content, change, language))


def _doubtful(writer: Told, content: ReleaseContent) -> Iterator[Section]:
    """Name what is not plainly delivered, each request with its reason."""
    lines = [
        f"#{row.number} {title(row.attributes)} — "
        f"{wording.reason(content, why, row, writer.language)}"
        for why in DOUBTFUL
        for row in content.doubtful[why]
    ]
    if lines:
        heading = RELEASE_WORDS[writer.language].doubtful
        yield Section(heading, (List(tuple(map(writer.text, lines))),))


def _method(writer: Told, content: ReleaseContent) -> Iterator[Paragraph]:
    yield writer.line(wording.method_text(content, writer.language))
    yield from writer.by_model()
    yield writer.line(wording.relation_line(content, writer.language))
    yield from map(writer.line, content.notes)
    missing = len(content.page.missing)
    if missing:
        yield writer.line(RELEASE_WORDS[writer.language].incomplete.format(count=f"{missing:,}"))


def _evidence(writer: Told, content: ReleaseContent) -> Iterator[Block]:
    report = writer.edition.report
    folds: list[Block] = [writer.line(wording.reconciliation_line(writer.edition, writer.language))]
    folds += (
        writer.fold(name, lines, len(lines)) for name, lines in _lists(writer, content) if lines
    )
    folds += writer.quotations()
    yield Section(writer.words.evidence, tuple(folds))
    yield Footer(
        f"T {rfc3339(report.as_of)}, K {rfc3339(report.known_at)}; "
        f"{content.first.commit} … {content.second.commit}; {report.exclusions.digest[:12]}"
    )


def _lists(writer: Told, content: ReleaseContent) -> Iterator[tuple[str, list[str]]]:
    words, ours, parts = writer.words, RELEASE_WORDS[writer.language], writer.edition.reconciliation
    numbered = {
        words.parts["told"]: parts.told,
        words.parts["twins"]: parts.twins,
        **{words.classes[kind]: numbers for kind, numbers in parts.excluded.items()},
        words.parts["not_told"]: parts.not_told,
    }
    for name, numbers in numbered.items():
        yield name, [_brought(writer, content, number) for number in numbers]
    for why in DOUBTFUL:
        rows = content.doubtful[why]
        reasons = (wording.reason(content, why, row, writer.language) for row in rows)
        lines = [f"#{row.number}: {text}" for row, text in zip(rows, reasons, strict=True)]
        yield ours.parts[why], lines
    yield (
        ours.carriers,
        [
            f"#{row.number}: {words.separator.join(f'#{number}' for number in row.brings)}"
            for row in content.page.carriers
        ],
    )
    yield (
        ours.unattributed,
        [f"{short(commit.sha)} {commit.subject}" for commit in content.page.unattributed],
    )


def _brought(writer: Told, content: ReleaseContent, number: int) -> str:
    remarks = wording.remarks(content, number, writer.language)
    separator = RELEASE_WORDS[writer.language].separator
    return f"#{number}" + (f": {separator.join(remarks)}" if remarks else "")
