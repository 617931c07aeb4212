"""A read model of one repository with so many observations, made once and left in .cache.

Months are alike however many there are: a long history is no busier, only older. Facts are handed
to the projections as translators would state them.
"""

import os
import random
from collections.abc import Iterator
from itertools import islice
from pathlib import Path
from typing import Final

from msgspec.structs import replace

from events.facts.base import Fact, Trust
from events.facts.pull_request import PullRequestObserved
from events.facts.repository import RepositoryObserved
from events.identity import RepositoryKey
from events.instant import DAY, SECOND, Instant
from projections.engine import generations
from projections.engine.catalog import PROJECTIONS
from projections.store.base import Translated
from projections.store.checkpoint import apply_batch, lock_cursor
from projections.store.progress import LIVE, mark_all
from services.stream.engines import writing_engine

REPO: Final = RepositoryKey("github.com/1001")
NAME: Final = "acme/widget"
END: Final[Instant] = 1_790_000_000 * SECOND
HOUR: Final = 3_600 * SECOND
EACH: Final = 5
"""Observations of a request, on the average."""
_A_DAY: Final = 20
"""Requests opened in a day."""
_DELAY: Final = 3 * SECOND
_BATCH: Final = 5_000
_FORM: Final = 2
"""Of the history; raise it where the same number would make another one."""


def long_history(observations: int) -> Path:
    """Return the SQLite read model of a history; make it where it is not there."""
    folder = Path(__file__).parents[2] / ".cache" / "long_history"
    versions = "-".join(str(make(1).version) for _, make in PROJECTIONS)
    place = folder / f"{observations}-{_FORM}-{versions}.sqlite"
    if not place.exists():
        folder.mkdir(parents=True, exist_ok=True)
        half = place.with_suffix(f".{os.getpid()}")
        _make(half, observations)
        half.replace(place)
    return place


def start_of(observations: int) -> Instant:
    """Return when a history begins."""
    return END - observations // EACH * DAY // _A_DAY


def _make(place: Path, observations: int) -> None:
    engine = writing_engine(place)
    generations.prepare(engine)
    entries = _entries(observations)
    while batch := list(islice(entries, _BATCH)):
        with engine.begin() as connection:
            for projection in generations.active(connection):
                cursor = lock_cursor(connection, projection, REPO)
                apply_batch(connection, projection, REPO, cursor, batch)
    with engine.begin() as connection:
        mark_all(connection, LIVE, END)
    engine.dispose()  # the last connection leaves one file behind


def _entries(observations: int) -> Iterator[Translated]:
    start = start_of(observations)
    created = RepositoryObserved(
        full_name=NAME, at=start, default_branch="main", created=True, kind="created"
    )
    facts: list[tuple[Instant, Fact]] = [(start, created)]
    requests = observations // EACH
    for number in range(1, requests + 1):
        facts += ((fact.at, fact) for fact in _life(number, start + number * DAY // _A_DAY))
    facts.sort(key=lambda dated: dated[0])
    k = 0
    for position, (at, fact) in enumerate(facts):
        if at >= END - _DELAY:
            break
        k = max(at + _DELAY, k + 1)
        yield Translated(
            repo=REPO,
            record_id=f"r{position}",
            source="github_webhook",
            partition=REPO,
            position=position,
            k=k,
            body=b"",
            facts=(fact,),
        )


def _life(number: int, opened: Instant) -> Iterator[PullRequestObserved]:
    """Yield what is seen of a request: most are merged within days, some are closed, a few late."""
    chance = random.Random(number)
    shown = PullRequestObserved(
        number=number,
        at=opened,
        kind="opened",
        trust=Trust.FULL,
        state="open",
        created_at=opened,
        base=chance.choice(("main", "main", "main", "dev", "release/1.0")),
        title=f"Change {number} of the widget",
        author=f"dev-{chance.randrange(40)}",
        author_is_bot=False,
        labels=(),
        draft=False,
    )
    yield shown
    at = opened
    for _ in range(EACH - 2):
        at += chance.randrange(HOUR, 2 * DAY)
        kind = chance.choice(("synchronize", "synchronize", "labeled"))
        yield replace(shown, at=at, kind=kind, head_sha=f"{at:040x}")
    ending = chance.random()
    at += chance.randrange(HOUR, 6 * DAY) if ending < 0.99 else 120 * DAY
    closed = replace(shown, at=at, kind="closed", state="closed", merged=False, closed_at=at)
    if ending < 0.8:
        sha = f"{number:040x}"
        closed = replace(closed, merged=True, merged_at=at, merge_commit_sha=sha, merger="dev-1")
    yield closed
