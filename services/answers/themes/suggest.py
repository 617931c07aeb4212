"""`themes suggest`: rules to paste into `shipledger.toml`, made from clusters.

A suggestion is a beginning: a person renames the theme and strikes what is too wide. As when rules
place requests, each rule has what the rules before it leave. It begins with the line that takes
most of its theme; each further line adds to those before it. What a line takes, the rule itself
says. On months of NVIDIA/Megatron-LM (March to July 2026) 94 of 100 requests that suggested rules
take are those of their cluster, and they take two thirds of these; the rest share no phrase.
"""

import json
import re
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Final, TypeAlias

import msgspec

from projections.period_ledger.themes import Theme, ThemeRequest, ThemeRule, Themes
from services.answers.themes.phrases import phrases, spellings
from services.answers.themes.words import source_paths

#: A line takes at least so many of its theme, one wrong request costs so many right ones, and this
#: share of what a line takes is right.
_FEWEST, _COST, _PRECISION = 2, 1, 0.7
_LINES: Final = 8

#: What each line (the key of a rule, a pattern) takes.
Candidates: TypeAlias = Mapping[tuple[str, str], frozenset[int]]


class Suggestion(msgspec.Struct, frozen=True, kw_only=True):
    """One line of a rule and the requests it takes: of its theme, and others."""

    key: str
    pattern: str
    takes: frozenset[int]
    others: frozenset[int]


def suggest(themes: Themes, requests: Sequence[ThemeRequest]) -> str:
    """Return TOML blocks `[[repositories.themes.rules]]` for the themes that clusters made."""
    candidates = _candidates(requests)
    remaining = frozenset(request.number for request in requests)
    blocks = []
    for theme in themes.themes:
        if theme.how != "rule":
            inside = remaining & set(theme.numbers)
            chosen = _chosen(theme, inside, _within(candidates, remaining))
            blocks += [_block(theme, chosen)] if chosen else []
            remaining -= _taken(chosen)
    return "\n".join(blocks)


def _candidates(requests: Sequence[ThemeRequest]) -> Candidates:
    """Return the lines that two requests or more suggest, (key, pattern), with what each takes."""
    line_counts = Counter[tuple[str, str]]()
    titles = [phrases(request.title) for request in requests]
    written = spellings(titles)
    for request, title_phrases in zip(requests, titles, strict=True):
        line_counts.update(("titles", title_pattern(written[key])) for key in title_phrases)
        line_counts.update(("paths", f"{folder}/") for folder in _folders(request))
    return {
        line: frozenset(
            request.number for request in requests if _rule(line).takes(request) is not None
        )
        for line, count in sorted(line_counts.items())
        if count >= _FEWEST
    }


def title_pattern(phrase: str) -> str:
    """Return the expression that finds a phrase, however it is joined, and its plural."""
    words = re.split(r"[\s_-]+", re.sub(r"(?<=[^s\W])s$", "", phrase))
    plural = "s?" if words[-1][-1].islower() else ""
    return r"\b" + r"[\W_]*".join(re.escape(word) for word in words) + plural + r"\b"


def _rule(line: tuple[str, str]) -> ThemeRule:
    key, pattern = line
    return (
        ThemeRule(name="", titles=(pattern,))
        if key == "titles"
        else ThemeRule(name="", paths=(pattern,))
    )


def _folders(request: ThemeRequest) -> set[str]:
    """Return the folders at least two deep: a rule for the whole source takes everything."""
    folders = set()
    for path in source_paths(request):
        parts = path.split("/")[:-1]
        folders |= {"/".join(parts[:end]) for end in range(2, len(parts) + 1)}
    return folders


def _within(candidates: Candidates, remaining: frozenset[int]) -> Candidates:
    return {line: taken & remaining for line, taken in candidates.items()}


def _taken(chosen: Sequence[Suggestion]) -> frozenset[int]:
    return frozenset[int]().union(*(suggestion.takes | suggestion.others for suggestion in chosen))


def _block(theme: Theme, chosen: Sequence[Suggestion]) -> str:
    taken, inside = _taken(chosen), set(theme.numbers)
    lines = [
        "[[repositories.themes.rules]]",
        f"# takes {len(taken & inside)} of the {len(inside)} it was made from, "
        f"and {len(taken - inside)} others",
        f"name = {_quoted(theme.name)}",
    ]
    lines += _array("titles", [suggestion for suggestion in chosen if suggestion.key == "titles"])
    lines += _array("paths", [suggestion for suggestion in chosen if suggestion.key == "paths"])
    return "\n".join(lines) + "\n"


def _chosen(theme: Theme, inside: frozenset[int], candidates: Candidates) -> list[Suggestion]:
    """Return the lines of a rule: each is the one that adds most to those before it."""
    name_patterns = {title_pattern(term).lower() for term in theme.terms}
    precise = {
        line: taken
        for line, taken in candidates.items()
        if len(taken & inside) >= max(_FEWEST, _PRECISION * len(taken))
    }
    suggestions: list[Suggestion] = []
    while precise and len(suggestions) < _LINES:
        covered = _taken(suggestions)
        gains = {
            line: len((taken - covered) & inside) - _COST * len(taken - covered - inside)
            for line, taken in precise.items()
        }
        best = min(
            precise,
            key=lambda line: (-gains[line], line[1].lower() not in name_patterns, line[1], line),
        )
        if gains[best] < 1:
            break
        taken = precise.pop(best)
        key, pattern = best
        suggestions.append(
            Suggestion(key=key, pattern=pattern, takes=taken & inside, others=taken - inside)
        )
    return suggestions


def _array(key: str, lines: Sequence[Suggestion]) -> list[str]:
    if not lines:
        return []
    return [
        f"{key} = [",
        *(
            f"  {_quoted(suggestion.pattern)},  # {len(suggestion.takes)} of it, "
            f"{len(suggestion.others)} others"
            for suggestion in lines
        ),
        "]",
    ]


def _quoted(text: str) -> str:
    """Write a TOML string: a literal one where there are escapes, else JSON's are TOML's."""
    literal = "\\" in text and "'" not in text and text.isprintable()
    return f"'{text}'" if literal else json.dumps(text, ensure_ascii=False)
