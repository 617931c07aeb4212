"""What do reading one edition of a roadmap and giving ids to its items cost?

Prints times and never judges them.
"""

import time
from collections.abc import Callable
from typing import TypeVar

import pytest

from projections.roadmap_status.editions.changes import changes
from projections.roadmap_status.editions.identity import match
from projections.roadmap_status.items.parse import read_roadmap
from projections.roadmap_status.reading import Reader, read

ITEMS = 500
STATUS = ("delivered on main", "in progress", "planned", "delivered on dev")
T = TypeVar("T")


def edition(nth: int) -> str:
    """Return a roadmap of 500 items; in each edition some are reworded, moved or advanced."""
    lines = []
    for at in range(ITEMS):
        if at % 25 == 0:
            lines.append(f"\n## Area {(at + nth) % ITEMS // 25}\n")
        status = STATUS[(at + nth // 7) % len(STATUS)]
        word = "quick" if (at + nth) % 50 else "fast"
        lines.append(f"- **Feature {at} {word}** — {status} - Part (#{at + 1}) remains open.")
        lines.append(f"  - #{at + 1000}")
    return "\n".join(lines)


def timed(run: Callable[[], T]) -> tuple[float, T]:
    """Return the best of five times, in milliseconds, and the answer."""
    best, answer = float("inf"), run()
    for _ in range(5):
        start = time.perf_counter()
        answer = run()
        best = min(best, (time.perf_counter() - start) * 1000)
    return best, answer


@pytest.mark.bench
def test_one_edition_of_500_items(capsys: pytest.CaptureFixture[str]) -> None:
    reader = Reader.of("acme/widget")
    first, second = edition(0), edition(1)
    blocks, _ = timed(lambda: read(first, reader))
    whole, old = timed(lambda: read_roadmap(first, reader))
    new = read_roadmap(second, reader)
    known = [one.known for one in match("r", (), old.items)]
    pairing, matches = timed(lambda: match("r", known, new.items))
    later = [one.known for one in matches]
    compared, found = timed(lambda: changes(known, later))
    kept = len({one.id for one in known} & {one.id for one in later})
    with capsys.disabled():
        print(f"\n{len(first):,} characters, {len(list(old.walk()))} items")
        print(f"  Markdown alone   {blocks:7.1f} ms")
        print(f"  items and claims {whole:7.1f} ms")
        print(f"  ids              {pairing:7.1f} ms ({kept} of {ITEMS} kept)")
        print(f"  changes          {compared:7.1f} ms ({len(found)} found)")
