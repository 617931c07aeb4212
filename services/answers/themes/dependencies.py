"""Which requests only raise a dependency: told as one theme, last, whoever made them. Pure.

Known are the titles of Dependabot, Renovate and the like, and of people who do by hand what these
do. Raising the project's own version is no such thing, and neither is a setting that was raised.
"""

import re
from typing import Final

from projections.period_ledger.themes import ThemeRequest
from services.answers.themes.words import BRANCH_TAG

#: GitHub's longest title; what is beyond it is not looked at.
_LONGEST: Final = 256
_BOT: Final = re.compile(r"(?:app/)?(?:dependabot|depbot|renovate|pyup|snyk|greenkeeper)\b", re.I)
_LABELS: Final = frozenset(("dependencies", "dependency", "deps", "dependency-update", "renovate"))
_TAG: Final = re.compile(r"\[[^\]]*\]\s*")
_PREFIX: Final = re.compile(r"[\w./-]{0,60}\s*(?:\([^)]*\))?!?:\s*")
_SCOPE: Final = re.compile(r"\b(?:deps|dependency|dependencies)\b", re.I)
_VERB: Final = re.compile(
    r"(?:auto)?(?:bump|update|upgrade|downgrade|pin|unpin|refresh|roll)(?:s|d|ed|ing)?\s+", re.I
)
_VERSION: Final = r"(?:v\d[\w.+-]*|\d+(?:\.[\w+-]+)+|[0-9a-f]{7,40})"
_RAISED: Final = re.compile(
    rf"(?P<what>(?:\S++\s++)+?)(?:from\s++\S++\s++)?to\s++[`'\"]?{_VERSION}\b", re.I
)
#: A package by its path may go without a dot in its version, or without a `to`.
_PACKAGE: Final = re.compile(
    rf"(?=[^\s/@]*+[/@])\S++\s++(?:from\s++v?\d\S*+\s++to\s++v?\d|(?:to\s++)?{_VERSION}(?:\s|$))",
    re.I,
)
_KIND: Final = re.compile(
    r"(?:\S++\s++){0,3}(?:dependencies|deps|lock\s?files?)\b"
    r"|(?:\S++\s++){0,2}dependency\s++\S++\s++(?:to|from)\s"
    r"|(?:\S++\s++){1,5}group\s++(?:with\s++\d|across\s++\d|in\s)"
    r"|all\s++.*\bpackages\b",
    re.I,
)
_WHOLE: Final = re.compile(r"lock\s?file maintenance\b|pre-commit autoupdate\b", re.I)
#: A version of one's own, and what is no package: `Bump version to 1.2.0`.
_OWN: Final = re.compile(
    r"\b(?:versions?|releases?|changelog|copyright|docs?|documentation|readme|default|limit|"
    r"timeout|threshold|tolerance)\b",
    re.I,
)


def raises_dependency(request: ThemeRequest) -> bool:
    """Tell whether a request only raises what the project is built on."""
    if request.author is not None and _BOT.match(request.author):
        return True
    rest, scoped = _stripped(request.title[:_LONGEST])
    verb = _VERB.match(rest)
    if verb is None:
        return _WHOLE.match(rest) is not None
    labelled = any(label.lower() in _LABELS for label in request.labels)
    return scoped or labelled or _names_one(rest[verb.end() :])


def _stripped(title: str) -> tuple[str, bool]:
    """Return a title without its tags and its prefix, and whether these name dependencies."""
    rest, scoped = BRANCH_TAG.sub("", title).strip(), False
    while tag := _TAG.match(rest):
        scoped = scoped or _SCOPE.search(tag[0]) is not None
        rest = rest[tag.end() :]
    if prefix := _PREFIX.match(rest):
        scoped = scoped or _SCOPE.search(prefix[0]) is not None
        rest = rest[prefix.end() :]
    return rest, scoped


def _names_one(rest: str) -> bool:
    if _KIND.match(rest) or _PACKAGE.match(rest):
        return True
    raised = _RAISED.match(rest)
    return raised is not None and not _OWN.search(raised["what"].rstrip())
