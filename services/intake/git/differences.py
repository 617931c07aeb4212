"""Differences between commits: which files they change, and the contents of those files.

Nothing is fetched: a partial clone shows which blobs it lacks.
"""

import tempfile
from collections.abc import Collection, Iterable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Final, NamedTuple

from services.intake.git.command import Git

#: Whatever the user's configuration could change is said. No rename detection: it would hide one
#: of two names, and fetch blobs of a partial clone.
_ARGUMENTS: Final = (
    "diff-tree",
    "--stdin",
    "--root",
    "-r",
    "--no-renames",
    "--ignore-submodules=none",
    "--no-relative",
    "--no-color",
)
_RAW: Final = ("-z", "--raw", "--no-abbrev", "--always")
_PATCH: Final = (
    "--patch",
    "--full-index",
    "--unified=3",
    "--inter-hunk-context=0",
    "--diff-algorithm=myers",
    "--indent-heuristic",
    "--submodule=short",
    "--src-prefix=a/",
    "--dst-prefix=b/",
    "--no-ext-diff",
    "--no-textconv",
)
_IDS: Final = "--batch-check=%(objectname)"
_PARTIAL: Final = r"^(extensions\.partialclone|remote\..*\.promisor)$"
_SUBMODULE: Final = "160000"


class Difference(NamedTuple):
    """What is asked for: what a commit changes `since` another one; None: since nothing."""

    sha: str
    since: str | None


class Change(NamedTuple):
    """One line of a raw difference; `status` is a letter (`M`, `A`, `D`, `T`)."""

    old_mode: str
    new_mode: str
    old: str
    new: str
    status: str
    path: str

    @property
    def blobs(self) -> frozenset[str]:
        """The blobs that show the change; a submodule has none."""
        sides = ((self.old_mode, self.old), (self.new_mode, self.new))
        return frozenset(blob for mode, blob in sides if mode != _SUBMODULE and blob.strip("0"))


def differences(
    path: Path, batch: Sequence[Difference]
) -> Iterator[tuple[Difference, tuple[Change, ...]]]:
    """Yield each difference with its changes, in the order asked, with one process."""
    if not batch:
        return
    with Git(path).stream(*_ARGUMENTS, *_RAW, lines=_lines(batch)) as chunks:
        tokens = _tokens(chunks)
        next(tokens, b"")  # the first commit's name
        for difference in batch:
            changes = []
            token = next(tokens, b"")
            while token.startswith(b":"):
                changes.append(_change(token, next(tokens, b"")))
                token = next(tokens, b"")
            yield difference, tuple(changes)


def patch_ids(path: Path, batch: Sequence[Difference]) -> dict[str, str]:
    """Return git's stable patch id of each difference by its commit, of which each may be asked
    for once; without those that change nothing.
    """
    if not batch:
        return {}
    with _without_attributes(path) as git, tempfile.TemporaryFile() as patches:
        with git.stream(*_ARGUMENTS, *_PATCH, lines=_lines(batch)) as chunks:
            patches.writelines(chunks)
        patches.seek(0)
        output = git.run("patch-id", "--stable", stdin=patches).decode("ascii")
    rows = (line.split() for line in output.splitlines())
    return {sha: patch for patch, sha in rows}


@contextmanager
def _without_attributes(path: Path) -> Iterator[Git]:
    """Yield git in an empty repository that has the objects of the clone.

    Attributes (`info/attributes`, the worktree's `.gitattributes`) decide which files are binary
    and how their differences are made; a patch would depend on what is checked out.
    """
    clone = Git(path)
    words = clone.run("rev-parse", "--show-object-format", "--git-path", "objects").decode()
    kind, _, objects = words.rstrip("\n").partition("\n")
    with tempfile.TemporaryDirectory() as folder:
        empty = Path(folder)
        Git(empty).run("init", "--bare", "--quiet", "--template=", f"--object-format={kind}")
        yield Git(empty, more={"GIT_OBJECT_DIRECTORY": str(clone.path / objects)})


def held_objects(path: Path) -> frozenset[str] | None:
    """Return all objects of a partial clone; None for another one, which lacks nothing.

    Asking a partial clone for an object that it lacks makes git fetch it, or fail where it may not.
    """
    return present_objects(path) if is_partial(path) else None


def present_objects(path: Path) -> frozenset[str]:
    """Return all objects that a clone has."""
    output = Git(path).run("cat-file", "--batch-all-objects", "--unordered", _IDS)
    return frozenset(output.decode("ascii").split())


def is_partial(path: Path) -> bool:
    """Tell whether a clone was made, or fetched into, without all objects."""
    return bool(Git(path).run("config", "--get-regexp", _PARTIAL, ok=(0, 1)))


def shown(
    path: Path, batch: Sequence[Difference], held: Collection[str] | None
) -> list[Difference]:
    """Return the differences of which the clone has all blobs; `held` as `held_objects` says."""
    if held is None:
        return list(batch)
    return [
        difference
        for difference, changes in differences(path, batch)
        if all(blob in held for change in changes for blob in change.blobs)
    ]


def blobs(path: Path, ids: Iterable[str], held: frozenset[str] | None) -> dict[str, bytes]:
    """Return the contents of blobs by id; one that the clone lacks is left out.

    `held` is what `held_objects` says.
    """
    wanted = sorted(set(ids) if held is None else held.intersection(ids))
    if not wanted:
        return {}
    output = Git(path).run("cat-file", "--batch", stdin="".join(f"{i}\n" for i in wanted).encode())
    contents: dict[str, bytes] = {}
    start = 0
    for _ in wanted:
        end = output.index(b"\n", start)
        name, *rest = output[start:end].decode("ascii").split()
        start = end + 1
        if rest[0] == "blob":
            size = int(rest[1])
            contents[name] = output[start : start + size]
            start += size + 1
    return contents


def _lines(batch: Iterable[Difference]) -> list[str]:
    return [
        difference.sha if difference.since is None else f"{difference.sha} {difference.since}"
        for difference in batch
    ]


def _change(head: bytes, name: bytes) -> Change:
    old_mode, new_mode, old, new, status = head.lstrip(b":").decode("ascii").split()
    return Change(old_mode, new_mode, old, new, status[:1], name.decode("utf-8", "replace"))


def _tokens(chunks: Iterable[bytes]) -> Iterator[bytes]:
    rest = b""
    for chunk in chunks:
        *whole, rest = (rest + chunk).split(b"\0")
        yield from whole
    if rest:
        yield rest
