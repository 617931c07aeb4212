"""The words of titles and paths, as clustering and naming compare them. Pure."""

import math
import re
from collections import Counter
from functools import lru_cache
from itertools import pairwise
from typing import Final

from projections.period_ledger.themes import ThemeRequest

BRANCH_TAG: Final = re.compile(r"^\s*(?:\[(?:dev|main|release|[\w./-]*\d\.\d[\w.]*)\]\s*)+", re.I)
#: Where something lies, and not what it is about: addresses, module paths, hidden folders. Names
#: such as `Node.js`, `torch.compile` and `.NET` are no places.
_PLACE: Final = re.compile(
    r"(?:(?<!\w)\w++://|\bwww\.)\S+"
    r"|(?<![\w.-])@?(?:[a-z0-9][a-z0-9-]*+\.)+(?!net\b)"
    r"(?:com|org|net|io|dev|ai|co|app|cloud|edu|gov|info|sh|me|in|eu|uk|de|fr|cn|jp|us|tech|xyz)\b"
    r"(?![\w.-])(?:/[\w.@~+/-]*)?"
    r"|(?<![\w.-])(?:[a-z0-9][a-z0-9-]*+\.)+[a-z]{2,}/[\w.@~+/-]+"
    r"|(?<![\w.-])@[\w.-]+/[\w./-]+"
    r"|(?<![\w./-])\.{1,2}[a-z_/][\w./-]*",
    re.IGNORECASE,
)
#: `.NET` is written in capitals, `.net` of an address has something before it.
_NET: Final = re.compile(r"(?<!\w)\.NET\b|\bASP\.NET\b")
_HUMP: Final = re.compile(r"([a-z0-9])([A-Z][a-z])")
_WORD: Final = re.compile(r"[^\W\d_][^\W_]*")
_TEST: Final = re.compile(r"(?:^|/)tests?/")
#: Folders in which each request leaves a note for the changelog.
_NOTES: Final = re.compile(
    r"(?:^|/)(?:\.chloggen|\.changes?|\.changesets?|\.changelogs?|changelogs?|changelog\.d|changes\.d|"
    r"changesets?|newsfragments?|news\.d|release-?notes?|release_notes)/",
    re.IGNORECASE,
)
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
#: Paths and the titles of history come again and again; so many are remembered.
_REMEMBERED: Final = 20_000


def without_places(title: str) -> str:
    """Return a title without addresses, module paths and hidden folders."""
    kept = _NET.sub(lambda match: match[0].replace(".", "\0"), title)
    return _PLACE.sub(" , ", kept).replace("\0", ".")


def is_place(name: str) -> bool:
    """Tell whether a name, or a word of it, is an address, a module path or a hidden folder."""
    return without_places(name) != name


def is_note(path: str) -> bool:
    """Tell whether a file is a note for the changelog in a folder of such notes."""
    return _NOTES.search(path) is not None


def words(text: str) -> list[str]:
    """Return the telling words of a text in their order, lower-case, in the singular."""
    terms = []
    for word in _WORD.findall(_HUMP.sub(r"\1 \2", text)):
        low = word.lower()
        if len(low) > 3 and low.endswith("s") and not low.endswith("ss"):
            low = low[:-1]
        if len(low) > 1 and low not in STOP_WORDS:
            terms.append(low)
    return terms


def title_terms(request: ThemeRequest) -> list[str]:
    """Return the words of a title and its pairs of neighbours."""
    return list(_title_terms(request.title))


def source_paths(request: ThemeRequest) -> tuple[str, ...]:
    """Return the paths that are no tests and no notes, or others where there are none of these."""
    paths = tuple(path for path in request.paths if not is_note(path)) or request.paths
    return tuple(path for path in paths if not _TEST.search(path)) or paths


def path_terms(request: ThemeRequest) -> Counter[str]:
    """Return the words of a request's paths, with how many paths have them."""
    counts: Counter[str] = Counter()
    for path in source_paths(request):
        counts.update(_path_words(path))
    return counts


def title_weights(request: ThemeRequest) -> dict[str, float]:
    """Return what each word and pair of a title weighs."""
    counts = Counter(title_terms(request))
    return {term: 1 + math.log(count) if count > 1 else 1.0 for term, count in counts.items()}


def path_weights(request: ThemeRequest) -> dict[str, float]:
    """Return what each word of the paths weighs: a hundred paths say little more than ten."""
    return _damped(path_terms(request))


def folder_weights(request: ThemeRequest) -> dict[str, float]:
    """Return what each folder and file, from the root, weighs likewise."""
    counts: Counter[str] = Counter()
    for path in source_paths(request):
        counts.update(_ancestors(path))
    return _damped(counts)


def _damped(counts: Counter[str]) -> dict[str, float]:
    return {term: _damping(count) for term, count in counts.items()}


@lru_cache(maxsize=_REMEMBERED)
def _damping(count: int) -> float:
    return 1 + math.log(1 + math.log(count))


@lru_cache(maxsize=_REMEMBERED)
def _title_terms(title: str) -> tuple[str, ...]:
    title_words = words(without_places(BRANCH_TAG.sub("", title)))
    return (*title_words, *(f"{word} {following}" for word, following in pairwise(title_words)))


@lru_cache(maxsize=_REMEMBERED)
def _path_words(path: str) -> tuple[str, ...]:
    stem = path.rpartition(".")[0] or path
    return tuple(dict.fromkeys(words(stem.replace("_", " "))))


@lru_cache(maxsize=_REMEMBERED)
def _ancestors(path: str) -> tuple[str, ...]:
    parts = path.split("/")
    return tuple("/".join(parts[: end + 1]) for end in range(len(parts)))
