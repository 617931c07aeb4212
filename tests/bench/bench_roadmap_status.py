"""A roadmap of 500 items over 200 editions: its status, and the series over a year.

Aims: its status costs a process that knows nothing yet at most 3 times the parsing of one edition,
and the series over a year, a point a week, at most 30 times one status. Printed beside each other
are the very first question, which reads all editions to give items their ids, the first question of
a process where these are kept, and what every later one costs.
"""

import time
from collections.abc import Callable
from typing import TypeVar

import pytest

from events.instant import DAY
from projections.engine import generations
from projections.engine.read_model import ReadModel
from projections.roadmap_status.context import Convention, RoadmapContext
from projections.roadmap_status.editions.cache import EditionCache
from projections.roadmap_status.items.parse import read_roadmap
from projections.roadmap_status.keeping import keep_editions
from projections.roadmap_status.progress import moments, series
from projections.roadmap_status.reading import Reader
from projections.roadmap_status.tables import RoadmapTables
from projections.store.transaction import transaction
from tests.builders import REPO, at, merge, pull_request
from tests.projections.release_inclusion.bench import Arrival
from tests.projections.roadmap_status.bench import ROADMAP, roadmap
from tests.worlds import log_of, project

ITEMS, EDITIONS = 500, 200
FIRST = 1_000
START = at("01-02")
T = TypeVar("T")


def text(edition: int) -> str:
    """Return the text of an edition: each one tells of a few items more that they are done."""
    lines = ["# Roadmap", ""]
    for nth in range(ITEMS):
        if nth % 25 == 0:
            lines += ["", f"## Section {nth // 25}", ""]
        said = "delivered on main" if nth * EDITIONS < edition * ITEMS else "in progress"
        lines.append(f"* **Goal {nth} of the kernel library** — {said} - A sentence about it.")
        lines += [f"  * #{FIRST + 2 * nth}", f"  * #{FIRST + 2 * nth + 1}"]
    return "\n".join(lines)


def story() -> list[Arrival]:
    """Return half of the requests merged, all others open, and the editions, over a year."""
    found: list[Arrival] = []
    for nth in range(2 * ITEMS):
        number = FIRST + nth
        record = (
            merge(f"m-{number}", number, "01-05")
            if nth % 2
            else pull_request(f"o-{number}", number, "opened", "01-04")
        )
        found.append(("01-06", record))
    for edition in range(EDITIONS):
        day = time.gmtime((START + edition * DAY) // 1_000_000)
        found.append(roadmap(text(edition), f"{day.tm_mon:02}-{day.tm_mday:02}"))
    return found


def timed(call: Callable[[], T]) -> tuple[float, T]:
    """Return the seconds that a call takes, and what it returns."""
    start = time.perf_counter()
    result = call()
    return time.perf_counter() - start, result


def sit(model: ReadModel, cache: EditionCache, use: Callable[[RoadmapContext], T]) -> T:
    """Ask at a desk of the last moment."""
    end = START + 365 * DAY
    with model.snapshot() as snapshot:
        desk = RoadmapContext(
            snapshot,
            REPO,
            end,
            end,
            view=None,
            default_branch="main",
            convention=Convention(),
            cache=cache,
        )
        return use(desk)


def keep(model: ReadModel, cache: EditionCache) -> None:
    """Keep what was read, as the background does."""
    with transaction(model.engine) as connection:
        tables = generations.tables_of(connection, RoadmapTables)
        keep_editions(connection, tables, cache.take_made())


@pytest.mark.bench
def test_status_and_series_of_a_long_roadmap(capsys: pytest.CaptureFixture[str]) -> None:
    last, reader = text(EDITIONS - 1), Reader.of("acme/widget")
    parse = min(timed(lambda: read_roadmap(last, reader))[0] for _ in range(3))
    arrivals = sorted(((at(when), record) for when, record in story()), key=lambda one: one[0])
    log = log_of([record for _, record in arrivals], [when for when, _ in arrivals].__getitem__)
    model, cache = project(log), EditionCache()
    reading, board = timed(lambda: sit(model, cache, lambda desk: desk.view_of(ROADMAP)))
    assert len(board.items) == ITEMS
    keeping, _ = timed(lambda: keep(model, cache))
    first, kept = min(
        (
            timed(lambda: sit(model, EditionCache(), lambda desk: desk.view_of(ROADMAP)))
            for _ in range(3)
        ),
        key=lambda run: run[0],
    )
    assert kept == board
    status = min(
        timed(lambda: sit(model, cache, lambda desk: desk.view_of(ROADMAP)))[0] for _ in range(3)
    )
    points = moments(START, START + 364 * DAY)
    year, _ = timed(lambda: sit(model, cache, lambda desk: [*series(desk, ROADMAP, points)]))
    times = {
        f"parsing one edition of {ITEMS} items": parse,
        "status, nothing is kept yet": reading,
        "keeping what was read": keeping,
        "status, first question of a process": first,
        "status, every later question": status,
        f"series, {len(points)} points over a year": year,
    }
    with capsys.disabled():
        for name, seconds in times.items():
            print(f"\n{name:36} {seconds:8.3f} s, {seconds / parse:5.1f} parses", end="")
        print(f", {year / status:.1f} statuses")
