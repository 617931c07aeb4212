"""An answer in the forms in which it can be had, and the one place that prints any of them."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Final, Literal

import msgspec

from events.errors import InvalidQuestion
from services.documents import csv, html, json, markdown, text
from services.documents.csv import Sheet
from services.documents.model import Document
from services.documents.text import PIPE, Terminal


@dataclass(frozen=True, slots=True, kw_only=True)
class Forms:
    """How an answer is told: each part is made only when a format needs it."""

    document: Callable[[], Document] | None = None
    """For people: Markdown, text, a page."""
    answer: Callable[[], msgspec.Struct] | None = None
    """For programs: JSON."""
    sheet: Callable[[], Sheet] | None = None
    """For spreadsheets: CSV."""


class Format(msgspec.Struct, frozen=True, kw_only=True):
    """A format: its media type, the part of `Forms` that it prints, and what prints that part."""

    media_type: str
    part: Literal["document", "answer", "sheet"]
    render: Callable[[Any, Terminal], str]


FORMATS: Final = {
    "md": Format(
        media_type="text/markdown; charset=utf-8",
        part="document",
        render=lambda document, _: markdown.render(document),
    ),
    "txt": Format(media_type="text/plain; charset=utf-8", part="document", render=text.render),
    "html": Format(
        media_type="text/html; charset=utf-8",
        part="document",
        render=lambda document, _: html.render(document),
    ),
    "json": Format(
        media_type="application/json",
        part="answer",
        render=lambda answer, _: json.render(answer),
    ),
    "csv": Format(
        media_type="text/csv; charset=utf-8",
        part="sheet",
        render=lambda sheet, _: csv.render(sheet),
    ),
}
MEDIA_TYPES: Final = {name: each.media_type for name, each in FORMATS.items()}
SHEET_FORMS: Final = tuple(FORMATS)
"""The formats of an answer that is a sheet too: all."""
ANSWER_FORMS: Final = tuple(name for name, each in FORMATS.items() if each.part != "sheet")
"""The formats of every other answer."""


def render(forms: Forms, form: str, terminal: Terminal = PIPE) -> str:
    """Print an answer; raise InvalidQuestion for a format that it does not have."""
    check_form(form, tuple(name for name, each in FORMATS.items() if getattr(forms, each.part)))
    chosen = FORMATS[form]
    return chosen.render(getattr(forms, chosen.part)(), terminal)


def check_form(form: str, names: tuple[str, ...] = SHEET_FORMS) -> None:
    """Raise InvalidQuestion for a format that is not among those of an answer."""
    if form not in names:
        raise InvalidQuestion(f"unknown format {form!r}; there are: {', '.join(names)}")
