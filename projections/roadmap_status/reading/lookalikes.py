"""What an author means as a task box and GitHub shows as text.

A space that is none inside (U+00A0, U+3000, nothing at all), brackets of other scripts, other
marks than `x`, escaped brackets, signs of boxes, and boxes behind what is no bullet (`-` and
U+3000, `•`). All patterns look at a bounded beginning of a line.
"""

# ruff: noqa: RUF001 -- characters that look like others are what this module is about

import re
from collections.abc import Iterator
from typing import Final

from projections.roadmap_status.boxes import Box

_BLANK: Final = r"(?:\s|&nbsp;|&#160;|[\u200b-\u200f\u2060\u2800\u3164\ufeff])"
_TICK: Final = r"[xXхХχΧｘＸ×╳☓✕✖✗✘✓✔✅☑☒❌√■●]\ufe0f?"
_INSIDE: Final = rf"{_BLANK}{{0,4}}(?:{_TICK}{_BLANK}{{0,4}})?"
_SQUARE: Final = rf"\\?\[{_INSIDE}\\?\](?![(\[:])"
_MARKED: Final = r"\[[yYvVoO*~/+>.?!–—-]\](?![(\[:])"
_OTHER: Final = rf"[［【〔〖⟦]{_INSIDE}[］】〕〗⟧]"
_ROUND: Final = rf"[(（{{](?:{_BLANK}{{1,4}}|{_BLANK}?{_TICK}{_BLANK}?)[)）}}](?![(\[])"
_EMPTY_SIGN: Final = "□▢■▣"
_PREFIX: Final = r"(?P<prefix>[*_~`]{0,3})"
_BULLET: Final = (
    r"(?:[-*+•·‣◦▪●○‒–—−－＊＋・∙]|[0-9０-９]{1,9}[.)．）、])"
    rf"{_BLANK}{{0,4}}"
)

#: GitHub's own box; what follows it is a space and text.
BOX: Final = re.compile(r"\[([ xX])\](?=[ \t\n]+\S)")
_NEARLY: Final = re.compile(
    rf"{_PREFIX}(?P<box>{_SQUARE}|{_MARKED}|{_OTHER}|{_ROUND}|[{_EMPTY_SIGN}]\ufe0f?)"
)
_SIGN: Final = re.compile(r"[*_~]{0,3}[☐☑☒⬜⬛🔲🔳◻◼🗹🗷]")
_LINE: Final = re.compile(
    rf"[ \t\u00a0\u3000]{{0,40}}[*_~]{{0,3}}(?:{_BULLET}[*_~`]{{0,3}}"
    rf"(?:{_SQUARE}|{_MARKED}|{_OTHER}|{_ROUND}|[{_EMPTY_SIGN}☐☑☒])"
    rf"|(?:{_SQUARE}|{_OTHER})(?={_BLANK}{{0,4}}[^\s])|[{_EMPTY_SIGN}☐☑☒]{_BLANK})"
)


def box_of(text: str) -> tuple[Box | None, str]:
    """Return the box that an entry begins with, and the entry's text without it."""
    match = BOX.match(text)
    if match:
        return (Box.OPEN if match[1] == " " else Box.TICKED), text[match.end() :].lstrip()
    match = _NEARLY.match(text)
    if not match:
        return None, text
    prefix, rest = match["prefix"], text[match.end() :]
    # "**[x]** thing": the emphasis is the box's; "~~[x] thing~~": it is the text's.
    if prefix and rest.startswith(prefix):
        return Box.MALFORMED, rest.removeprefix(prefix).lstrip()
    return Box.MALFORMED, prefix + rest.lstrip()


def begins_with_sign(text: str) -> bool:
    """Tell whether a text begins with a sign that shows a box; as a mark it keeps its meaning."""
    return _SIGN.match(text) is not None


def is_lookalike(cell: str) -> bool:
    """Tell whether the text of a table's cell is a box, and not one of the plain ones."""
    stripped = cell.strip()
    if stripped.lower() in ("", "[]", "[ ]", "[x]"):
        return False
    match = _NEARLY.fullmatch(stripped)
    return match is not None and stripped[:1] not in "({"


def lines_with_boxes(text: str) -> Iterator[int]:
    """Yield the lines of a paragraph, from 0, that begin with a box that GitHub shows as text."""
    for at, line in enumerate(text.split("\n")):
        if _LINE.match(line):
            yield at
