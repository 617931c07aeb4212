"""Numbers of requests inside a text as links. Pure."""

import re
from collections.abc import Iterator
from typing import Final

from services.documents.model import Inline, Link, Text

#: `&#35;` in a text is no number.
_NUMBER: Final = re.compile(r"(?<!&)#(\d+)\b")


def with_numbers(text: str, base: str) -> Text:
    """Return a text whose `#12` lead to `base` followed by the number."""
    parts = tuple(_parts(text, base))
    return text if parts == (text,) else parts


def _parts(text: str, base: str) -> Iterator[Inline]:
    end = 0
    for match in _NUMBER.finditer(text):
        if text[end : match.start()]:
            yield text[end : match.start()]
        yield Link(match[0], f"{base}{match[1]}")
        end = match.end()
    if text[end:] or not text:
        yield text[end:]
