"""Names of clusters: the terms that many of its titles share and few others have. Pure."""

import math
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Final

from projections.period_ledger.themes import ThemeRequest
from services.themes.words import path_terms, title_terms

_NAMED: Final = 3
_PATH_WEIGHT: Final = 0.5


def distinctive_terms(
    clusters: Sequence[Sequence[ThemeRequest]], count: int = _NAMED
) -> list[tuple[str, ...]]:
    """Return, for each cluster, its `count` most distinctive terms, the best first.

    A term scores by the share of the cluster's requests that have it, against how many clusters
    have it at all. A pair of words replaces its words where it is as common.
    """
    shares = [_shares(cluster) for cluster in clusters]
    spread: Counter[str] = Counter(term for each in shares for term in each)
    return [_best(each, spread, len(clusters), count) for each in shares]


def theme_name(terms: Sequence[str], spellings: Mapping[str, str]) -> str:
    """Write terms as a name, in the spelling that titles use most (`moe` as `MoE`)."""
    written = [
        " ".join(spellings.get(word, word.capitalize()) for word in term.split()) for term in terms
    ]
    head, rest = written[0], written[1:]
    return f"{head}: {', '.join(rest)}" if rest else head


def spellings(requests: Sequence[ThemeRequest]) -> dict[str, str]:
    """Return how titles spell each word most often, where that is more than lower case."""
    seen: dict[str, Counter[str]] = {}
    for request in requests:
        for raw in request.title.replace("/", " ").replace("-", " ").replace("_", " ").split():
            word = raw.strip("`'\"()[]{}:,.;!?")
            if word.isalnum():
                seen.setdefault(_folded(word), Counter())[word] += 1
    found = {low: max(sorted(counts), key=counts.__getitem__) for low, counts in seen.items()}
    return {low: word for low, word in found.items() if word != word.lower()}


def _folded(word: str) -> str:
    low = word.lower()
    return low[:-1] if len(low) > 3 and low.endswith("s") and not low.endswith("ss") else low


def _shares(cluster: Sequence[ThemeRequest]) -> dict[str, float]:
    weights: Counter[str] = Counter()
    for request in cluster:
        titled = set(title_terms(request))
        weights.update(dict.fromkeys(titled, 1.0))
        in_paths = path_terms(request).keys() - titled
        weights.update(dict.fromkeys(in_paths, _PATH_WEIGHT))
    return {term: weight / max(len(cluster), 1) for term, weight in weights.items()}


def _best(
    shares: Mapping[str, float], spread: Mapping[str, int], clusters: int, count: int
) -> tuple[str, ...]:
    def score(term: str) -> float:
        rare = math.log(1 + clusters / spread[term])
        return shares[term] * rare * (1.2 if " " in term else 1.0)

    chosen: list[str] = []
    for term in sorted(shares, key=lambda term: (-score(term), term)):
        parts = set(term.split())
        if not any(parts & set(other.split()) for other in chosen):
            chosen.append(term)
        if len(chosen) == count:
            break
    return tuple(chosen)
