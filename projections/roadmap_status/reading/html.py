"""Raw HTML between the Markdown: collapsed blocks are followed, the rest is weak text at most."""

import re
from dataclasses import dataclass
from typing import Final

from projections.roadmap_status.reading.prose import Prose, plain_prose
from projections.roadmap_status.reading.references import Reader

_COMMENT: Final = re.compile(r"<!--.*?(?:-->|\Z)", re.S)
_CODE: Final = re.compile(r"<(pre|code|script|style)\b.*?(?:</\1\s*>|\Z)", re.S | re.I)
_DETAILS: Final = re.compile(r"<(/?)details\b[^>]*>", re.I)
_SUMMARY: Final = re.compile(r"<summary\b[^>]*>(.*?)(?:</summary\s*>|\Z)", re.S | re.I)
_TAG: Final = re.compile(r"</?[a-zA-Z][^<>]*>")


@dataclass(frozen=True, slots=True)
class RawHtml:
    """What a block of raw HTML means for the Markdown around it."""

    text: str
    """As shown: without tags, comments and code."""
    details: tuple[tuple[bool, str], ...]
    """(begins?, summary) of each collapsed block's tag, in order."""
    summary: str
    """A summary that stands apart from its block's tag."""

    def prose(self, reader: Reader) -> Prose:
        """Read the links in the text; GitHub makes them in raw HTML too."""
        return plain_prose(self.text, reader)


def read_html(content: str) -> RawHtml:
    """Read one block of raw HTML."""
    content = _CODE.sub("", _COMMENT.sub("", content))
    tags = list(_DETAILS.finditer(content))
    details = []
    for at, tag in enumerate(tags):
        end = tags[at + 1].start() if at + 1 < len(tags) else len(content)
        details.append((not tag[1], "" if tag[1] else _summary(content[tag.end() : end])))
    apart = "" if tags else _summary(content)
    text = _TAG.sub(" ", _SUMMARY.sub("", content))
    return RawHtml(text, tuple(details), apart)


def _summary(content: str) -> str:
    match = _SUMMARY.search(content)
    return " ".join(_TAG.sub(" ", match[1]).split()) if match else ""
