"""The formats of a restatement by name."""

from collections.abc import Callable, Mapping
from typing import Final

from events.errors import InvalidQuestion
from services.audit.restatements import documents, markdown
from services.audit.restatements.restatement import Restatement

#: Name -> (media type, renderer).
FORMATS: Final[Mapping[str, tuple[str, Callable[[Restatement], str]]]] = {
    "json": ("application/json", documents.as_json),
    "md": ("text/markdown; charset=utf-8", markdown.render),
}


def render(found: Restatement, name: str) -> str:
    """Render a restatement; raise InvalidQuestion for a format that it does not have."""
    if name not in FORMATS:
        raise InvalidQuestion(f"a comparison has no format {name!r}; it has {', '.join(FORMATS)}")
    return FORMATS[name][1](found)
