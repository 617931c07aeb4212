"""`themes suggest`: rules to paste into `shipledger.toml`, made from clusters.

A suggestion is a beginning: a person renames the theme and strikes what is too wide. Each line
says how many of the theme's requests it takes, and how many of all others.
"""

import json
import re
from collections import Counter
from collections.abc import Sequence
from typing import Final

import msgspec

from projections.period_ledger.themes import Theme, ThemeRequest, Themes
from services.themes.words import source_paths, title_terms

#: A suggested line takes at least so many of its theme, and this share of what it takes is right.
_FEWEST: Final = 2
_PRECISION: Final = 0.75
_LINES: Final = 4


class Suggestion(msgspec.Struct, frozen=True, kw_only=True):
    """One pattern of a rule, how many of its theme it takes, and how many others."""

    pattern: str
    takes: int
    others: int


def suggest(themes: Themes, requests: Sequence[ThemeRequest]) -> str:
    """Return TOML blocks `[[repositories.themes.rules]]` for the themes that clusters made."""
    blocks = [
        _block(theme, requests) for theme in themes.themes if theme.how != "rule" and theme.numbers
    ]
    return "\n".join(block for block in blocks if block)


def _block(theme: Theme, requests: Sequence[ThemeRequest]) -> str:
    inside = set(theme.numbers)
    titles = _chosen(
        [(term, one.number in inside) for one in requests for term in set(title_terms(one))]
    )
    paths = _chosen(
        [(folder, one.number in inside) for one in requests for folder in _folders(one)]
    )
    if not titles and not paths:
        return ""
    lines = ["[[repositories.themes.rules]]", f"name = {_quoted(theme.name)}"]
    lines += _array("titles", [(_pattern(one.pattern), one) for one in titles])
    lines += _array("paths", [(f"{one.pattern}/", one) for one in paths])
    return "\n".join(lines) + "\n"


def _chosen(seen: Sequence[tuple[str, bool]]) -> list[Suggestion]:
    takes, others = Counter[str](), Counter[str]()
    for pattern, right in seen:
        (takes if right else others)[pattern] += 1
    good = [
        Suggestion(pattern=pattern, takes=count, others=others[pattern])
        for pattern, count in takes.items()
        if count >= _FEWEST and count >= _PRECISION * (count + others[pattern])
    ]
    good.sort(key=lambda one: (-one.takes, one.others, len(one.pattern), one.pattern))
    return good[:_LINES]


def _folders(request: ThemeRequest) -> set[str]:
    """Return the folders at least two deep: a rule for the whole source takes everything."""
    found = set()
    for path in source_paths(request):
        parts = path.split("/")[:-1]
        found |= {"/".join(parts[:end]) for end in range(2, len(parts) + 1)}
    return found


def _pattern(term: str) -> str:
    return r"\b" + r"[\W_]+".join(re.escape(word) for word in term.split())


def _array(key: str, lines: Sequence[tuple[str, Suggestion]]) -> list[str]:
    if not lines:
        return []
    return [
        f"{key} = [",
        *(f"  {_quoted(text)},  # {one.takes} of it, {one.others} others" for text, one in lines),
        "]",
    ]


def _quoted(text: str) -> str:
    """Write a TOML basic string: its escapes are those of JSON."""
    return json.dumps(text, ensure_ascii=False)
