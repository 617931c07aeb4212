"""An answer in the forms in which it can be had, and the one place that prints any of them."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

import msgspec

from events.errors import InvalidQuestion
from services.documents import csv, html, json, markdown, text
from services.documents.csv import Sheet
from services.documents.model import Document
from services.documents.text import PIPE, Terminal

#: Name of a format -> its media type.
MEDIA_TYPES: Final = {
    "md": "text/markdown; charset=utf-8",
    "txt": "text/plain; charset=utf-8",
    "html": "text/html; charset=utf-8",
    "json": "application/json",
    "csv": "text/csv; charset=utf-8",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Forms:
    """How an answer is told: each part is made only when a format needs it."""

    document: Callable[[], Document] | None = None
    """For people: Markdown, text, a page."""
    answer: Callable[[], msgspec.Struct] | None = None
    """For programs: JSON."""
    sheet: Callable[[], Sheet] | None = None
    """For spreadsheets: CSV."""


def render(forms: Forms, form: str, terminal: Terminal = PIPE) -> str:
    """Print an answer; raise InvalidQuestion for a format that it does not have."""
    if form == "json" and forms.answer is not None:
        return json.render(forms.answer())
    if form == "csv" and forms.sheet is not None:
        return csv.render(forms.sheet())
    if forms.document is not None:
        match form:
            case "md":
                return markdown.render(forms.document())
            case "html":
                return html.render(forms.document())
            case "txt":
                return text.render(forms.document(), terminal)
    there = (forms.document, forms.document, forms.document, forms.answer, forms.sheet)
    has = [name for name, part in zip(MEDIA_TYPES, there, strict=True) if part is not None]
    raise InvalidQuestion(f"unknown format {form!r}; there are: {', '.join(has)}")


def check_form(form: str, names: tuple[str, ...] = tuple(MEDIA_TYPES)) -> None:
    """Raise InvalidQuestion for a format that is not among those of an answer."""
    if form not in names:
        raise InvalidQuestion(f"unknown format {form!r}; there are: {', '.join(names)}")
