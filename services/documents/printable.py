"""Text from outside without what acts on a terminal, turns its order around, or hides. Pure."""

import re
from typing import Final

#: Control characters (C0 but for tab and newline, DEL, C1), line and paragraph separators, and what
#: changes the direction of writing:
#: https://www.unicode.org/reports/tr36/#Bidirectional_Text_Spoofing
ACTING: Final = re.compile(
    "[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]"
)
#: What nobody sees: with it, two names that differ look the same, and a word is not found.
_HIDDEN: Final = re.compile("[\u00ad\u180e\u200b-\u200d\u2060-\u2064\ufeff\U000e0000-\U000e007f]")


def printable(text: str) -> str:
    """Return a text in which what acts is `\ufffd`, and without what is hidden."""
    return text if text.isascii() and text.isprintable() else _changed(text)


def _changed(text: str) -> str:
    return _HIDDEN.sub("", ACTING.sub("\ufffd", text))
