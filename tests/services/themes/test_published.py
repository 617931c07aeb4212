"""The agreement of our clusters with the themes that people published for August 2026.

Measured is the adjusted Rand index over the 69 delivered requests whose titles are in the data (it
ends on 2026-08-22). No weight was fitted to this figure; `services.themes.clustering` says by what
they were chosen. It was looked at four times for the present way of clustering, with 0.43, 0.43,
0.49 (graphs of neighbours, which the proxies liked better, and which were left out for meeting
these themes so much less) and 0.56; the way before it, of the mean of fifteen views, reached 0.59.
With 69 requests, some 0.05 is chance.
"""

import gzip
import json
from collections import Counter
from collections.abc import Hashable, Sequence
from math import comb
from pathlib import Path
from typing import Any, Final

import pytest

from events.sources.commit_message import landing
from projections.period_ledger.themes import ThemeRequest
from services.themes.clustering import clusters

DATA: Final = Path(__file__).parents[4] / "shared" / "data" / "megatron"
#: Just below what is reached.
REACHED: Final = 0.55


@pytest.mark.skipif(not DATA.is_dir(), reason="the real history is not here")
def test_clusters_agree_with_the_published_themes(record_property: Any) -> None:
    history = requests()
    known = {one.number: one for one in history}
    published = json.loads((DATA / "published.json").read_text())["2026-08"]["themes"]
    theirs = {
        number: theme["theme"]
        for theme in published
        if theme["section"] == "delivered"
        for number in theme["pulls"]
        if number in known
    }
    told = [known[number] for number in sorted(theirs)]
    ours = clusters(told, history, len(set(theirs.values())))
    agreement = adjusted_rand_index([theirs[one.number] for one in told], ours)
    record_property("adjusted_rand_index", round(agreement, 3))
    print(f"adjusted Rand index {agreement:.3f} over {len(told)} requests")
    assert len(told) == 69
    assert agreement >= REACHED


def adjusted_rand_index(ones: Sequence[Hashable], others: Sequence[Hashable]) -> float:
    """Return the agreement of two groupings: 1 for the same one, 0 for what chance gives."""
    both, first, second = Counter(zip(ones, others, strict=True)), Counter(ones), Counter(others)
    together = sum(comb(count, 2) for count in both.values())
    by_one = sum(comb(count, 2) for count in first.values())
    by_other = sum(comb(count, 2) for count in second.values())
    chance = by_one * by_other / comb(len(ones), 2)
    return (together - chance) / ((by_one + by_other) / 2 - chance)


@pytest.mark.parametrize(
    ("other", "agreement"),
    [("aabbcc", 1.0), ("ccaabb", 1.0), ("abcabc", -0.25), ("aabbbb", 0.4444)],
)
def test_the_index_of_known_groupings(other: str, agreement: float) -> None:
    assert adjusted_rand_index("xxyyzz", other) == pytest.approx(agreement, abs=1e-4)


def requests() -> list[ThemeRequest]:
    """Return every request that a commit lands, oldest first."""
    found: dict[int, ThemeRequest] = {}
    with gzip.open(DATA / "commits.jsonl.gz", "rt") as lines:
        for commit in map(json.loads, lines):
            own = landing(
                commit["subject"], "\n".join(commit["notes"]), parents=len(commit["parents"])
            )
            if own is not None and own.title and own.number not in found:
                paths = {path for _, *names in commit["files"] or () for path in names}
                found[own.number] = ThemeRequest(
                    number=own.number,
                    title=own.title,
                    paths=tuple(sorted(paths)),
                    author=commit["author"],
                )
    return list(found.values())
