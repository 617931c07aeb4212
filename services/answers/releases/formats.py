"""The formats of answers about releases by name: JSON, Markdown, HTML."""

import json
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Final, Generic, TypeVar
from urllib.parse import quote

from events.errors import InvalidQuestion
from services.answers.releases import documents, markdown, release_documents
from services.answers.releases.inclusion import Everywhere
from services.answers.releases.listing import Listing
from services.answers.releases.release_page import ReleasePage
from services.answers.reports.render.html_page import page

#: Name -> media type.
MEDIA: Final = {
    "json": "application/json",
    "md": "text/markdown; charset=utf-8",
    "html": "text/html; charset=utf-8",
}

T = TypeVar("T", Listing, ReleasePage, Everywhere)


@dataclass(frozen=True, slots=True)
class _Shapes(Generic[T]):
    document: Callable[[T], dict[str, Any]]
    text: Callable[[T, str | None], str]
    heading: Callable[[T], str]


_LISTING: Final = _Shapes(release_documents.listing, markdown.listing, markdown.heading_of_listing)
_PAGE: Final = _Shapes(
    release_documents.release_page, markdown.release_page, markdown.heading_of_page
)
_REQUEST: Final = _Shapes(documents.everywhere, markdown.everywhere, markdown.heading_of_request)


def check(form: str) -> None:
    """Raise InvalidQuestion for a format that does not exist."""
    if form not in MEDIA:
        raise InvalidQuestion(f"unknown format {form!r}; there are: {', '.join(MEDIA)}")


def render_listing(found: Listing, form: str) -> str:
    """Render all releases."""
    return _render(_LISTING, found, form)


def render_page(found: ReleasePage, form: str) -> str:
    """Render one release."""
    return _render(_PAGE, found, form)


def render_request(found: Everywhere, form: str) -> str:
    """Render where one request is."""
    return _render(_REQUEST, found, form)


def _render(shapes: _Shapes[T], found: T, form: str) -> str:
    check(form)
    if form == "json":
        return json.dumps(shapes.document(found), ensure_ascii=False, indent=2) + "\n"
    if form == "md":
        return shapes.text(found, None)
    base = quote(f"/v1/repositories/{found.asked.full_name}")
    return page(shapes.heading(found), shapes.text(found, base))
