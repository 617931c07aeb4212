"""Globs over paths, so plain that every match can be explained. Pure.

A glob starts at the root of the repository. `*` and `?` stay within one name, `[a-z]` is one
character, `{a,b}` one of several words. `**/` stands for any number of folders, none included. A
glob that ends with `/` takes everything below that folder. Case counts.
"""

import re
from functools import cache
from typing import Final

_PIECE: Final = re.compile(
    r"(?P<folders>(?:\A|(?<=/))\*\*/)"
    r"|(?P<below>/(?:\*\*)?\Z)"
    r"|(?P<star>\*)"
    r"|(?P<any>\?)"
    r"|\[(?P<not>!?)(?P<set>[^\]/]{1,200})\]"
    r"|\{(?P<words>[^{}]{1,2000})\}"
)
_MATCH: Final = {"folders": r"(?:[^/]+/)*", "below": r"/.+", "star": r"[^/]*", "any": r"[^/]"}
_STRAY: Final = re.compile(r"[\[\]{}]|\*\*")


@cache
def pattern_of(glob: str) -> re.Pattern[str]:
    """Return the pattern of a glob; raise ValueError with what is wrong with it."""
    if not glob.strip("/ ") or glob.startswith("/"):
        raise ValueError(f"{glob!r}: write a path from the root of the repository, such as tests/")
    return re.compile(_translated(glob), re.DOTALL)


def _translated(glob: str) -> str:
    parts: list[str] = []
    end = 0
    for piece in _PIECE.finditer(glob):
        parts += [_plain(glob, glob[end : piece.start()]), _meaning(glob, piece)]
        end = piece.end()
    return "".join([*parts, _plain(glob, glob[end:])])


def _plain(glob: str, text: str) -> str:
    if _STRAY.search(text):
        raise ValueError(f"{glob!r}: a bracket is left open, or ** is no whole folder")
    return re.escape(text)


def _meaning(glob: str, piece: re.Match[str]) -> str:
    if piece["words"] is not None:
        return f"(?:{'|'.join(_translated_word(glob, word) for word in piece['words'].split(','))})"
    if piece["set"] is not None:
        letters = piece["set"].replace("\\", r"\\").replace("^", r"\^")
        return f"(?!/)[{'^' if piece['not'] else ''}{letters}]"
    if piece["star"] and glob[piece.end() : piece.end() + 1] == "*":
        raise ValueError(f"{glob!r}: ** must stand for whole folders, as in **/tests/")
    return _MATCH[piece.lastgroup or ""]


def _translated_word(glob: str, word: str) -> str:
    """Words may hold `*` and `?`, and nothing else of a glob."""
    return "".join({"*": r"[^/]*", "?": r"[^/]"}.get(c) or _plain(glob, c) for c in word)
