"""What the oracle takes from git: refs, commits and patch ids, as git prints them."""

import re
import subprocess
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Final

_FORMAT: Final = "%H%x00%P%x00%an%x00%at%x00%ct%x00%B%x01"
_HEADER: Final = re.compile(rb"[0-9a-f]{40}")
_BATCH: Final = 400
"""Commits whose diffs are held at once."""


@dataclass(frozen=True)
class Commit:
    """A commit as `git log` prints it; times in seconds since 1970."""

    sha: str
    parents: tuple[str, ...]
    author: str
    authored: int
    committed: int
    subject: str
    body: str


def git(repository: Path, *arguments: str) -> str:
    """Run git in a repository and return what it prints."""
    command = ["git", "--git-dir", str(repository), *arguments]
    printed = subprocess.run(command, check=True, capture_output=True).stdout
    return printed.decode("utf-8", "replace")


def read_refs(repository: Path) -> dict[str, str]:
    """Return the commit of each ref by its full name, without refs to other objects."""
    pattern = "%(refname) %(objecttype) %(objectname) %(*objecttype) %(*objectname)"
    refs = {}
    for line in git(repository, "for-each-ref", f"--format={pattern}").splitlines():
        name, *pairs = line.split(" ")
        for kind, sha in zip(pairs[::2], pairs[1::2], strict=True):
            if kind == "commit":
                refs[name] = sha
    return refs


def read_commits(repository: Path, tips: Iterable[str]) -> Iterator[Commit]:
    """Yield all commits that some tips reach."""
    command = ["git", "--git-dir", str(repository), "log", "--stdin", f"--format={_FORMAT}"]
    lines = "\n".join(sorted(set(tips))).encode()
    printed = subprocess.run(command, check=True, capture_output=True, input=lines).stdout
    for record in printed.decode("utf-8", "replace").split("\x01\n"):
        if record.strip():
            sha, parents, author, authored, committed, message = record.split("\x00")
            subject, _, body = message.lstrip("\ufeff \n").partition("\n")
            yield Commit(
                sha,
                tuple(parents.split()),
                author,
                int(authored),
                int(committed),
                subject.strip(),
                body,
            )


def read_patches(
    repository: Path, commits: Iterable[Commit]
) -> tuple[dict[str, str], frozenset[str]]:
    """Return the stable patch id of each commit that is no merge, and the commits without one.

    A snapshot may lack blobs. git ends at the first that it cannot read, so it is begun again after
    that commit: what cannot be compared is known, and is never taken for compared.
    """
    waiting = [commit.sha for commit in commits if len(commit.parents) < 2]
    patches: dict[str, str] = {}
    unreadable: set[str] = set()
    while waiting:
        batch, waiting = waiting[:_BATCH], waiting[_BATCH:]
        ended, diffs = _diffs(repository, batch)
        if not ended:
            read = [line for line in diffs.split(b"\n") if _HEADER.fullmatch(line)]
            failed = read[-1].decode() if read else batch[0]
            diffs = diffs[: diffs.rindex(failed.encode())] if read else b""
            unreadable.add(failed)
            waiting = batch[batch.index(failed) + 1 :] + waiting
        command = ["git", "patch-id", "--stable"]
        printed = subprocess.run(command, check=True, input=diffs, capture_output=True).stdout
        pairs = (line.split() for line in printed.decode().splitlines())
        patches.update({sha: patch for patch, sha in pairs})
    return patches, frozenset(unreadable)


def _diffs(repository: Path, shas: list[str]) -> tuple[bool, bytes]:
    command = ["git", "--git-dir", str(repository), "diff-tree", "--stdin", "--root", "-p"]
    options = ["--no-renames", "--no-ext-diff", "--", ".", ":!vendor", ":!**/vendor"]
    lines = "".join(f"{sha}\n" for sha in shas).encode()
    run = subprocess.run([*command, *options], input=lines, capture_output=True, check=False)
    return run.returncode == 0, run.stdout
