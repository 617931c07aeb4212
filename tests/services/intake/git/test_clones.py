"""Every kind of clone: bare, mirror, shallow, detached, empty, broken, oddly named."""

import os
from pathlib import Path

import msgspec
import pytest

from events.errors import ConfigurationError, InvalidQuestion
from events.facts.repository import GapFilled, GapObserved
from events.log.port import START
from events.sources import authored
from services.config.remotes import without_credentials
from services.intake.git import GitFault, GitRepository, import_git
from services.intake.git.memory import SHALLOW_REASON
from tests.services.intake.git.sandbox import NOW, REPOSITORY, Imports, Sandbox


@pytest.fixture
def origin(repo: Sandbox) -> Sandbox:
    """Five changes on `main`, one on `dev`, one on a topic, and a request's head."""
    for number in range(1, 6):
        repo.commit(f"Change (#{number})", a=str(number))
    repo.git("switch", "-qc", "dev")
    repo.git("update-ref", "refs/pull/6/head", repo.commit("For dev (#6)", b="6"))
    repo.git("switch", "-qc", "topic/x", "main")
    repo.commit("Not landed (#7)", c="7")
    repo.git("switch", "-q", "main")
    return repo


LANDED = {n: [("main", "trailing number")] for n in range(1, 6)} | {6: [("dev", "trailing number")]}


@pytest.mark.parametrize("kind", [[], ["--bare"], ["--mirror"], ["--no-checkout"]])
def test_every_kind_of_clone_says_the_same(
    origin: Sandbox, imports: Imports, tmp_path: Path, kind: list[str]
) -> None:
    origin.git("clone", "-q", *kind, origin.path.as_uri(), str(tmp_path / "clone"))
    result = imports.run(tmp_path / "clone")
    assert imports.landed() == LANDED
    assert result.default_branch == "main"
    refs = {"refs/heads/dev", "refs/heads/main", "refs/heads/topic/x"}
    assert imports.refs().keys() == refs | ({"refs/pull/6/head"} if "--mirror" in kind else set())


def test_a_mirror_speaks_with_its_own_names_though_somebody_pushed_remote_ones(
    origin: Sandbox, imports: Imports, tmp_path: Path
) -> None:
    origin.git("update-ref", "refs/remotes/fork/topic", "HEAD")
    origin.git("clone", "-q", "--mirror", origin.path.as_uri(), str(tmp_path / "clone"))
    imports.run(tmp_path / "clone")
    assert imports.landed() == LANDED
    assert "refs/heads/main" in imports.refs()


def test_local_branches_of_a_clone_do_not_speak_for_its_origin(
    origin: Sandbox, imports: Imports, tmp_path: Path
) -> None:
    origin.git("clone", "-q", origin.path.as_uri(), str(tmp_path / "clone"))
    clone = Sandbox(tmp_path / "clone")
    clone.commit("Never pushed (#100)", a="x")
    clone.git("fetch", "-q", "origin", "+refs/pull/*/head:refs/remotes/origin/pr/*")
    clone.git(
        "config", "--add", "remote.origin.fetch", "+refs/pull/*/head:refs/remotes/origin/pr/*"
    )
    imports.run(clone.path)
    assert imports.landed() == LANDED
    assert "refs/pull/6/head" in imports.refs()
    assert "refs/heads/pr/6" not in imports.refs()


def test_the_remote_that_bears_the_name_speaks_and_not_a_fork(
    origin: Sandbox, imports: Imports, tmp_path: Path
) -> None:
    fork = Sandbox(tmp_path / "fork")
    fork.git("pull", "-q", origin.path.as_uri(), "main")
    fork.commit("Only in the fork (#500)", a="f")
    work = Sandbox(tmp_path / "work")
    for name, source in (("origin", fork), ("upstream", origin)):
        work.git("remote", "add", name, source.path.as_uri())
        work.git("fetch", "-q", name)
    work.git("config", "remote.upstream.url", "https://example.invalid/acme/tool.git")
    imports.run(work.path)
    assert imports.landed() == LANDED


def test_a_shallow_clone_is_refused_with_the_way_to_deepen_it(
    origin: Sandbox, imports: Imports, tmp_path: Path
) -> None:
    origin.git("clone", "-q", "--depth", "2", origin.path.as_uri(), str(tmp_path / "short"))
    with pytest.raises(InvalidQuestion, match="git fetch --unshallow"):
        imports.run(tmp_path / "short")
    assert imports.log.ends() == {}


def test_an_allowed_shallow_clone_names_its_gap_and_is_mended_by_deepening(
    origin: Sandbox, imports: Imports, tmp_path: Path
) -> None:
    every_branch = ("--depth", "2", "--no-single-branch")
    origin.git("clone", "-q", *every_branch, origin.path.as_uri(), str(tmp_path / "short"))
    assert imports.run(tmp_path / "short", allow_shallow=True).incomplete
    edge = imports.by_subject()["Change (#4)"]
    assert (edge.parents, edge.paths) == ((), None)
    last = imports.log.read(REPOSITORY, START)[-1].record
    facts = authored.translate(last)
    assert facts == (GapObserved(start=0, end=edge.committed_at, reason=SHALLOW_REASON),)
    Sandbox(tmp_path / "short").git("fetch", "-q", "--unshallow")
    result = imports.run(tmp_path / "short")
    assert result.incomplete == ()
    filling = imports.log.read(REPOSITORY, START)[-1].record
    assert authored.translate(filling) == (GapFilled(gap=last.id),)
    assert imports.run(tmp_path / "short").records == 0
    mended = imports.by_subject()["Change (#4)"]
    assert (len(mended.parents), mended.paths) == (1, ("a",))
    assert set(imports.landed()) >= set(range(1, 6))


