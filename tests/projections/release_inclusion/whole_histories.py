"""Whole public histories, read by git and by the rules: what the slow tests hold together.

`SHIPLEDGER_HISTORIES` names a folder of bare repositories, `owner+name/repo` each.
"""

import os
import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

import pytest

from events.facts import git as facts
from events.instant import SECOND
from projections.release_inclusion.history.carriers import Request
from projections.release_inclusion.history.history import History, read_history
from projections.release_inclusion.messages.references import Names
from projections.repositories.branch_roles import DEV_BRANCHES, RELEASE_BRANCHES, fits
from tests.projections.release_inclusion.oracle_git import (
    Commit,
    read_commits,
    read_patches,
    read_refs,
)


@dataclass(frozen=True)
class WholeHistory:
    """A repository as git prints it, and as the rules read it."""

    name: str
    repository: Path
    branches: Mapping[str, str]
    tags: Mapping[str, str]
    heads: Mapping[int, str]
    """Of the requests, by number."""
    commits: Mapping[str, Commit]
    patches: Mapping[str, str]
    history: History


def repository_of(name: str) -> Path:
    """Return where a public repository lies; skip the test where it does not."""
    folder = os.environ.get("SHIPLEDGER_HISTORIES")
    if not folder:
        pytest.skip("SHIPLEDGER_HISTORIES names no folder of histories")
    repository = Path(folder) / name.replace("/", "+") / "repo"
    if not repository.is_dir():
        pytest.skip(f"{name} is not in the folder of histories")
    return repository


def read_whole(name: str) -> WholeHistory:
    """Read everything of a public repository that its branches and tags hold."""
    repository = repository_of(name)
    refs = read_refs(repository)
    branches = _branches(refs)
    tags = {
        ref.removeprefix("refs/tags/"): sha
        for ref, sha in refs.items()
        if ref.startswith("refs/tags/")
    }
    numbered = ((re.fullmatch(r"refs/pull/(\d+)/head", ref), sha) for ref, sha in refs.items())
    heads = {int(match[1]): sha for match, sha in numbered if match}
    tips = [*branches.values(), *tags.values()]
    commits = {commit.sha: commit for commit in read_commits(repository, tips)}
    patches, unreadable = read_patches(repository, commits.values())
    print(f"{name}: {len(patches)} patches compared, {len(unreadable)} not readable")
    history = read_history(
        map(_fact, commits.values()),
        branches=branches,
        tags=tags.values(),
        requests=[Request(number=number, head=sha) for number, sha in heads.items()],
        names=Names.of(name),
        patches=patches,
    )
    return WholeHistory(name, repository, branches, tags, heads, commits, patches, history)


def _fact(commit: Commit) -> facts.Commit:
    return facts.Commit(
        sha=commit.sha,
        parents=commit.parents,
        authored_at=commit.authored * SECOND,
        committed_at=commit.committed * SECOND,
        author=commit.author,
        subject=commit.subject,
        message=commit.body.lstrip("\n"),
    )


def _branches(refs: dict[str, str]) -> dict[str, str]:
    named = {ref.removeprefix("refs/heads/"): sha for ref, sha in refs.items() if "/heads/" in ref}
    lasting = {
        name: sha
        for name, sha in named.items()
        if name in DEV_BRANCHES or any(fits(name, pattern) for pattern in RELEASE_BRANCHES)
    }
    return {"main": named["main"], **lasting}
