"""What commits stand for is known at K and holds at every T.

The old way, reading the history anew for each (T, K) with the requests and refs of T alone, is the
oracle here: at any moment both give the same verdicts. They part only where a request was opened or
merged after T and a commit of before bears its number: the old way believed a stranger's words,
where the facts of later show whose number it is.
"""

import random
from collections import Counter
from functools import cache
from pathlib import Path

import pytest

from events.instant import Instant
from projections.changed_files.queries import own_patches
from projections.release_inclusion import queries
from projections.release_inclusion.history.history import History, read_history
from projections.release_inclusion.history.verdicts import Verdict, verdict
from projections.release_inclusion.messages.references import Names
from projections.release_inclusion.queries import TAGS
from projections.release_inclusion.recorded_commits import commits_at
from projections.release_inclusion.requests import requests_at, with_heads
from projections.release_inclusion.view import HistoryCache, ReleaseView, view
from projections.repositories.branch_roles import BranchRoles
from projections.repositories.queries import former_names
from projections.store.snapshot import Snapshot
from services.simulator import SHAPES, World, simulate
from tests.projections.release_inclusion.worlds import recorded
from tests.worlds import REPO, log_end, project

SEEDS = (1, 2, 3, 4)
MOMENTS = 6


@cache
def _world(seed: int, shaped: bool) -> World:
    return simulate(seed, pulls=100, days=100, shapes=SHAPES if shaped else ())


@pytest.mark.parametrize("shaped", [False, True], ids=["plain", "shaped"])
@pytest.mark.parametrize(
    "seed", [1, *(pytest.param(seed, marks=pytest.mark.slow) for seed in SEEDS[1:])]
)
def test_a_moment_is_as_if_it_had_been_read_then(seed: int, shaped: bool, tmp_path: Path) -> None:
    world = _world(seed, shaped)
    start, end = world.truth.start, world.truth.end
    chance = random.Random(f"moments {seed}")
    cuts = sorted(chance.randrange(start, end) for _ in range(3))
    found = recorded(world, tmp_path, cuts=cuts)
    cache, answers = HistoryCache(), Counter[str]()
    with project(found.log).snapshot() as snapshot:
        last = log_end(found.log, REPO)
        for _ in range(MOMENTS):
            known_at = chance.choice([last, *found.readings, chance.randrange(cuts[0], last)])
            as_of = min(known_at, chance.randrange(cuts[0], end))
            asked = _view(snapshot, as_of, known_at, cache)
            answers += _compared(asked, _read_then(snapshot, asked))
    assert answers["learned"] <= answers.total() // 200
    assert answers["included"] > 200
    assert answers["not_included"] > 200


def _view(
    snapshot: Snapshot, as_of: Instant, known_at: Instant, cache: HistoryCache
) -> ReleaseView:
    return view(snapshot, REPO, as_of, known_at, roles=BranchRoles(), families=(), cache=cache)


def _read_then(snapshot: Snapshot, asked: ReleaseView) -> History:
    as_of, known_at = asked.as_of, asked.known_at
    requests, issues = requests_at(snapshot, REPO, as_of, known_at)
    refs = queries.refs_at(snapshot, REPO, as_of, known_at)
    tags = [ref.sha for name, ref in refs.items() if name.startswith(TAGS)]
    return read_history(
        commits_at(snapshot, REPO, known_at),
        branches=asked.history.branches,
        tags=[sha for sha in tags if sha in asked.history.graph],
        requests=with_heads(requests, queries.pull_heads(refs)),
        names=Names(former_names(snapshot, REPO, known_at)),
        decisions=queries.mention_decisions(snapshot, REPO, known_at),
        strangers=issues,
        patches=own_patches(snapshot, REPO, known_at),
    )


def _words(answer: Verdict) -> tuple[str, str, tuple[str, ...]]:
    return answer.outcome, answer.reason, answer.branches


def _compared(asked: ReleaseView, then: History) -> Counter[str]:
    answers = Counter[str]()
    last = asked.history.attribution.requests
    assert asked.history.reach.tips == then.reach.tips
    for number in sorted({*then.requests, *then.carriers.numbers()}):
        request, known = asked.requests.get(number), then.requests.get(number)
        assert (request and request.state) == (known and known.state), number
        for tip in then.reach.tips:
            answer, expected = (verdict(side, number, tip) for side in (asked.history, then))
            answers[answer.outcome] += 1
            same = _words(answer) == _words(expected)
            firm = answer.outcome not in ("undetermined", expected.outcome)
            learned = not firm and last.get(number) != known
            answers["learned"] += not same
            assert same or learned, (asked.as_of, asked.known_at, number, tip)
    return answers
