"""A release edition as a row of blocks, like that of a period (`services.editions.render.blocks`).

Only what was delivered is told: work in progress belongs to no release.
"""

from collections.abc import Iterator

from events.facts.editions import Language
from services.editions.edition import Edition, EditionTheme, Line, ToldChange
from services.editions.question import Shape
from services.editions.releases import wording
from services.editions.releases.content import DOUBTFUL, ReleaseContent
from services.editions.releases.words import RELEASE_WORDS
from services.editions.render.block import Block, Kind, Span
from services.editions.render.blocks import by_model, left_over
from services.editions.render.figures import excluded_line
from services.editions.render.notes import notes
from services.editions.words import WORDS
from services.reports.wording import title


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
    yield _foreign("title", heading)
    yield _block("author", edition.author)
    yield _foreign("title", heading)
    yield _foreign("paragraph", wording.releases_line(edition, content, language))
    yield _block("section", words.overview)
    yield Block(kind="paragraph", spans=(_span(edition.overview[language]),))
    yield _block("bullet", wording.count_line(content, language))
    yield _block("bullet", excluded_line(edition.report, language))
    yield _block("bullet", wording.reconciliation_line(edition, language))
    yield from _delivered(edition, content, language, shape, noted=noted)
    yield from _doubtful(content, language)
    yield _block("section", words.method)
    yield _foreign("paragraph", wording.method_text(content, language))
    yield from by_model(edition, language)
    yield _foreign("paragraph", wording.relation_line(content, language))
    for note in content.notes:
        yield _foreign("paragraph", note)
    yield from _limits(content, language)
    yield from left_over(edition, language)


def _delivered(
    edition: Edition, content: ReleaseContent, language: Language, shape: Shape, *, noted: bool
) -> Iterator[Block]:
    yield _block("section", WORDS[language].sections["delivered"])
    if not content.rows:
        empty = RELEASE_WORDS[language].empty.format(first=content.first.name)
        yield _foreign("paragraph", empty)
    for theme in edition.of("delivered"):
        yield Block(kind="theme", spans=((theme.names[language], True),))
        yield Block(kind="paragraph", spans=(_span(theme.summary[language]),))
        if noted:
            yield from notes(theme, language)
        for change in theme.changes:
            spans = tuple(_bullet(content, change, language, shape))
            yield Block(kind="bullet", spans=spans)
        if shape == "seed":
            yield Block(kind="related", spans=tuple(_related(content, theme, language)))


def _bullet(
    content: ReleaseContent, change: ToldChange, language: Language, shape: Shape
) -> Iterator[Span]:
    yield _span(change.bullets[language])
    said = wording.told_as(content, change, language)
    if said:
        yield f" — {said}", True
    for remark in wording.remarks_of(content, change, language):
        yield f" {remark}", True
    if shape == "inline":
        for number in (change.lead, *change.told.group.twins):
            yield f" {wording.mark(content, change, number, language)}", True


def _related(content: ReleaseContent, theme: EditionTheme, language: Language) -> Iterator[Span]:
    """Numbers that the release brings stand alone; the others carry their mark."""
    yield WORDS[language].related, False
    by_number = {number: change for change in theme.changes for number in change.numbers}
    for place, number in enumerate(sorted(by_number)):
        yield (", " if place else ""), False
        change = by_number[number]
        plain = number in change.plain
        shown = f"#{number}" if plain else wording.mark(content, change, number, language)
        yield shown, not plain


def _doubtful(content: ReleaseContent, language: Language) -> Iterator[Block]:
    """Name what is not plainly delivered, each request with its reason."""
    if not any(content.doubtful.values()):
        return
    yield _block("section", RELEASE_WORDS[language].doubtful)
    for why in DOUBTFUL:
        for row in content.doubtful[why]:
            said = wording.reason(content, why, row, language)
            yield _foreign("bullet", f"#{row.number} {title(row.attributes)} — {said}")


def _limits(content: ReleaseContent, language: Language) -> Iterator[Block]:
    missing = len(content.page.missing)
    if missing:
        says = RELEASE_WORDS[language].incomplete.format(count=f"{missing:,}")
        yield _block("paragraph", says)


def _span(line: Line) -> Span:
    return line.text, line.origin != "person"


def _block(kind: Kind, text: str) -> Block:
    return Block(kind=kind, spans=((text, False),))


def _foreign(kind: Kind, text: str) -> Block:
    """Make a block in which words from outside stand: tags, titles, names."""
    return Block(kind=kind, spans=((text, True),))
