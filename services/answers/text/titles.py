"""Titles as bullets: what stands in them, without what only machines read. Pure."""

import re
from typing import Final

from projections.release_inclusion.messages.picks import inner_subject
from projections.release_inclusion.messages.references import without_trailing_number

_BRANCH: Final = re.compile(
    r"^\s*+[\[(]\s*+(?:dev|main|master|develop|release|backport\s++[^\])]*|core[\w.]*|[\d.]+x?)\s*+[\])]"
    r"\s*+[:-]?\s*+",
    re.IGNORECASE,
)
_TYPE: Final = re.compile(
    r"^(?:feat|feature|fix|bugfix|hotfix|perf|refactor|chore|build|docs?|style|test)"
    r"(?P<scope>\([^()]*\))?!?:\s*+",
    re.IGNORECASE,
)
_PICK_MARK: Final = re.compile(
    r"(?<!\s)\s*+[\[(](?:backport|copy|cherry[ -]?pick(?:ed)?)(?:\s++(?:of|from))?\s++#\d+[\])]"
    r"|^\[PR #\d+/[0-9a-f]{7,40} backport\](?:\[[^\]]*\])?\s*+",
    re.IGNORECASE,
)
_BARE_NUMBER: Final = re.compile(r"(?<!\s)\s*+\(#?\d+\)$")
_MOST_PARTS: Final = 40
"""Tags, types and numbers that are taken off one title: each look costs the title's length."""
_SPACES: Final = re.compile(r"\s++")


def clean_title(title: str) -> str:
    """Return a title without branch tags, commit types and appended numbers.

    Nothing is added, and nothing is taken out that says what the change is or how far it is: a
    scope stays as `scope: …`, and `draft`, `WIP` and the like are no tags.
    """
    text = _SPACES.sub(" ", title).strip()
    inner = inner_subject(text)
    if inner:
        text = _BARE_NUMBER.sub("", inner)  # in this template the picked request's own
    for _ in range(_MOST_PARTS):
        shorter = without_trailing_number(_PICK_MARK.sub("", _BRANCH.sub("", text)))
        match = _TYPE.match(shorter)
        if match:
            scope = (match["scope"] or "").strip("()")
            shorter = f"{scope}: {shorter[match.end() :]}" if scope else shorter[match.end() :]
        if shorter == text or not shorter.strip():
            break
        text = shorter.strip()
    return text[:1].upper() + text[1:] if text[:1].isascii() and _plain_word(text) else text


def _plain_word(text: str) -> bool:
    """Tell whether the first word is ordinary prose: `mHC` and `fp8_gemm` keep their letters."""
    word = next(iter(text.split(maxsplit=1)), "")
    return word.isalpha() and word.islower()
