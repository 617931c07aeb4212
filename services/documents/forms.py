"""An answer in the forms in which it can be had, and the one place that prints any of them.

A format is imported when something is printed in it: who wants text waits for no template engine.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final, Literal

import msgspec

from events.errors import InvalidQuestion
from services.documents.terminal import PIPE, Terminal

if TYPE_CHECKING:
    from services.documents.csv import Sheet
    from services.documents.model import Document


@dataclass(frozen=True, slots=True, kw_only=True)
class Forms:
    """How an answer is told: each part is made only when a format needs it."""

    document: "Callable[[], Document] | None" = None
    """For people: Markdown, text, a page."""
    answer: Callable[[], msgspec.Struct] | None = None
    """For programs: JSON."""
    sheet: "Callable[[], Sheet] | None" = None
    """For spreadsheets: CSV."""


class Format(msgspec.Struct, frozen=True, kw_only=True):
    """A format: its media type, the part of `Forms` that it prints, and what prints that part."""

    media_type: str
    part: Literal["document", "answer", "sheet"]
    render: Callable[[Any, Terminal], str]


def _markdown(document: "Document", _: Terminal) -> str:
    from services.documents import markdown

    return markdown.render(document)


def _html(document: "Document", _: Terminal) -> str:
    from services.documents import html

    return html.render(document)


def _json(answer: msgspec.Struct, _: Terminal) -> str:
    from services.documents import json

    return json.render(answer)


def _csv(sheet: "Sheet", _: Terminal) -> str:
    from services.documents import csv

    return csv.render(sheet)


def _text(document: "Document", terminal: Terminal) -> str:
    from services.documents import text

    return text.render(document, terminal)


FORMATS: Final = {
    "md": Format(
        media_type="text/markdown; charset=utf-8",
        part="document",
        render=_markdown,
    ),
    "txt": Format(
        media_type="text/plain; charset=utf-8",
        part="document",
        render=_text,
    ),
    "html": Format(media_type="text/html; charset=utf-8", part="document", render=_html),
    "json": Format(media_type="application/json", part="answer", render=_json),
    "csv": Format(media_type="text/csv; charset=utf-8", part="sheet", render=_csv),
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
