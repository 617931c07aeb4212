"""Contents of a clone are read once, where its blobs are, and what was found is a record."""

import subprocess
from pathlib import Path

import pytest

from events.errors import ConfigurationError
from events.facts.files import FormatJudgement, FormatsJudged, PatchesIdentified, PatchIdentity
from events.log.port import START
from events.translate import translate
from projections.period_ledger.change_groups.queries import ChangeGroups, change_groups
from projections.period_ledger.default_rules import DEFAULT_RULES
from projections.period_ledger.excluding import exclusions
from projections.period_ledger.queries import ledger
from projections.repositories.branch_roles import BranchRoles
from services.intake.git import ContentsResult, GitRepository, read_contents, recall
from services.intake.git.patches import METHOD
from tests.services.intake.git.sandbox import REPOSITORY, Imports, Sandbox
from tests.worlds import log_end, project


def read(imports: Imports, path: Path) -> ContentsResult:
    return read_contents(
        GitRepository(path),
        recall(imports.log, REPOSITORY, REPOSITORY),
        log=imports.log,
        repository=REPOSITORY,
        clock=lambda: imports.now,
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


def patches(imports: Imports) -> dict[str, PatchIdentity]:
    facts = [
        fact
        for entry in imports.log.read(REPOSITORY, START)
        for fact in translate(entry.record).facts
        if isinstance(fact, PatchesIdentified)
    ]
    assert all(fact.method == METHOD for fact in facts)
    return {each.sha: each for fact in facts for each in fact.patches}


def groups(imports: Imports, numbers: tuple[int, ...]) -> ChangeGroups:
    now = log_end(imports.log, REPOSITORY)
    with project(imports.log).snapshot() as snapshot:
        return change_groups(snapshot, REPOSITORY, numbers, now, now, roles=BranchRoles())


def test_each_commit_is_judged_by_its_difference(repo: Sandbox, imports: Imports) -> None:
    first = repo.commit("Begin", **{"a.py": "x={1:2}\n", "b.md": "b\n"})
    formatted = repo.commit("Format (#1)", **{"a.py": "x = {1: 2}\n"})
    mended = repo.commit("Mend (#2)", **{"a.py": "x = {1: 3}\n"})
    written = repo.commit("Write (#3)", **{"b.md": "b \n"})
    empty = repo.commit("Nothing")
    assert read(imports, repo.path) == ContentsResult(judged=5, format_only=1)
    found = judgements(imports)
    assert found[formatted] == FormatJudgement(sha=formatted, format_only=True)
    assert "a.py: it is added" in found[first].because
    assert found[mended].because == "a.py: its letters differ"
    assert "nothing can be proven" in found[written].because
    assert found[empty].because == "it changes no file"


def test_what_was_read_is_not_read_again(repo: Sandbox, imports: Imports) -> None:
    repo.commit("Begin", **{"a.py": "x=1\n"})
    imports.run(repo.path)
    assert read(imports, repo.path) == ContentsResult(judged=1, patches=1)
    assert read(imports, repo.path) == ContentsResult()
    repo.commit("Format", **{"a.py": "x = 1\n"})
    imports.run(repo.path)
    assert read(imports, repo.path) == ContentsResult(judged=1, format_only=1, patches=1)


def test_what_a_partial_clone_lacks_is_left_and_never_fetched(
    repo: Sandbox, imports: Imports, tmp_path: Path
) -> None:
    repo.commit("Begin", **{"a.py": "x=1\n"})
    repo.commit("Format", **{"a.py": "x = 1\n"})
    repo.git("config", "uploadpack.allowFilter", "true")
    partial = tmp_path / "partial"
    command = ["git", "clone", "-q", "--bare", "--filter=blob:none", f"file://{repo.path}"]
    subprocess.run([*command, str(partial)], check=True)
    imports.run(partial)
    assert read(imports, partial) == ContentsResult(judged=1, without_blobs=3)
    assert read(imports, repo.path) == ContentsResult(judged=1, format_only=1, patches=2)


def test_what_the_edge_of_a_shallow_clone_changes_is_not_known(
    repo: Sandbox, imports: Imports, tmp_path: Path
) -> None:
    repo.commit("Begin", **{"a.py": "x=1\n"})
    repo.commit("Edge", **{"a.py": "x=2\n"})
    last = repo.commit("Last", **{"a.py": "x=3\n"})
    shallow = tmp_path / "shallow"
    subprocess.run(["git", "clone", "-q", "--depth=2", f"file://{repo.path}", shallow], check=True)
    imports.run(shallow, allow_shallow=True)
    assert read(imports, shallow) == ContentsResult(judged=1, patches=1)
    assert patches(imports).keys() == {last}


def test_a_proven_request_is_excluded_and_one_that_was_not_looked_into_is_kept(
    repo: Sandbox,
    imports: Imports,
) -> None:
    repo.commit("Begin", **{"a.py": "x={1:2}\n"})
    repo.commit("Format (#1)", **{"a.py": "x = {1: 2}\n"})
    imports.run(repo.path)
    before = log_end(imports.log, REPOSITORY)
    read(imports, repo.path)
    after = log_end(imports.log, REPOSITORY)
    with project(imports.log).snapshot() as snapshot:
        for known_at, kind in ((before, "kept"), (after, "format-only")):
            found = ledger(snapshot, REPOSITORY, 0, known_at, known_at, BranchRoles())
            classes = exclusions(snapshot, REPOSITORY, found, known_at, DEFAULT_RULES).classes
            assert classes == {1: kind}


LINES = "".join(f"{nth}\n" for nth in range(30))


def test_a_port_is_found_by_its_patch_wherever_its_lines_stand(
    repo: Sandbox, imports: Imports
) -> None:
    repo.commit("Begin", **{"a.txt": LINES})
    repo.git("branch", "dev")
    repo.commit("Speed up the decoder (#1)", **{"a.txt": LINES.replace("20\n", "twenty\n")})
    repo.git("checkout", "-q", "dev")
    longer = "first\n" + LINES
    repo.commit("Say first (#2)", **{"a.txt": longer})
    repo.commit("Faster, in other words (#3)", **{"a.txt": longer.replace("20\n", "twenty\n")})
    repo.git("checkout", "-q", "main")
    imports.run(repo.path)
    before = groups(imports, (1, 2, 3))
    read(imports, repo.path)
    after = groups(imports, (1, 2, 3))
    assert [one.numbers for one in before.grouping.groups] == [(1,), (2,), (3,)]
    assert [one.numbers for one in after.grouping.groups] == [(1, 3), (2,)]
    (pair,) = after.grouping.group_of(3).pairs
    assert (pair.method, pair.certain, pair.confidence) == ("equal patch", True, 1.0)


def test_a_head_of_several_commits_is_compared_as_a_whole(repo: Sandbox, imports: Imports) -> None:
    repo.commit("Begin", **{"a.txt": LINES, "b.txt": "b\n"})
    repo.git("branch", "dev")
    repo.git("checkout", "-q", "-b", "work", "dev")
    repo.commit("one", **{"a.txt": LINES.replace("5\n", "five\n", 1)})
    repo.commit("two", **{"b.txt": "bb\n"})
    repo.git("checkout", "-q", "main")
    other = repo.commit("Something else (#9)", **{"c.txt": "c\n"})
    repo.git("checkout", "-q", "work")
    repo.merge("main", message="take in main")
    repo.git("update-ref", "refs/pull/7/head", "HEAD")
    repo.git("checkout", "-q", "main")
    squash = {"a.txt": LINES.replace("5\n", "five\n", 1), "b.txt": "bb\n"}
    landed = repo.commit("All at once (#8)", **squash)
    imports.run(repo.path)
    read(imports, repo.path)
    found = patches(imports)
    head = repo.sha("refs/pull/7/head")
    assert found[head].since == other
    assert found[head].patch == found[landed].patch
    assert found[landed].since is None
    # the commits inside the request stand for nothing
    assert repo.sha("work^1") not in found


def test_changes_of_binary_files_are_equal_only_where_the_files_are(
    repo: Sandbox, imports: Imports
) -> None:
    repo.commit("Begin", **{"a.bin": "\0a"})
    one = repo.commit("One", **{"a.bin": "\0b"})
    repo.commit("Back", **{"a.bin": "\0a"})
    two = repo.commit("Two", **{"a.bin": "\0c"})
    empty = repo.commit("Nothing")
    imports.run(repo.path)
    read(imports, repo.path)
    found = patches(imports)
    assert found[one].patch != found[two].patch
    assert found[empty].patch is None


def test_a_git_that_is_too_old_is_named(
    repo: Sandbox, imports: Imports, monkeypatch: pytest.MonkeyPatch
) -> None:
    repo.commit("Begin", **{"a.py": "x=1\n"})
    imports.run(repo.path)
    monkeypatch.setattr("services.intake.git.patches._OLDEST", (99, 0))
    with pytest.raises(ConfigurationError, match=r"needs git 99\.0 or later; this is git version"):
        read(imports, repo.path)
