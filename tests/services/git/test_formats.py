"""Commits of a clone are judged once, where their blobs are, and the judgement is a record."""

import subprocess
from pathlib import Path

from events.facts.files import FormatJudgement, FormatsJudged
from events.log.port import START
from events.translate import translate
from projections.period_ledger.base_groups import BranchRoles
from projections.period_ledger.default_rules import DEFAULT_RULES
from projections.period_ledger.excluding import exclusions
from projections.period_ledger.queries import ledger
from services.git import GitRepository
from services.git.formats import FormatsResult, judge_formats
from tests.services.git.sandbox import REPOSITORY, Imports, Sandbox
from tests.worlds import log_end, project


def judge(imports: Imports, path: Path) -> FormatsResult:
    return judge_formats(
        GitRepository(path), log=imports.log, repository=REPOSITORY, clock=lambda: imports.now
    )


def judgements(imports: Imports) -> dict[str, FormatJudgement]:
    facts = [
        fact
        for entry in imports.log.read(REPOSITORY, START)
        for fact in translate(entry.record).facts
    ]
    return {
        each.sha: each
        for fact in facts
        if isinstance(fact, FormatsJudged)
        for each in fact.judgements
    }


def test_each_commit_is_judged_by_its_difference(repo: Sandbox, imports: Imports) -> None:
    first = repo.commit("Begin", **{"a.py": "x={1:2}\n", "b.md": "b\n"})
    formatted = repo.commit("Format (#1)", **{"a.py": "x = {1: 2}\n"})
    mended = repo.commit("Mend (#2)", **{"a.py": "x = {1: 3}\n"})
    written = repo.commit("Write (#3)", **{"b.md": "b \n"})
    empty = repo.commit("Nothing")
    assert judge(imports, repo.path) == FormatsResult(judged=5, format_only=1)
    found = judgements(imports)
    assert found[formatted] == FormatJudgement(sha=formatted, format_only=True)
    assert "a.py: it is added" in found[first].because
    assert found[mended].because == "a.py: its syntax trees differ"
    assert "nothing can be proven" in found[written].because
    assert found[empty].because == "it changes no file"


def test_what_was_judged_is_not_judged_again(repo: Sandbox, imports: Imports) -> None:
    repo.commit("Begin", **{"a.py": "x=1\n"})
    assert judge(imports, repo.path).judged == 1
    assert judge(imports, repo.path) == FormatsResult()
    repo.commit("Format", **{"a.py": "x = 1\n"})
    assert judge(imports, repo.path) == FormatsResult(judged=1, format_only=1)


def test_what_a_partial_clone_lacks_is_left_and_never_fetched(
    repo: Sandbox, imports: Imports, tmp_path: Path
) -> None:
    repo.commit("Begin", **{"a.py": "x=1\n"})
    repo.commit("Format", **{"a.py": "x = 1\n"})
    repo.git("config", "uploadpack.allowFilter", "true")
    partial = tmp_path / "partial"
    command = ["git", "clone", "-q", "--bare", "--filter=blob:none", f"file://{repo.path}"]
    subprocess.run([*command, str(partial)], check=True)
    assert judge(imports, partial) == FormatsResult(judged=1, without_blobs=1)
    assert judge(imports, repo.path) == FormatsResult(judged=1, format_only=1)


def test_a_proven_request_is_excluded_and_one_that_was_not_looked_into_is_kept(
    repo: Sandbox,
    imports: Imports,
) -> None:
    repo.commit("Begin", **{"a.py": "x={1:2}\n"})
    repo.commit("Format (#1)", **{"a.py": "x = {1: 2}\n"})
    imports.run(repo.path)
    before = log_end(imports.log, REPOSITORY)
    judge(imports, repo.path)
    after = log_end(imports.log, REPOSITORY)
    with project(imports.log).snapshot() as snapshot:
        for known_at, kind in ((before, "kept"), (after, "format-only")):
            found = ledger(snapshot, REPOSITORY, 0, known_at, known_at, BranchRoles())
            classes = exclusions(snapshot, REPOSITORY, found, known_at, DEFAULT_RULES).classes
            assert classes == {1: kind}
