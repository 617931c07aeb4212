"""What does the whole matrix of tags and requests cost, and how does that grow?

Prints ratios and never judges them: times are for reading, not for passing.
"""

import json
import random
import resource
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from projections.release_inclusion.history.carriers import read_commits
from projections.release_inclusion.history.graph import CommitGraph, reach
from projections.release_inclusion.history.landings import find_carriers
from projections.release_inclusion.messages.references import Names
from tests.places import SHARED
from tests.projections.release_inclusion.histories import WHY_SKIPPED, read_megatron

SAMPLE = 60
"""Requests that git is really asked for; its time for all of them is scaled from these."""
TIPS = 999


def _contains(repository: Path, sha: str) -> set[str]:
    command = ["git", "tag", "--contains", sha]
    done = subprocess.run(command, cwd=repository, capture_output=True, text=True, check=True)
    return set(done.stdout.split())


@pytest.mark.bench
def test_whole_matrix_against_git_tag_contains(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    tool = SHARED / "tools" / "rebuild_repo.py"
    if not tool.is_file():
        pytest.skip(WHY_SKIPPED)
    repository = tmp_path / "history"
    subprocess.run([sys.executable, str(tool), str(repository)], check=True)
    rebuilt = json.loads((repository / "map.json").read_text())
    megatron = read_megatron()
    parents = [(commit.sha, commit.parents) for commit in megatron.commits]
    carriers = find_carriers(CommitGraph(parents), read_commits(megatron.commits, Names()))
    landed = {carrier.number: carrier.sha for carrier in carriers}

    start = time.perf_counter()
    graph = CommitGraph(parents)
    reached = reach(graph, megatron.tags.values())
    matrix = {number: reached.tips_of(sha) for number, sha in landed.items()}
    ours = time.perf_counter() - start
    start = time.perf_counter()
    reach(graph, megatron.tags.values())
    again = time.perf_counter() - start

    asked = random.Random(7).sample(sorted(landed), SAMPLE)
    start = time.perf_counter()
    answers = {number: _contains(repository, rebuilt[landed[number]]) for number in asked}
    git = (time.perf_counter() - start) / SAMPLE * len(landed)
    for number, tags in answers.items():
        tips = set(reached.names(matrix[number]))
        assert tags == {tag for tag, sha in megatron.tags.items() if sha in tips}
    with capsys.disabled():
        print(f"\n{len(landed)} requests x {len(megatron.tags)} tags: graph and pass {ours:.3f} s")
        print(f"the pass alone, once more: {again:.3f} s")
        print(f"git tag --contains for each: {git:.1f} s (scaled), ratio {git / ours:.0f}")


def _generated(size: int) -> Iterator[tuple[str, tuple[str, ...]]]:
    """Yield a history with short side branches merged back, and every tenth commit a merge."""
    rng = random.Random(11)
    for number in range(size):
        first = (f"{number - 1:040x}",) if number else ()
        side = (f"{max(0, number - rng.randint(2, 30)):040x}",) if number % 10 == 9 else ()
        yield f"{number:040x}", (*first, *side)


@pytest.mark.bench
def test_growth_of_one_pass(capsys: pytest.CaptureFixture[str]) -> None:
    lines = []
    for size in (10_000, 100_000, 1_000_000):
        before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
        start = time.perf_counter()
        graph = CommitGraph(_generated(size))
        built = time.perf_counter()
        reached = reach(graph, [f"{size // TIPS * n:040x}" for n in range(TIPS)])
        done = time.perf_counter()
        grown = (resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before) / 1024
        lines.append(
            f"{size:>9} commits x {TIPS} tips: built {built - start:.2f} s, pass "
            f"{done - built:.2f} s, {len(reached.tip_sets)} classes, +{grown:.0f} MiB at most"
        )
    with capsys.disabled():
        print("\n" + "\n".join(lines))
