"""Text that notifies nobody and leaves no back-links when it is posted as an issue. Pure.

GitHub turns `@name`, `#12`, `GH-12`, `owner/name#12` and addresses of issues into mentions and
cross-references, each of which shows up elsewhere. A word joiner (U+2060), which nobody sees, keeps
each from being one; the text reads as before.
https://docs.github.com/en/get-started/writing-on-github/working-with-advanced-formatting/autolinked-references-and-urls
"""

import re
from typing import Final

JOINER: Final = "\u2060"
_ACTIVE: Final = (
    re.compile(r"(@)(?=[\w-])"),
    re.compile(r"(#)(?=\d)"),
    re.compile(r"(\bGH-)(?=\d)", re.IGNORECASE),
    re.compile(r"(\bhttps?:/)(?=/)", re.IGNORECASE),
    re.compile(r"(\bwww)(?=\.)", re.IGNORECASE),
)
#: A title may hold what only looks like our marker, or hides the rest of the text.
_COMMENT: Final = re.compile(r"<(?=!--)|(?<=--)>")


def neutral(text: str) -> str:
    """Return a text in which nothing is a mention, a reference or a comment."""
    for pattern in _ACTIVE:
        text = pattern.sub(rf"\1{JOINER}", text)
    return _COMMENT.sub(lambda match: f"{JOINER}{match[0]}{JOINER}", text)
