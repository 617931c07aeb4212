"""The one door from a commit's message to all that it mentions."""

import re
from collections.abc import Iterator
from typing import Final

from projections.release_inclusion.messages.mention import Mention, Role
from projections.release_inclusion.messages.picks import inner_subject, read_picks
from projections.release_inclusion.messages.references import Names
from projections.release_inclusion.messages.reverts import read_reverts

# One cheap look spares the templates for the many commits that mention nothing.
_TELLING: Final = re.compile(
    r"revert|cherry|backport|mergify|upstream|\bcp\b|\bcopy #"
    r"|re-?(?:appl|land|add)|replay|restor|reinstat|pick|undo"
    r"|back(?:s|ed|ing)?[ -]?out|roll(?:s|ed|ing)?[ -]?back",
    re.IGNORECASE,
)

# No template is longer; a hostile subject costs no more than a long one.
LONGEST_SUBJECT: Final = 1000
"""Characters of a subject that are read."""
LONGEST_MESSAGE: Final = 200_000
"""Characters of a message that are read: a squash of thousands of commits is shorter."""
# No template has more white space at one place. Templates begin and end with any, and each would
# go through a long run once from each of its places.
_LONG_RUN: Final = re.compile(r"(?<!\s)(\s{8})\s++")


def read_mentions(subject: str, message: str, names: Names) -> tuple[Mention, ...]:
    """Return what a commit says that it picks, reverts or restores, each target once.

    `names` are the repository's own, former ones included; without them no `owner/name#12` is
    taken. A pick of a revert is both: ``cp: `Revert "x (#1)" (2)` into `b` `` picks #2 and
    reverts #1 on the branch that it lands on.
    """
    subject = readable(subject.strip()[:LONGEST_SUBJECT])
    message = readable(message[:LONGEST_MESSAGE])
    if not (_TELLING.search(subject) or _TELLING.search(message)):
        return ()
    mentions = [*read_picks(subject, message, names), *_reverts(subject, message, names)]
    return tuple(dict.fromkeys(mentions))


def readable(text: str) -> str:
    """Return a text with no more than eight white-space characters in a row."""
    return _LONG_RUN.sub(r"\1", text)


def _reverts(subject: str, message: str, names: Names) -> Iterator[Mention]:
    spoken = tuple(read_reverts(subject, message, names))
    yield from spoken
    inner = inner_subject(subject)
    if inner and not any(mention.role is Role.REVERT for mention in spoken):
        yield from read_reverts(inner, "", names)
