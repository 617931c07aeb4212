"""No setting or file of a clone runs a program, or shows another history than the commits do."""

from pathlib import Path

import pytest

from services.intake.git import GitRepository, read_contents, recall
from services.intake.git.command import Git
from services.intake.git.differences import Difference, patch_ids
from tests.services.intake.git.sandbox import REPOSITORY, Imports, Sandbox

#: Settings that name a program; `{}` stands for one that leaves a mark.
PROGRAMS = (
    "core.fsmonitor={}",
    "core.pager={}",
    "pager.log={}",
    "pager.config={}",
    "pager.diff-tree={}",
    "core.editor={}",
    "core.sshCommand={}",
    "core.gitProxy={}",
    "core.askPass={}",
    "core.alternateRefsCommand={}",
    "credential.helper=!{}",
    "diff.external={}",
    "diff.marked.command={}",
    "diff.marked.textconv={}",
    "filter.marked.clean={}",
    "filter.marked.smudge={}",
    "filter.marked.process={}",
    "filter.marked.required=true",
    "gpg.program={}",
    "gpg.ssh.program={}",
    "interactive.diffFilter={}",
    "uploadpack.packObjectsHook={}",
    "remote.origin.uploadpack={}",
    "remote.origin.vcs=ext",
    "remote.origin.promisor=true",
    "remote.origin.partialclonefilter=blob:none",
    "extensions.partialClone=origin",
    "protocol.allow=always",
    "protocol.ext.allow=always",
    "protocol.file.allow=always",
    "gc.recentObjectsHook={}",
    "log.showSignature=true",
    "core.untrackedCache=true",
    "alias.log=!{}",
    "alias.for-each-ref=!{}",
    "hook.marked.command={}",
    "hook.marked.event=reference-transaction",
)
HOOKS = ("post-index-change", "reference-transaction", "pre-auto-gc", "fsmonitor-watchman")


@pytest.fixture
def mark(tmp_path: Path) -> Path:
    """A program that makes the file `ran` beside itself, and fails."""
    program = tmp_path / "mark"
    program.write_text(f"#!/bin/sh\necho \"$0 $@\" >> '{tmp_path}/ran'\nexit 1\n")
    program.chmod(0o755)
    return program


def contents(imports: Imports, path: Path) -> None:
    known = recall(imports.log, REPOSITORY, REPOSITORY)
    read_contents(
        GitRepository(path), known, log=imports.log, repository=REPOSITORY,
        clock=lambda: imports.now,
    )  # fmt: skip


def trap(repo: Sandbox, mark: Path) -> None:
    """Let every setting, hook and attribute of a repository name the program."""
    folder = repo.path / ".git"
    (folder / "info").mkdir(exist_ok=True)
    (folder / "info" / "attributes").write_text("* diff=marked filter=marked\n")
    (folder / "hooks").mkdir(exist_ok=True)
    for hook in HOOKS:
        (folder / "hooks" / hook).symlink_to(mark)
    repo.git("config", "remote.origin.url", f"ext::{mark}")
    repo.git("config", "core.hooksPath", str(folder / "hooks"))
    for setting in PROGRAMS:
        name, _, value = setting.partition("=")
        repo.git("config", "--add", name, value.format(mark))


def test_no_setting_of_a_clone_runs_a_program(repo: Sandbox, imports: Imports, mark: Path) -> None:
    repo.commit("Begin (#1)", a="1\n")
    repo.commit("Go on (#2)", a="2\n")
    repo.git("tag", "-a", "v1.0.0", "-m", "v1.0.0")
    repo.git("update-ref", "refs/pull/2/head", "HEAD")
    trap(repo, mark)
    imports.run(repo.path)
    contents(imports, repo.path)
    (repo.path / "a").write_text("3\n")  # a worktree that git may want to look at
    imports.run(repo.path)
    contents(imports, repo.path)
    assert not (mark.parent / "ran").exists()
    assert list(imports.landed()) == [1, 2]


def test_a_missing_object_is_not_fetched_by_a_program_of_the_clone(
    repo: Sandbox, imports: Imports, mark: Path
) -> None:
    repo.commit("Begin", a="1\n")
    lost = repo.sha("HEAD:a")
    repo.commit("Go on", a="2\n")
    (repo.path / ".git" / "objects" / lost[:2] / lost[2:]).unlink()
    trap(repo, mark)
    imports.run(repo.path)
    contents(imports, repo.path)
    assert not (mark.parent / "ran").exists()


def a_line(repo: Sandbox) -> tuple[str, str, str]:
    """Return three commits of which each is the parent of the next; the first and last are
    releases.
    """
    first = repo.commit("Start (#1)", a="1")
    repo.git("tag", "v1.0.0")
    second = repo.commit("Two (#2)", a="2")
    third = repo.commit("Three (#3)", a="3")
    repo.git("tag", "v1.1.0")
    return first, second, third


