"""The words of titles and paths, as clustering and naming compare them. Pure."""

import math
import re
from collections import Counter
from collections.abc import Iterable
from itertools import pairwise
from typing import Final

from projections.period_ledger.themes import ThemeRequest

_BRANCH_TAG: Final = re.compile(r"^\s*(?:\[(?:dev|main|release|[\w./-]*\d\.\d[\w.]*)\]\s*)+", re.I)
_HUMP: Final = re.compile(r"([a-z0-9])([A-Z][a-z])")
_WORD: Final = re.compile(r"[^\W\d_][^\W_]*")
_TEST: Final = re.compile(r"(?:^|/)tests?/")
#: What is done, and not to what; and how English joins words.
_STOP_TEXT: Final = """
a about add added adding adds all allow an and are as at avoid be bug bugfix by change check chore
clean cleanup code correct create default do does enable ensure error feat feature fix fixed fixes
fixing for from function handle handling hotfix if implement improve in init initial into is issue
it its main make missing more move new no not of on only or part pr py refactor remove rename
replace revert set should skip some support supported supporting supports test tests that the then
this to type up update updated updates use used using via when where with without wip work
"""
STOP_WORDS: Final = frozenset(_STOP_TEXT.split())


def words(text: str) -> list[str]:
    """Return the telling words of a text in their order, lower-case, in the singular."""
    found = []
    for word in _WORD.findall(_HUMP.sub(r"\1 \2", text)):
        low = word.lower()
        if len(low) > 3 and low.endswith("s") and not low.endswith("ss"):
            low = low[:-1]
        if len(low) > 1 and low not in STOP_WORDS:
            found.append(low)
    return found


def title_terms(request: ThemeRequest) -> list[str]:
    """Return the words of a title and its pairs of neighbours."""
    found = words(_BRANCH_TAG.sub("", request.title))
    return [*found, *(f"{one} {other}" for one, other in pairwise(found))]


def source_paths(request: ThemeRequest) -> tuple[str, ...]:
    """Return the paths that are no tests, or all where there are no others."""
    kept = tuple(path for path in request.paths if not _TEST.search(path))
    return kept or request.paths


def path_terms(request: ThemeRequest) -> list[str]:
    """Return the words of a request's paths, repeated by the logarithm of how many have them."""
    counts: Counter[str] = Counter()
    for path in source_paths(request):
        stem = path.rpartition(".")[0] or path
        counts.update(set(words(stem.replace("_", " "))))
    return _repeated(counts)


def folder_terms(request: ThemeRequest) -> list[str]:
    """Return the folders and files of a request, from the root, repeated likewise."""
    counts: Counter[str] = Counter()
    for path in source_paths(request):
        parts = path.split("/")
        counts.update("/".join(parts[: end + 1]) for end in range(len(parts)))
    return _repeated(counts)


def _repeated(counts: Counter[str]) -> list[str]:
    repeats: Iterable[list[str]] = (
        [term] * round(1 + math.log(count)) for term, count in sorted(counts.items())
    )
    return [term for each in repeats for term in each]
