"""A release edition as a row of blocks, like that of a period
(`services.answers.editions.render.blocks`).

Only what was delivered is told: work in progress belongs to no release.
"""

from collections.abc import Iterator

from events.facts.editions import Language
from services.answers.editions.edition import Edition, EditionTheme, ToldChange
from services.answers.editions.releases import wording
from services.answers.editions.releases.content import DOUBTFUL, ReleaseContent
from services.answers.editions.releases.words import RELEASE_WORDS
from services.answers.editions.render.block import Block
from services.answers.editions.render.blocks import by_model, left_over
from services.answers.editions.render.figures import excluded_line
from services.answers.editions.render.notes import notes
from services.answers.editions.words import WORDS
from services.answers.questions.question import Shape
from services.answers.reports.wording import title


def release_blocks(
    edition: Edition,
    content: ReleaseContent,
    language: Language,
    shape: Shape,
    *,
    noted: bool = False,
) -> Iterator[Block]:
    """Yield a release edition in a language and a shape; `noted`: with notes for its writer."""
    words, heading = WORDS[language], wording.heading(edition, content, language)
    yield Block("title", heading)
    yield Block("author", edition.author)
    yield Block("title", heading)
    yield Block("paragraph", wording.releases_line(edition, content, language))
    yield Block("section", words.overview)
    yield Block("paragraph", edition.overview[language].text)
    yield Block("bullet", wording.count_line(content, language))
    yield Block("bullet", excluded_line(edition.report, language))
    yield Block("bullet", wording.reconciliation_line(edition, language))
    yield from _delivered(edition, content, language, shape, noted=noted)
    yield from _doubtful(content, language)
    yield Block("section", words.method)
    yield Block("paragraph", wording.method_text(content, language))
    yield from by_model(edition, language)
    yield Block("paragraph", wording.relation_line(content, language))
    for note in content.notes:
        yield Block("paragraph", note)
    yield from _limits(content, language)
    yield from left_over(edition, language)


def _delivered(
    edition: Edition, content: ReleaseContent, language: Language, shape: Shape, *, noted: bool
) -> Iterator[Block]:
    yield Block("section", WORDS[language].sections["delivered"])
    if not content.rows:
        empty = RELEASE_WORDS[language].empty.format(first=content.first.name)
        yield Block("paragraph", empty)
    for theme in edition.of("delivered"):
        yield Block("theme", theme.names[language])
        yield Block("paragraph", theme.summary[language].text)
        if noted:
            yield from notes(theme, language)
        for change in theme.changes:
            yield Block("bullet", "".join(_bullet(content, change, language, shape)))
        if shape == "seed":
            yield Block("related", "".join(_related(content, theme, language)))


def _bullet(
    content: ReleaseContent, change: ToldChange, language: Language, shape: Shape
) -> Iterator[str]:
    yield change.bullets[language].text
    said = wording.told_as(content, change, language)
    if said:
        yield f" — {said}"
    for remark in wording.remarks_of(content, change, language):
        yield f" {remark}"
    if shape == "inline":
        for number in (change.lead, *change.told.group.twins):
            yield f" {wording.mark(content, change, number, language)}"


def _related(content: ReleaseContent, theme: EditionTheme, language: Language) -> Iterator[str]:
    """Numbers that the release brings stand alone; the others carry their mark."""
    yield WORDS[language].related
    by_number = {number: change for change in theme.changes for number in change.numbers}
    for place, number in enumerate(sorted(by_number)):
        yield ", " if place else ""
        change = by_number[number]
        plain = number in change.plain
        yield f"#{number}" if plain else wording.mark(content, change, number, language)


def _doubtful(content: ReleaseContent, language: Language) -> Iterator[Block]:
    """Name what is not plainly delivered, each request with its reason."""
    if not any(content.doubtful.values()):
        return
    yield Block("section", RELEASE_WORDS[language].doubtful)
    for why in DOUBTFUL:
        for row in content.doubtful[why]:
            said = wording.reason(content, why, row, language)
            yield Block("bullet", f"#{row.number} {title(row.attributes)} — {said}")


def _limits(content: ReleaseContent, language: Language) -> Iterator[Block]:
    missing = len(content.page.missing)
    if missing:
        says = RELEASE_WORDS[language].incomplete.format(count=f"{missing:,}")
        yield Block("paragraph", says)
