"""Editions as Markdown (GitHub's dialect)."""

import re
from collections.abc import Mapping
from typing import Final

from services.answers.editions.render.block import Block, Kind, together
from services.answers.reports.render.markdown import escape

_BEFORE: Final[Mapping[Kind, str]] = {
    "title": "# ",
    "section": "## ",
    "theme": "### ",
    "note": "> ",
    "quotation": "> - ",
    "bullet": "- ",
}
#: What would begin a heading, a list or a rule where a line begins with it: `#`, `-`, `+`, `1.`.
_OPENING: Final = re.compile(r"^(|\d{1,9})(#{1,6}(?=\s|$)|[-+]+(?=\s|$)|(?<=\d)[.)](?=\s|$))")


def render(found: list[Block]) -> str:
    """Write blocks; the title stands once, as the heading.

    Every text is plain: titles, names, and what persons wrote mean themselves, as in every format.
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
    """Write the text of a block on one line, in which nothing is markup."""
    text = " ".join(block.text.split())
    return _OPENING.sub(r"\1\\\2", escape(text))
