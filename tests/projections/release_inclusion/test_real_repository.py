"""The real history through git, log and read model: what tags reach is what git says they do."""

import random
import shutil
import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from events.log.memory import MemoryLog
from projections.release_inclusion.view import ReleaseView
from services.intake.git.importer import import_git
from tests.projections.release_inclusion.worlds import seen_at
from tests.worlds import REPO, SECOND, SetClock, log_end, project

READ_AT = 1_787_400_000 * SECOND  # in August 2026, after its newest commit

TagsWith = Callable[[str], set[str]]


@pytest.fixture(scope="module")
def repository(real_history: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    target = shutil.copytree(real_history, tmp_path_factory.mktemp("real") / "history")
    # Without it git walks the whole history at each question.
    subprocess.run(["git", "-C", str(target), "commit-graph", "write", "--reachable"], check=True)
    return target


@pytest.fixture(scope="module")
def asked(repository: Path) -> Iterator[ReleaseView]:
    clock = SetClock(READ_AT)
    log = MemoryLog(clock)
    import_git(repository, log=log, repository=REPO, full_name="NVIDIA/Megatron-LM", clock=clock)
    with project(log).snapshot() as snapshot:
        yield seen_at(snapshot, log_end(log, REPO))


@pytest.fixture(scope="module")
def tags_with(repository: Path) -> TagsWith:
    def ask(sha: str) -> set[str]:
        command = ["git", "-C", str(repository), "tag", "--contains", sha]
        return set(
            subprocess.run(command, check=True, capture_output=True, text=True).stdout.split()
        )

    return ask


def _compare(asked: ReleaseView, numbers: list[int], tags_with: TagsWith) -> int:
    """Hold each carrier of each request against git; return how many were in a tag."""
    found = 0
    for number in numbers:
        for carrier in asked.history.carriers.of(number):
            expected = tags_with(carrier.sha)
            reached = {
                one.tag for one in asked.releases if asked.history.is_in(carrier.sha, one.commit)
            }
            assert reached == expected, (number, carrier.sha)
            found += bool(expected)
    return found


def test_all_of_it_is_there(asked: ReleaseView) -> None:
    assert len(asked.releases) == 76
    assert asked.history.graph.missing == ()
    assert len(asked.history.carriers.numbers()) > 2_500
    assert next(iter(asked.history.branches)) == "main"


def test_tags_reach_what_git_says_for_sampled_requests(
    asked: ReleaseView, tags_with: TagsWith
) -> None:
    numbers = random.Random(3).sample(asked.history.carriers.numbers(), 30)
    assert _compare(asked, numbers, tags_with) > 10


@pytest.mark.slow
@pytest.mark.timeout(1_800)
def test_tags_reach_what_git_says_for_every_request(
    asked: ReleaseView, tags_with: TagsWith
) -> None:
    assert _compare(asked, list(asked.history.carriers.numbers()), tags_with) > 1_500
