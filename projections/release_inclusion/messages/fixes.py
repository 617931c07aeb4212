"""Which earlier change does a commit say it fixes? Hints, each with its sentence; never verdicts.

Read are words that people write by habit (`Fix a regression introduced by #12`, `Follow-up to
#12`) and the trailer `Fixes: <commit>` of projects without requests. A number is this
repository's own; whether it is a request or an issue, the history knows.
"""

import re
from collections.abc import Iterator
from typing import Final

import msgspec

from projections.release_inclusion.messages.references import Names, numbers

_MOST_LINES: Final = 400
_LONGEST_LINE: Final = 400
_MOST_HINTS: Final = 8

#: One cheap look spares the pattern for the many messages that fix nothing that they name.
_MAY: Final = re.compile(r"(?:fix|regress|introduced|caused|broke|follow)", re.IGNORECASE)
_OBJECT: Final = (
    r"(?:(?:the|a|an|PRs?|MRs?|pull\s+requests?|commits?|changes?|merge\s+of)\s+){0,4}"
    r"(?:(?P<ref>(?:https?://\S{1,200}/pull/|[\w.-]{0,100}(?:/[\w.-]{1,100})?#)[0-9]{1,9})\b"
    r"|(?P<sha>[0-9a-f]{7,40})\b)"
)
_WORDS: Final = re.compile(
    r"\b(?:"
    r"(?:introduced|caused|broken|broke|regressed)\s+(?:by|in|with|from|since|after|through)"
    r"|regressions?\s+(?:of|from|in|by|after|since|due\s+to)"
    r"|follow(?:s|ing)?[- ]?up(?:\s+fix(?:es)?)?\s+(?:to|of|for|on|from)"
    # `fixed by #12` speaks of a fix, `fixed bugs of #12` of what is fixed
    r"|fix(?:es|ing|ups?|ed(?!\s+(?:by|in|with|as)\b))?"
    r"(?:\s+(?:for|of|to|up|from|after|bugs?|issues?|errors?|problems?)){0,2}"
    r"|(?:bug|hot)fix(?:es)?\s+(?:for|of|to)"
    rf")\s+{_OBJECT}",
    re.IGNORECASE,
)
_TRAILER: Final = re.compile(
    r"fixes:\s{0,8}(?:(?P<sha>[0-9a-f]{7,40})\b|(?P<ref>[\w./-]{0,200}#[0-9]{1,9})\b)",
    re.IGNORECASE,
)


class Fix(msgspec.Struct, frozen=True, kw_only=True):
    """A commit says that it mends what another change brought, named by number or commit."""

    sentence: str
    number: int | None = None
    sha: str | None = None


def read_fixes(subject: str, message: str, names: Names) -> tuple[Fix, ...]:
    """Return what a message says that it fixes, each target once, with the line that says so."""
    if not (_MAY.search(subject) or _MAY.search(message)):
        return ()
    found: dict[tuple[int | None, str | None], Fix] = {}
    for line in (subject, *message.splitlines()[:_MOST_LINES]):
        for fix in _of_line(" ".join(line[:_LONGEST_LINE].split()), names):
            found.setdefault((fix.number, fix.sha), fix)
        if len(found) >= _MOST_HINTS:
            break
    return tuple(found.values())


def _of_line(line: str, names: Names) -> Iterator[Fix]:
    if not _MAY.search(line):
        return
    trailer = _TRAILER.match(line)
    for match in [trailer] if trailer else _WORDS.finditer(line):
        sha = match["sha"]
        if sha and any(sign.isdigit() for sign in sha):
            yield Fix(sentence=line, sha=sha.lower())
        for number in numbers(match["ref"] or "", names):
            yield Fix(sentence=line, number=number)
