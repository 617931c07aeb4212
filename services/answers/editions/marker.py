"""The hidden first line of a published issue: which edition it is, and what its text was. Pure.

It holds the digest of all that follows, so that a text that was edited by hand shows as such, also
to an installation that never saw the issue before.
"""

import re
from typing import Final

import msgspec

from events.errors import InvalidQuestion
from events.facts.editions import Language
from events.identity import RepositoryKey, body_digest, derived_id
from services.answers.questions.period import Period
from services.documents.neutral import neutral

_MARKER: Final = re.compile(r"\A<!-- shipledger edition ([0-9a-f]{32}) sha256 ([0-9a-f]{64}) -->\n")


class Marked(msgspec.Struct, frozen=True, kw_only=True):
    """What an issue's text says of itself; `untouched`: nobody has edited it."""

    edition: str
    text: str
    untouched: bool


def edition_id(
    repo: RepositoryKey,
    period: Period,
    language: Language,
    releases: tuple[str, str] | None = None,
) -> str:
    """Return the name of an edition: one issue for each repository, period and language; of an
    edition that tells what one release brings against another, for each pair of tags.
    """
    if releases is not None:
        return derived_id("release edition", repo, *releases, language)
    return derived_id("edition", repo, period.start, period.end, period.zone, language)


def marked(edition: str, text: str) -> str:
    """Return a text with its marker, without blanks around it, which a form may take away."""
    text = text.strip()
    return f"<!-- shipledger edition {edition} sha256 {body_digest(text.encode())} -->\n{text}"


def read_marked(body: str | None) -> Marked | None:
    """Read an issue's text; None where it was not published by Shipledger."""
    plain = (body or "").replace("\r\n", "\n")
    match = _MARKER.match(plain)
    if match is None:
        return None
    text = plain[match.end() :].strip()
    return Marked(edition=match[1], text=text, untouched=body_digest(text.encode()) == match[2])


#: https://docs.github.com/en/rest/issues/issues: GitHub answers 422 for a longer body or title.
MOST_CHARACTERS: Final = 65_536


def issue_text(edition: str, text: str) -> str:
    """Return the text of an issue: neutral, with its marker; raise InvalidQuestion if too long."""
    body = marked(edition, neutral(text))
    if len(body) > MOST_CHARACTERS:
        raise InvalidQuestion(
            f"the edition has {len(body):,} characters, and an issue takes {MOST_CHARACTERS:,}; "
            "hide changes, merge themes, or publish it as files with --out and link them"
        )
    return body
