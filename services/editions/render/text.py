"""Editions as plain text, in the shape of the published reports."""

from services.editions.render.blocks import Block


def render(found: list[Block]) -> str:
    """Write blocks with one empty line between them; bullets of one list stand together."""
    lines: list[str] = []
    for before, block in zip([None, *found], found, strict=False):
        together = before is not None and before.kind == block.kind == "bullet"
        if lines and not together:
            lines.append("")
        text = " ".join("".join(text for text, _ in block.spans).split())
        lines.append(f"• {text}" if block.kind == "bullet" else text)
    return "\n".join(lines) + "\n"
