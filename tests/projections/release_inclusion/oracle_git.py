"""What the oracle takes from git: refs, commits and patch ids, as git prints them."""

import subprocess
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Final

_FORMAT: Final = "%H%x00%P%x00%an%x00%at%x00%ct%x00%B%x01"


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


def read_patches(repository: Path, tips: Iterable[str]) -> dict[str, str]:
    """Return the stable patch id of each commit that some tips reach and that is no merge."""
    shas = "\n".join(sorted(set(tips))).encode()
    log = ["git", "--git-dir", str(repository), "log", "--stdin", "--no-merges", "-p"]
    paths = ["--no-renames", "--format=commit %H", "--", ".", ":!vendor", ":!**/vendor"]
    with subprocess.Popen([*log, *paths], stdin=subprocess.PIPE, stdout=subprocess.PIPE) as diffs:
        assert diffs.stdin is not None
        diffs.stdin.write(shas)
        diffs.stdin.close()
        command = ["git", "patch-id", "--stable"]
        printed = subprocess.run(command, check=True, stdin=diffs.stdout, capture_output=True)
    pairs = (line.split() for line in printed.stdout.decode().splitlines())
    return {sha: patch for patch, sha in pairs}
