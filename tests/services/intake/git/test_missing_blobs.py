"""Blobs that a clone lacks without saying so: each costs the patches it is in, and no other."""

import os
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from events.facts.files import PatchesIdentified
from services.intake.git import ContentsResult, GitRepository, compare_copies, recall
from services.intake.git.command import GitFault
from services.intake.git.differences import Difference, patch_ids
from services.intake.git.patches import identify_patches
from tests.services.intake.git.sandbox import REPOSITORY, Imports, Sandbox
from tests.services.intake.git.test_contents import read
from tests.services.intake.mirror.mirroring import script

FILES = 9


def loose(repo: Sandbox, name: str) -> Path:
    """Return the file in which the repository keeps an object."""
    sha = repo.sha(name)
    return repo.path / ".git" / "objects" / sha[:2] / sha[2:]


def remove(repo: Sandbox, name: str) -> None:
    loose(repo, name).unlink()


def spoil(repo: Sandbox, name: str) -> None:
    """Leave the object listed and make it unreadable."""
    file = loose(repo, name)
    file.chmod(0o600)
    file.write_bytes(file.read_bytes()[:8])


def line_of(repo: Sandbox) -> list[Difference]:
    """Commit files one by one; each commit changes the one before it too."""
    asked, since = [], None
    for nth in range(FILES):
        files = {f"f{nth}": f"{nth}\n", f"f{max(0, nth - 1)}": f"{nth} again\n"}
        sha = repo.commit(f"Number {nth}", **files)
        asked.append(Difference(sha, since))
        since = sha
    return asked


@pytest.mark.parametrize("lose", [remove, spoil])
@pytest.mark.parametrize("lost", [(0,), (4,), (FILES - 1,), (1, 4), tuple(range(FILES))])
def test_a_blob_that_is_absent_or_damaged_costs_its_own_patches_alone(
    repo: Sandbox, lost: tuple[int, ...], lose: Callable[[Sandbox, str], None]
) -> None:
    asked = line_of(repo)
    whole = patch_ids(repo.path, asked)
    for nth in lost:
        lose(repo, f"{asked[nth].sha}:f{nth}")
    identities = identify_patches(repo.path, asked, None, of_heads=False)
    # the next commit replaces the blob, so that its patch shows it too
    unknown = {place for nth in lost for place in (nth, nth + 1)}
    known = [each.sha for place, each in enumerate(asked) if place not in unknown]
    assert {each.sha: each.patch for each in identities} == {sha: whole[sha] for sha in known}


def test_a_tree_that_is_absent_costs_its_own_patches_alone(repo: Sandbox) -> None:
    asked = line_of(repo)
    whole = patch_ids(repo.path, asked)
    remove(repo, f"{asked[4].sha}^{{tree}}")
    identities = identify_patches(repo.path, asked, None, of_heads=False)
    assert {each.sha for each in identities} == whole.keys() - {asked[4].sha, asked[5].sha}


def test_any_other_fault_of_git_is_told_and_not_taken_for_absence(
    repo: Sandbox, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked = line_of(repo)
    folder = tmp_path / "bin"
    folder.mkdir()
    failing = 'case "$*" in *diff-tree*) echo "fatal: Out of memory" >&2; exit 128;; esac'
    script(folder / "git", f'{failing}\nexec {shutil.which("git")} "$@"')
    monkeypatch.setenv("PATH", f"{folder}:{os.environ['PATH']}")
    with pytest.raises(GitFault, match="Out of memory"):
        identify_patches(repo.path, asked, None, of_heads=False)


def test_contents_are_read_around_what_a_clone_lacks(repo: Sandbox, imports: Imports) -> None:
    asked = line_of(repo)
    imports.run(repo.path)
    remove(repo, f"{asked[4].sha}:f4")
    result = read(imports, repo.path)
    assert result == ContentsResult(judged=FILES, patches=FILES - 2, without_blobs=2)


def test_what_looks_alike_is_compared_around_what_a_clone_lacks(
    repo: Sandbox, imports: Imports
) -> None:
    repo.commit("Begin", base="0\n")
    repo.git("branch", "release/1.0")
    fixes = [repo.commit(f"Fix number {n} (#{n})", **{f"f{n}": f"{n}\n"}) for n in range(1, 6)]
    repo.git("checkout", "-q", "release/1.0")
    copies = [repo.commit(f"Fix number {n}", **{f"f{n}": f"{n}\n"}) for n in range(1, 6)]
    imports.run(repo.path)
    remove(repo, f"{fixes[2]}:f3")
    assert compared(imports, repo.path) == 8
    facts = [fact for fact in imports.facts() if isinstance(fact, PatchesIdentified)]
    named = {each.sha for fact in facts for each in fact.patches}
    assert named == {*fixes, *copies} - {fixes[2], copies[2]}


def compared(imports: Imports, path: Path) -> int:
    """Compare what looks alike in a clone; return how many patches are new."""
    return compare_copies(
        GitRepository(path),
        recall(imports.log, REPOSITORY, REPOSITORY),
        log=imports.log,
        repository=REPOSITORY,
        clock=lambda: imports.now,
    )


def test_what_was_recorded_from_another_clone_stops_no_comparison(
    repo: Sandbox, imports: Imports, tmp_path: Path
) -> None:
    repo.commit("Begin", base="0\n")
    repo.git("branch", "release/1.0")
    repo.commit("Fix the parser (#1)", a="1\n")
    repo.git("checkout", "-q", "release/1.0")
    repo.commit("Fix the parser", a="1\n")
    imports.run(repo.path)
    part = tmp_path / "part"
    repo.git("clone", "-q", "--single-branch", "--branch=main", f"file://{repo.path}", str(part))
    assert compared(imports, part) == 0
    assert compared(imports, repo.path) == 2
