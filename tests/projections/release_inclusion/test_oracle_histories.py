"""The product against the oracle: all requests and all tags of whole public histories.

`SHIPLEDGER_HISTORIES` names a folder of bare repositories, `owner+name/repo` each.
"""

import os
import re
from collections import Counter
from pathlib import Path
from typing import Final

import pytest

from events.facts.git import Commit
from events.instant import SECOND
from projections.release_inclusion.history.carriers import Request
from projections.release_inclusion.history.graph import TipSet
from projections.release_inclusion.history.history import read_history
from projections.release_inclusion.history.matrix import Matrix, TipVerdicts
from projections.release_inclusion.messages.references import Names
from projections.repositories.branch_roles import DEV_BRANCHES, RELEASE_BRANCHES, fits
from tests.projections.release_inclusion.oracle import Oracle
from tests.projections.release_inclusion.oracle_git import read_commits, read_patches, read_refs

REPOSITORIES: Final = (
    "NVIDIA/Megatron-LM",
    "NVIDIA/TransformerEngine",
    "containerd/containerd",
    "open-telemetry/opentelemetry-collector",
    "prometheus/prometheus",
)
#: Shares of all answers. What differs today was looked at class by class: backports that are asked
#: for on other branches than their own, numbers of repositories that were merged in, titles that
#: people changed when they reverted. A rule that breaks shows in whole percents.
MOST_FIRM_DIFFERENCES: Final = 0.003
MOST_UNDETERMINED: Final = 0.01


def _repository(name: str) -> Path:
    folder = os.environ.get("SHIPLEDGER_HISTORIES")
    if not folder:
        pytest.skip("SHIPLEDGER_HISTORIES names no folder of histories")
    repository = Path(folder) / name.replace("/", "+") / "repo"
    if not repository.is_dir():
        pytest.skip(f"{name} is not in the folder of histories")
    return repository


def _branches(refs: dict[str, str]) -> dict[str, str]:
    named = {ref.removeprefix("refs/heads/"): sha for ref, sha in refs.items() if "/heads/" in ref}
    lasting = {
        name: sha
        for name, sha in named.items()
        if name in DEV_BRANCHES or any(fits(name, pattern) for pattern in RELEASE_BRANCHES)
    }
    return {"main": named["main"], **lasting}


def _answer(verdicts: TipVerdicts, bit: TipSet) -> str:
    for outcome in ("undetermined", "included", "partly", "reverted"):
        if getattr(verdicts, outcome) & bit:
            return outcome
    return "not included"


def _compare(name: str, repository: Path) -> Counter[tuple[str, str]]:
    refs = read_refs(repository)
    branches = _branches(refs)
    tags = [sha for ref, sha in refs.items() if ref.startswith("refs/tags/")]
    numbered = ((re.fullmatch(r"refs/pull/(\d+)/head", ref), sha) for ref, sha in refs.items())
    heads = {int(match[1]): sha for match, sha in numbered if match}
    tips = [*branches.values(), *tags]
    commits = {commit.sha: commit for commit in read_commits(repository, tips)}
    patches, unreadable = read_patches(repository, commits.values())
    history = read_history(
        [
            Commit(
                sha=commit.sha,
                parents=commit.parents,
                authored_at=commit.authored * SECOND,
                committed_at=commit.committed * SECOND,
                author=commit.author,
                subject=commit.subject,
                message=commit.body.lstrip("\n"),
            )
            for commit in commits.values()
        ],
        branches=branches,
        tags=tags,
        requests=[Request(number=number, head=sha) for number, sha in heads.items()],
        names=Names.of(name),
        patches=patches,
    )
    print(f"{name}: {len(patches)} patches compared, {len(unreadable)} not readable")
    matrix = Matrix(history)
    oracle = Oracle(commits, branches=branches, heads=heads, patches=patches)
    numbers = sorted({*history.carriers.numbers(), *oracle.landings})
    answers: Counter[tuple[str, str]] = Counter()
    for tip, times in Counter(tags).items():
        held, bit = oracle.ancestors(tip), history.reach.bit(tip)
        for number in numbers:
            answers[_answer(matrix.of(number), bit), oracle.answer(number, held)] += times
    return answers


@pytest.mark.slow
@pytest.mark.timeout(3_600)
@pytest.mark.parametrize("name", REPOSITORIES)
def test_all_requests_in_all_tags(name: str) -> None:
    answers = _compare(name, _repository(name))
    firm = Counter(
        {pair: n for pair, n in answers.items() if pair[0] not in (pair[1], "undetermined")}
    )
    undetermined = sum(n for (product, _), n in answers.items() if product == "undetermined")
    assert answers["included", "included"] > 1_000
    assert undetermined <= MOST_UNDETERMINED * answers.total()
    assert firm.total() <= MOST_FIRM_DIFFERENCES * answers.total(), firm.most_common()
