"""The real history: what was published by hand, from git alone."""

from datetime import datetime
from pathlib import Path
from zoneinfo import ZoneInfo

import pytest

from events.facts.pull_request import PullRequestObserved
from events.instant import Instant, from_datetime
from events.log.port import START, Cursor
from events.sources.git_history import translate
from tests.services.intake.git.sandbox import REPOSITORY, Imports

SHANGHAI = ZoneInfo("Asia/Shanghai")
JULY = from_datetime(datetime(2026, 7, 1, tzinfo=SHANGHAI))
AUGUST = from_datetime(datetime(2026, 8, 1, tzinfo=SHANGHAI))

#: Published by hand: 249.
MERGED_IN_JULY = 248


@pytest.fixture(scope="module", params=[("main", "dev", "core_r0.*"), ()], ids=["named", "default"])
def landings(
    real_history: Path, request: pytest.FixtureRequest
) -> dict[int, list[PullRequestObserved]]:
    """All landings by number, with the branches of the published figure and with the default."""
    imports = Imports()
    imports.run(real_history, branches=request.param)
    found: dict[int, list[PullRequestObserved]] = {}
    cursor = START
    while entries := imports.log.read(REPOSITORY, cursor):
        for fact in (fact for entry in entries for fact in translate(entry.record)):
            if isinstance(fact, PullRequestObserved):
                found.setdefault(fact.number, []).append(fact)
        cursor = Cursor(entries[-1].position + 1, entries[-1].recorded_at)
    return found


def test_distinct_numbers_landed_in_july(landings: dict[int, list[PullRequestObserved]]) -> None:
    seen = {n for n, facts in landings.items() if any(JULY <= f.at < AUGUST for f in facts)}
    assert len(seen) == MERGED_IN_JULY


def test_dating_each_number_by_its_first_best_landing_counts_the_same(
    landings: dict[int, list[PullRequestObserved]],
) -> None:
    dated = {number: _first_of_best_trust(facts) for number, facts in landings.items()}
    assert sum(JULY <= at < AUGUST for at in dated.values()) == MERGED_IN_JULY


def test_the_number_taken_along_by_git_is_not_landed_twice(
    landings: dict[int, list[PullRequestObserved]],
) -> None:
    titles = {fact.title for fact in landings[2916]}
    assert titles == {'Revert "Remove unused FlashAttention3 args (#2898)"'}
    assert {fact.title for fact in landings[3285]} == {
        'Reapply "fix checkpointing error message (#3203)" (#3283)'
    }


def _first_of_best_trust(facts: list[PullRequestObserved]) -> Instant:
    best = max(fact.trust for fact in facts)
    return min(fact.at for fact in facts if fact.trust == best)
