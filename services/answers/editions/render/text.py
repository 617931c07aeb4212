"""Editions as plain text, in the shape of the published reports."""

from collections.abc import Mapping
from typing import Final

from services.answers.editions.render.block import Block, Kind, together

_BEFORE: Final[Mapping[Kind, str]] = {"bullet": "• ", "note": "> ", "quotation": "> • "}


def render(found: list[Block]) -> str:
    """Write blocks with one empty line between them; bullets of one list stand together."""
    lines: list[str] = []
    for before, block in zip([None, *found], found, strict=False):
        if before is not None and not together(before.kind, block.kind):
            lines.append("")
        text = " ".join(block.text.split())
        lines.append(_BEFORE.get(block.kind, "") + text)
    return "\n".join(lines) + "\n"
