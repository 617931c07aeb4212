"""The formats of editions by name."""

from typing import Final

from events.errors import InvalidQuestion
from events.facts.editions import Language
from services.answers.editions.edition import Edition
from services.answers.editions.releases.formats import render_release
from services.answers.editions.render import html_page, json_document, markdown, text
from services.answers.editions.render.blocks import blocks
from services.answers.questions.question import Shape
from services.answers.reports.render import csv_rows

#: Name -> media type. JSON and CSV hold all languages, or none.
FORMATS: Final[dict[str, str]] = {
    "md": "text/markdown; charset=utf-8",
    "txt": "text/plain; charset=utf-8",
    "html": "text/html; charset=utf-8",
    "json": "application/json",
    "csv": "text/csv; charset=utf-8",
}


def render(
    edition: Edition,
    form: str,
    language: Language = "en",
    shape: Shape = "seed",
    *,
    noted: bool = False,
) -> str:
    """Render an edition; raise InvalidQuestion for a format that does not exist.

    `noted`: Markdown and text come with notes for the writer, which are never published.
    """
    if edition.release is not None and form in FORMATS:
        return render_release(edition, edition.release, form, language, shape, noted=noted)
    match form:
        case "md":
            return markdown.render(list(blocks(edition, language, shape, noted=noted)))
        case "txt":
            return text.render(list(blocks(edition, language, shape, noted=noted)))
        case "html":
            return html_page.render(edition, language, shape)
        case "json":
            return json_document.render(edition)
        case "csv":
            return csv_rows.render(edition.report)
    raise InvalidQuestion(f"unknown format {form!r}; there are: {', '.join(FORMATS)}")
