"""The formats of release editions: the same names as those of periods."""

from events.facts.editions import Language
from services.answers.editions.edition import Edition
from services.answers.editions.releases import document, html, ledger_rows
from services.answers.editions.releases.blocks import release_blocks
from services.answers.editions.releases.content import ReleaseContent
from services.answers.editions.render import markdown, text
from services.answers.questions.question import Shape


def render_release(
    edition: Edition,
    content: ReleaseContent,
    form: str,
    language: Language,
    shape: Shape,
    *,
    noted: bool = False,
) -> str:
    """Render a release edition in a format of `services.answers.editions.formats`."""
    match form:
        case "json":
            return document.render(edition, content)
        case "csv":
            return ledger_rows.render(edition, content)
        case "html":
            return html.render(edition, content, language, shape)
    blocks = list(release_blocks(edition, content, language, shape, noted=noted))
    return markdown.render(blocks) if form == "md" else text.render(blocks)
