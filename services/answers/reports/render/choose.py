"""The formats by name."""

from collections.abc import Callable, Mapping
from typing import Final

from events.errors import InvalidQuestion
from services.answers.reports.assemble import Report
from services.answers.reports.render import csv_rows, html_page, json_document, markdown

#: Name -> (media type, renderer).
FORMATS: Final[Mapping[str, tuple[str, Callable[[Report], str]]]] = {
    "md": ("text/markdown; charset=utf-8", markdown.render),
    "json": ("application/json", json_document.render),
    "html": ("text/html; charset=utf-8", html_page.render),
    "csv": ("text/csv; charset=utf-8", csv_rows.render),
}


def render(report: Report, name: str) -> str:
    """Render a report; raise InvalidQuestion for a format that does not exist."""
    if name not in FORMATS:
        raise InvalidQuestion(f"unknown format {name!r}; there are: {', '.join(FORMATS)}")
    return FORMATS[name][1](report)
