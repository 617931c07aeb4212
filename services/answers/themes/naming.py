"""Names of clusters, as a release manager would keep them. Pure.

A name is the phrase that most of a cluster's titles have and few others do, and a second one where
the first leaves many of them untold: `MoE`, `Megatron-FSDP`, `Inference and prefix caching`.
"""

import math
import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import Final

import msgspec

from projections.period_ledger.themes import ThemeRequest
from services.answers.themes.phrases import Phrase, folded, phrases, spellings
from services.answers.themes.words import is_note, is_place, source_paths

#: A scope is a title's own word for its theme, and a pair says more than its words.
_SCOPE_WEIGHT, _PAIR_WEIGHT = 1.5, 1.2
#: A phrase that is so many times as common as elsewhere tells no less than a rarer one.
_RARE: Final = 20.0
#: With so many of its titles told, a name needs no second phrase; which tells so many more.
_ENOUGH, _MORE = 0.6, 0.2

Titles = Sequence[Mapping[str, Phrase]]


class Naming(msgspec.Struct, frozen=True, kw_only=True):
    """A cluster's name, and the phrases of which it is made."""

    name: str
    terms: tuple[str, ...] = ()


def cluster_names(
    clusters: Sequence[Sequence[ThemeRequest]],
    history: Iterable[ThemeRequest] = (),
    taken: Iterable[str] = (),
) -> list[Naming]:
    """Name clusters; no name is empty, given twice, or one of `taken`.

    What `history` has as often says nothing of a cluster. The larger cluster chooses first.
    """
    titles = [[phrases(request.title) for request in cluster] for cluster in clusters]
    clustered = {request.number for cluster in clusters for request in cluster}
    other_titles = [
        phrases(request.title) for request in history if request.number not in clustered
    ]
    every = [*(title for cluster_titles in titles for title in cluster_titles), *other_titles]
    spread = Counter(key for title in every for key in title)
    written = spellings(every)
    actions = _actions(every)
    used = {folded(name) for name in taken}
    namings: dict[int, Naming] = {}
    for nth in sorted(range(len(clusters)), key=lambda n: (-len(clusters[n]), n)):
        telling = _telling(titles[nth], spread, len(every), actions)
        naming = _first_free(_candidates(titles[nth], telling, written), clusters[nth], used)
        used |= {folded(naming.name), *(folded(term) for term in naming.terms[:1])}
        namings[nth] = naming
    return [namings[nth] for nth in range(len(clusters))]


def _telling(
    titles: Titles, spread: Mapping[str, int], size: int, actions: frozenset[str]
) -> dict[str, float]:
    """Return how much each phrase that may name them tells these titles from all others."""
    inside = Counter(key for title in titles for key in title)
    by_key = {phrase.key: phrase for title in titles for phrase in title.values()}
    fewest = 2 if max(inside.values(), default=0) > 1 else 1
    weights = {}
    for key, count in inside.items():
        words = by_key[key].words
        # a pair of which one word is far more common is a chance neighbourhood
        loose = len(words) > 1 and 2 * count < max(inside[word] for word in words)
        if count < fewest or loose or actions & {key, *words}:
            continue
        often = count / len(titles) / (spread[key] / size)
        weights[key] = math.log(min(max(often, 1.0), _RARE)) * (
            _PAIR_WEIGHT if len(words) > 1 else 1.0
        )
    return {key: value for key, value in weights.items() if value > 0}


def _candidates(
    titles: Titles, telling: Mapping[str, float], written: Mapping[str, str]
) -> list[tuple[str, ...]]:
    """Return names as phrases, the best first."""
    shares = Counter(key for title in titles for key in title)
    scopes = Counter(phrase.key for title in titles for phrase in title.values() if phrase.is_scope)

    def score(key: str) -> float:
        return telling[key] * (shares[key] + (_SCOPE_WEIGHT - 1) * scopes[key])

    names: list[tuple[str, ...]] = []
    for head in sorted(telling, key=lambda key: (-score(key), key)):
        untold = [title for title in titles if head not in title]
        second = None
        if len(titles) - len(untold) < _ENOUGH * len(titles):
            second = _second(untold, telling, written, head, len(titles))
        names.append((written[head],) if second is None else (written[head], written[second]))
    return names


def _second(
    untold: Titles, telling: Mapping[str, float], written: Mapping[str, str], head: str, size: int
) -> str | None:
    """Return the phrase that best tells the titles that are left, None where it tells few."""
    gained = Counter(key for title in untold for key in title)
    free = [
        key
        for key in sorted(telling)
        if gained[key] >= max(2, _MORE * size) and not _alike(written[head], written[key])
    ]
    return max(free, key=lambda key: gained[key] * telling[key], default=None)


def _alike(one: str, other: str) -> bool:
    """Return whether two phrases share a word, or one abbreviates the other (`ckpt`)."""
    words, others = ({folded(word) for word in re.split(r"[\s-]", text)} for text in (one, other))
    within = folded(one) in folded(other) or folded(other) in folded(one)
    return bool(words & others) or within or _abbreviates(folded(one), folded(other))


def _abbreviates(one: str, other: str) -> bool:
    """Return whether the shorter, of four letters or more, is the longer one with some left out."""
    short, long = sorted((one, other), key=len)
    letters = iter(long)
    return len(short) > 3 and short[0] == long[0] and all(letter in letters for letter in short)


def _first_free(
    candidates: Iterable[tuple[str, ...]], cluster: Sequence[ThemeRequest], used: set[str]
) -> Naming:
    for terms in candidates:
        name = _capital(" and ".join(terms))
        own = {folded(name), folded(terms[0])}
        if not any(
            used_name in own or _abbreviates(used_name, folded(terms[0])) for used_name in used
        ):
            return Naming(name=name, terms=terms)
    return Naming(name=_by_place(cluster, used))


def _by_place(cluster: Sequence[ThemeRequest], used: set[str]) -> str:
    """Return the folder where most of a cluster's files are, else the number of its first."""
    folders = Counter(
        path.rpartition("/")[0].rpartition("/")[2]
        for request in cluster
        for path in source_paths(request)
        if not (is_note(path) or path.startswith(".") or "/." in path)
    )
    for folder in sorted(folders, key=lambda name: (-folders[name], name)):
        if folded(folder) and folded(folder) not in used and not is_place(folder):
            return _capital(folder.replace("_", " "))
    return f"#{cluster[0].number}"


def _actions(titles: Titles) -> frozenset[str]:
    """Return the words with which titles begin more often than not: what is done, not to what."""
    first, all_of_them = Counter[str](), Counter[str]()
    for title in titles:
        for phrase in title.values():
            if " " not in phrase.spelling and not phrase.is_scope:
                all_of_them[phrase.key] += 1
                first[phrase.key] += (
                    phrase.is_first and phrase.spelling[1:] == phrase.spelling[1:].lower()
                )
    return frozenset(key for key, n in first.items() if n >= 3 and 2 * n > all_of_them[key])


def _capital(text: str) -> str:
    """Write the first letter as a capital where its word has none."""
    head = text.split(maxsplit=1)[0]
    return text[0].upper() + text[1:] if head == head.lower() else text
