"""Editions as Markdown (GitHub's dialect)."""

from collections.abc import Mapping
from typing import Final

from services.editions.render.block import Block, Kind, together
from services.reports.render.markdown import escape

_BEFORE: Final[Mapping[Kind, str]] = {
    "title": "# ",
    "section": "## ",
    "theme": "### ",
    "note": "> ",
    "quotation": "> - ",
    "bullet": "- ",
}


def render(found: list[Block]) -> str:
    """Write blocks; the title stands once, as the heading.

    What came from outside is escaped. What a person wrote is taken as the Markdown it is.
    """
    lines: list[str] = []
    kinds: list[Kind] = []
    for block in found:
        if block.kind == "title" and "title" in kinds:
            continue
        if kinds and not together(kinds[-1], block.kind):
            lines.append("")
        lines.append(_BEFORE.get(block.kind, "") + inline(block))
        kinds.append(block.kind)
    return "\n".join(lines) + "\n"


def inline(block: Block) -> str:
    """Write the text of a block on one line."""
    text = "".join(escape(text) if outside else text for text, outside in block.spans)
    return " ".join(text.split())
