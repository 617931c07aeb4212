"""Does a change of a file touch its format alone? Pure.

Python: equal syntax trees (`ast`) and equal words in the comments. C, C++, CUDA, Go, Java,
JavaScript, TypeScript, Rust, JSON: equal atoms of Pygments' tokens. Everything else, and
everything in doubt, is no proof. Most changes need no such look: their letters differ.
"""

import ast
import io
import re
import sys
import tokenize
import warnings
from importlib.metadata import version
from pathlib import PurePosixPath
from typing import Final

from services.intake.git.format_atoms import LANGUAGES, Language, atoms

#: Raised with every change of the rules below.
_RULES: Final = 2
#: A longer file is not looked into: it is data, or made by a program.
LARGEST: Final = 1 << 20
_PYTHON: Final = frozenset({"py", "pyi"})
_NO_LETTERS: Final = re.compile(rb"[\W_]+")
#: Text between tags of JSX is shown to people, spaces and all.
_MAYBE_JSX: Final = re.compile(r"</|/>")


def rules_version() -> str:
    """Return the version of the rules with what decides together with them."""
    python = f"{sys.version_info.major}.{sys.version_info.minor}"
    return f"{_RULES}/pygments {version('pygments')}/python {python}"


def has_rules(path: str) -> bool:
    """Tell whether anything can be proven of a file with this name."""
    name = _extension(path)
    return name in _PYTHON or name in LANGUAGES


def why_not_format(path: str, old: bytes, new: bytes) -> str | None:
    """Return why a change is not proven to touch the format alone; None where it is."""
    if max(len(old), len(new)) > LARGEST:
        return "it is larger than 1 MiB"
    if _letters(old) != _letters(new):
        return "its letters differ"
    if _extension(path) in _PYTHON:
        return _why_not_python(old, new)
    return _why_not_tokens(LANGUAGES[_extension(path)], old, new)


def _extension(path: str) -> str:
    return PurePosixPath(path).suffix.removeprefix(".").lower()


def _letters(text: bytes) -> bytes:
    """Return the letters and digits in lower case. A formatter moves them and may change their case
    (`0XFF`); where they differ, so does more than the format, and no parser has to be asked.
    """
    return _NO_LETTERS.sub(b"", text).lower()


def _why_not_python(old: bytes, new: bytes) -> str | None:
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # what an author's escapes are worth is not our concern
            if ast.dump(ast.parse(old)) != ast.dump(ast.parse(new)):
                return "its syntax trees differ"
        if _comments(old) != _comments(new):
            return "its comments differ"
    except (SyntaxError, tokenize.TokenError, ValueError, RecursionError, MemoryError):
        return "it is not Python that this program reads"
    return None


def _comments(text: bytes) -> list[list[str]]:
    return [
        [token.string] if token.string.startswith("#!") else token.string.lstrip("#").split()
        for token in tokenize.tokenize(io.BytesIO(text).readline)
        if token.type == tokenize.COMMENT
    ]


def _why_not_tokens(language: Language, old: bytes, new: bytes) -> str | None:
    try:
        texts = old.decode(), new.decode()
    except UnicodeDecodeError:
        return "it is not UTF-8"
    if language.lines == "script" and any(_MAYBE_JSX.search(text) for text in texts):
        return "it may hold JSX, whose spaces are shown"
    before, after = (atoms(text, language) for text in texts)
    if before is None or after is None:
        return "its tokens are not understood"
    return None if before == after else "its tokens differ"