def assert_line(imports: Imports, line: tuple[str, str, str]) -> None:
    first, second, third = line
    commits = imports.commits()
    assert commits.keys() == set(line)
    assert [commits[sha].parents for sha in line] == [(), (first,), (second,)]
    assert list(imports.landed()) == [1, 2, 3]
    assert commits[third].paths == ("a",)


def test_a_grafts_file_changes_nothing(repo: Sandbox, imports: Imports) -> None:
    line = a_line(repo)
    (repo.path / ".git" / "info").mkdir(exist_ok=True)
    (repo.path / ".git" / "info" / "grafts").write_text(f"{line[2]} {line[0]}\n")
    imports.run(repo.path)
    assert_line(imports, line)


def test_replace_refs_change_nothing(repo: Sandbox, imports: Imports) -> None:
    line = a_line(repo)
    repo.git("replace", "--graft", line[2], line[0])
    repo.git("replace", line[1], line[0])
    repo.git("config", "core.useReplaceRefs", "true")
    imports.run(repo.path)
    assert_line(imports, line)


def test_a_commit_graph_written_over_grafts_changes_nothing(
    repo: Sandbox, imports: Imports
) -> None:
    line = a_line(repo)
    elsewhere = Sandbox(repo.path.parent / "elsewhere")
    elsewhere.git("fetch", "-q", str(repo.path), "main:x", "--tags")
    elsewhere.git("commit-graph", "write", "--reachable")
    graph = elsewhere.path / ".git" / "objects" / "info" / "commit-graph"
    raw = bytearray(graph.read_bytes())
    raw[-40:-20] = bytes(20)  # damaged: who reads it stumbles
    target = repo.path / ".git" / "objects" / "info" / "commit-graph"
    target.write_bytes(bytes(raw[:200]))
    imports.run(repo.path)
    assert_line(imports, line)


def test_objects_of_alternates_are_read_and_their_refs_are_not(
    repo: Sandbox, imports: Imports, tmp_path: Path
) -> None:
    line = a_line(repo)
    repo.git("clone", "-q", "--shared", str(repo.path), str(tmp_path / "shared"))
    repo.git("checkout", "-qb", "later")
    repo.commit("Not in the clone (#4)", a="4")
    (repo.path / ".git" / "info").mkdir(exist_ok=True)
    (repo.path / ".git" / "info" / "grafts").write_text(f"{line[2]} {line[0]}\n")
    imports.run(tmp_path / "shared")
    assert_line(imports, line)


def test_variables_of_the_caller_turn_nothing(
    repo: Sandbox, imports: Imports, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, mark: Path
) -> None:
    line = a_line(repo)
    grafts = tmp_path / "grafts"
    grafts.write_text(f"{line[2]} {line[0]}\n")
    monkeypatch.setenv("GIT_GRAFT_FILE", str(grafts))
    monkeypatch.setenv("GIT_SHALLOW_FILE", str(grafts))
    monkeypatch.setenv("GIT_EXTERNAL_DIFF", str(mark))
    monkeypatch.setenv("GIT_PAGER", str(mark))
    monkeypatch.setenv("GIT_CONFIG_COUNT", "1")
    monkeypatch.setenv("GIT_CONFIG_KEY_0", "core.fsmonitor")
    monkeypatch.setenv("GIT_CONFIG_VALUE_0", str(mark))
    imports.run(repo.path)
    contents(imports, repo.path)
    assert_line(imports, line)
    assert not (mark.parent / "ran").exists()


def test_attributes_of_the_clone_change_no_patch_id(repo: Sandbox) -> None:
    repo.commit("Begin", a="1\n")
    sha = repo.commit("Go on", a="2\n")
    asked = [Difference(sha, None)]
    before = patch_ids(repo.path, asked)
    (repo.path / ".gitattributes").write_text("a -diff\n")
    (repo.path / ".git" / "info").mkdir(exist_ok=True)
    (repo.path / ".git" / "info" / "attributes").write_text("a binary\n")
    repo.git("config", "core.bigFileThreshold", "1")
    assert patch_ids(repo.path, asked) == before
    assert before[sha]


def test_a_repository_of_sha_256_is_read(tmp_path: Path, imports: Imports) -> None:
    folder = tmp_path / "long"
    folder.mkdir()
    Git(folder).run("init", "-q", "--object-format=sha256", "--initial-branch=main")
    repo = Sandbox.__new__(Sandbox)
    repo.path, repo.unix_time = folder, 1_782_864_000
    line = a_line(repo)
    repo.git("update-ref", "refs/pull/3/head", "HEAD")
    imports.run(folder)
    contents(imports, folder)
    assert_line(imports, line)
    assert {len(sha) for sha in line} == {64}
    assert patch_ids(folder, [Difference(line[2], line[1])]).keys() == {line[2]}