def test_a_detached_worktree_and_a_path_like_an_option_are_read(
    origin: Sandbox, imports: Imports, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    origin.git("worktree", "add", "-q", "--detach", "--", str(tmp_path / "-x"), "HEAD~1")
    monkeypatch.chdir(tmp_path)
    imports.run("-x", default_branch="main")
    assert imports.landed() == LANDED


def test_an_option_is_no_branch(origin: Sandbox, imports: Imports) -> None:
    with pytest.raises(InvalidQuestion, match="no branch '--output=x'; it has dev, main"):
        imports.run(origin.path, default_branch="--output=x")


@pytest.mark.parametrize("bare", [True, False])
def test_an_empty_repository_is_a_clear_error(imports: Imports, tmp_path: Path, bare: bool) -> None:
    empty = Sandbox(tmp_path / "empty", bare=bare)
    with pytest.raises(InvalidQuestion, match="no branch with a commit yet"):
        imports.run(empty.path)


def test_what_is_no_repository_is_a_clear_error(repo: Sandbox, imports: Imports) -> None:
    inside = repo.path / "inside"
    inside.mkdir()
    with pytest.raises(InvalidQuestion, match="is not a git repository"):
        imports.run(inside)
    with pytest.raises(InvalidQuestion, match="is not a folder"):
        imports.run(repo.path / "nowhere")


def test_a_name_that_is_no_repository_name_is_a_clear_error(repo: Sandbox) -> None:
    with pytest.raises(InvalidQuestion, match="OWNER/NAME"):
        import_git(
            repo.path,
            log=Imports().log,
            repository=REPOSITORY,
            full_name="tool",
            clock=lambda: NOW,
        )


def test_a_damaged_repository_is_a_clear_error(repo: Sandbox, imports: Imports) -> None:
    repo.commit("Begin", a="1")
    tree = repo.sha("HEAD^{tree}")
    repo.commit("Next", a="2")
    (repo.path / ".git" / "objects" / tree[:2] / tree[2:]).unlink()
    with pytest.raises(GitFault, match="git fsck"):
        imports.run(repo.path)


def test_a_machine_without_git_is_a_clear_error(
    repo: Sandbox, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(ConfigurationError, match="git is not installed"):
        GitRepository(repo.path)


def test_the_callers_environment_and_configuration_change_nothing(
    origin: Sandbox, imports: Imports, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    expected = Imports()
    expected.run(origin.path)
    settings = tmp_path / "gitconfig"
    settings.write_text(
        "[log]\n showRoot = false\n showSignature = true\n decorate = full\n"
        "[log]\n diffMerges = combined\n mailmap = true\n"
        "[diff]\n renames = copies\n relative = true\n ignoreSubmodules = all\n"
        "[color]\n ui = always\n[safe]\n bareRepository = explicit\n[format]\n pretty = oneline\n"
    )
    monkeypatch.setenv("GIT_CONFIG_GLOBAL", str(settings))
    monkeypatch.setenv("GIT_DIR", os.devnull)
    monkeypatch.setenv("GIT_TRACE", "1")
    monkeypatch.setenv("TZ", "Asia/Kolkata")
    imports.run(origin.path)
    assert imports.facts() == expected.facts()


def test_credentials_never_reach_an_error_text() -> None:
    said = "fatal: unable to access 'https://me:s3cret@example.invalid/a/b/': no"
    assert without_credentials(said) == "fatal: unable to access 'https://example.invalid/a/b/': no"


def test_progress_is_told_from_nothing_to_all(origin: Sandbox, imports: Imports) -> None:
    told: list[tuple[int, int]] = []
    import_git(
        origin.path,
        log=imports.log,
        repository=REPOSITORY,
        full_name="acme/tool",
        clock=lambda: NOW,
        progress=lambda done, total: told.append((done, total)),
    )
    assert told == [(0, 7), (7, 7)]


def test_records_stay_small_whatever_the_history(repo: Sandbox, imports: Imports) -> None:
    script = "".join(
        f"commit refs/heads/main\ncommitter A <a@b> {n} +0000\ndata 2100\n{'x' * 2099}\n"
        for n in range(1, 1202)
    )
    repo.git("fast-import", "--quiet", stdin=script.encode())
    assert imports.run(repo.path).commits == 1201
    bodies = [entry.record.body for entry in imports.log.read(REPOSITORY, START)]
    assert max(map(len, bodies)) < 1.01 * (1 << 20)
    counts = [len(msgspec.json.decode(body).get("commits", ())) for body in bodies]
    assert sum(counts) == 1201
    assert max(counts) <= 500
