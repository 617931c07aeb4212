"""Which requests and issues does a commit say that it closes, in the words that GitHub reads?

The words say nothing of what a commit holds: `Fixes #43` names an issue as often as a request, and
a change that does without it. Only a request's head shows that the request came in.
"""

import re
from typing import Final

from projections.release_inclusion.messages.references import Names, numbers

_MAY: Final = re.compile(r"(?:clos|fix|resolv)", re.IGNORECASE)
_CLOSES: Final = re.compile(
    r"\b(?:close[sd]?|fix(?:e[sd])?|resolve[sd]?):?[ \t]{1,8}"
    r"((?:https?://\S{1,200}/pull/|[\w.-]{0,100}(?:/[\w.-]{1,100})?#)[0-9]{1,9})\b",
    re.IGNORECASE,
)
_LONGEST: Final = 20_000
"""Characters of a message that are read: words that close stand in its first or last lines."""
_MOST: Final = 20


def read_closed(subject: str, message: str, names: Names) -> tuple[int, ...]:
    """Return the numbers of this repository that a message says it closes, each once."""
    text = f"{subject}\n{message[:_LONGEST]}"
    if not _MAY.search(text):
        return ()
    named = (number for ref in _CLOSES.findall(text) for number in numbers(ref, names))
    return tuple(dict.fromkeys(named))[:_MOST]
