"""Documents as Markdown (GitHub's dialect). What would be markup in a text is escaped here only.

A bracketed text is a link where `(` follows it, or where the document defines what it refers to.
Nothing here writes a definition, and none comes of a text: one begins a line with a bracket, and
has `]:` in it, also in what would be a code span. So `[main #12, open]` stands as it is.
"""

import re
from collections.abc import Callable, Iterator
from typing import Final

from services.documents.model import (
    Block,
    Code,
    Document,
    Footer,
    Inline,
    Link,
    List,
    Note,
    Paragraph,
    Quotation,
    Section,
    Strong,
    Table,
    Text,
    nested,
    pieces,
    printed,
)
from services.documents.printable import printable

#: An underscore between letters or digits is itself: https://spec.commonmark.org/0.31.2/#rule-2
_SPECIAL: Final = re.compile(r"([\\`*<>|~]|\](?=[(\[])|(?<![^\W_])_|_(?![^\W_])|&(?=#?\w+;))")
#: What would begin a heading, a list or a rule where a line begins with it: `#`, `-`, `+`, `1.`;
#: and GitHub's own: the box of a task (`[ ]`, `[x]`), an alert (`[!NOTE]`), a footnote (`[^1]`).
_OPENING: Final = re.compile(
    r"^(|\d{1,9})(#{1,6}(?=\s|$)|[-+]+(?=\s|$)|(?<=\d)[.)](?=\s|$)|\[(?=[\sxX]?\]|[!^]|.*\]:))"
)
#: What would end a heading without being part of it.
_CLOSING: Final = re.compile(r"(?<=\s)(?=#++$)")
_TICKS: Final = re.compile(r"`+")


def render(document: Document) -> str:
    """Write a document; the title is its first heading."""
    lines = [f"# {inline(document.title)}", ""]
    if document.byline is not None:
        lines += [inline(document.byline), ""]
    if document.lead is not None:
        lines += [inline(document.lead), ""]
    for block in _joined(document.blocks, 2):
        lines += [*block, ""]
    return "\n".join(lines[:-1]) + "\n"


def escape(text: str) -> str:
    """Make text from outside mean itself in Markdown, and mention nobody."""
    return _SPECIAL.sub(r"\\\1", printable(text)).replace("@", "@\u2060")


def inline(text: Text) -> str:
    """Write a text on one line, in which nothing is markup."""
    return _line("".join(_written(text, _piece)))


def _written(text: Text, write: Callable[[Inline], str]) -> Iterator[str]:
    """Yield the pieces of a text; what the next one begins with makes no link of a bracket."""
    *before, last = pieces(text) or ("",)
    for piece in before:
        written = write(piece)
        yield f"{written[:-1]}\\]" if _is_open(piece, written) else written
    yield write(last)


def _is_open(piece: Inline, written: str) -> bool:
    return isinstance(piece, str | Link) and written.endswith("]")


def _line(written: str) -> str:
    return _CLOSING.sub(r"\\", _OPENING.sub(r"\1\\\2", " ".join(written.split())))


def _piece(piece: Inline) -> str:
    if isinstance(piece, str):
        return escape(piece)
    if isinstance(piece, Strong):
        return f"**{escape(piece.text)}**"
    return code(piece.text) if isinstance(piece, Code) else escape(piece.text)


def code(text: str) -> str:
    """Write a code span, whatever the text holds: the fence is longer than any run inside it.

    There is none of nothing.
    """
    text = " ".join(printable(text).split())
    if not text:
        return ""
    fence = "`" * (max(map(len, _TICKS.findall(text)), default=0) + 1)
    edge = " " if text.startswith("`") or text.endswith("`") else ""
    return f"{fence}{edge}{text}{edge}{fence}"


def _joined(blocks: tuple[Block, ...], level: int) -> Iterator[list[str]]:
    for block in printed(blocks):
        if isinstance(block, Section):
            yield [f"{'#' * level} {inline(block.title)}"]
            yield from _joined(block.blocks, level + 1)
        else:
            lines = list(_lines(block))
            if lines:
                yield lines


def _lines(block: Block) -> Iterator[str]:
    match block:
        case Paragraph(text):
            yield inline(text)
        case Quotation(text):
            yield f"> {inline(text)}"
        case List(items):
            for item in map(nested, items):
                yield f"- {inline(item.text)}"
                yield from (f"  - {inline(text)}" for text in item.below)
        case Note(text, quotations):
            yield f"> {inline(text)}"
            yield from (f"> - {inline(quotation)}" for quotation in quotations)
        case Table():
            yield from _table(block)
        case Footer(text):
            yield from ("---", "", inline(text))


def _table(table: Table) -> Iterator[str]:
    yield _row(column.name for column in table.columns)
    yield f"|{'|'.join('---:' if column.number else '---' for column in table.columns)}|"
    yield from (_row(row) for row in table.rows)


def _row(cells: "Iterator[Text] | tuple[Text, ...]") -> str:
    return f"| {' | '.join(map(_cell, cells))} |"


def _cell(text: Text) -> str:
    """Write a text in a cell: there a bar ends also a code span, unless it is escaped.

    https://github.github.com/gfm/#example-200
    """
    return _line("".join(_written(text, _piece_of_cell)))


def _piece_of_cell(piece: Inline) -> str:
    written = _piece(piece)
    return written.replace("|", "\\|") if isinstance(piece, Code) else written
