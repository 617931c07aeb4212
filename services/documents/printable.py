"""Text from outside without what acts on a terminal or turns its order around. Pure."""

import re
from typing import Final

#: Control characters (C0 but for tab and newline, DEL, C1) and those that change the direction of
#: writing: https://www.unicode.org/reports/tr36/#Bidirectional_Text_Spoofing
_ACTING: Final = re.compile(
    "[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]"
)


def printable(text: str) -> str:
    """Return a text in which each such character is `\ufffd`."""
    return _ACTING.sub("\ufffd", text)
