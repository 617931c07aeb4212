"""Raw differences of commits to their first parents, and the blobs that they name.

Nothing is fetched: a partial clone shows which blobs it lacks.
"""

from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Final, NamedTuple

from services.git.command import Git
from services.git.commits import LOG_ARGUMENTS

#: As for the commits themselves, without any text of theirs.
_ARGUMENTS: Final = (
    *(each for each in LOG_ARGUMENTS if not each.startswith("--format=")),
    "--format=%H%x00",
)
_IDS: Final = "--batch-check=%(objectname)"


class Change(NamedTuple):
    """One line of a raw difference; `status` is a letter (`M`, `A`, `D`, `T`)."""

    old_mode: str
    new_mode: str
    old: str
    new: str
    status: str
    path: str


def differences(path: Path, shas: Sequence[str]) -> Iterator[tuple[str, tuple[Change, ...]]]:
    """Yield each commit with its changes, in the order asked, with one process."""
    if not shas:
        return
    with Git(path).stream(*_ARGUMENTS, lines=shas) as chunks:
        tokens = _tokens(chunks)
        sha = next(tokens, b"")
        while sha:
            next(tokens, b"")  # the commit's own NUL
            changes = []
            token = next(tokens, b"")
            while token.startswith((b":", b"\n:")):
                changes.append(_change(token, next(tokens, b"")))
                token = next(tokens, b"")
            yield sha.decode("ascii"), tuple(changes)
            sha = token


def held_objects(path: Path) -> frozenset[str] | None:
    """Return all objects of a partial clone; None for another one, which lacks nothing.

    Asking a partial clone for an object that it lacks makes git fetch it, or fail where it may not.
    """
    partial = r"^(extensions\.partialclone|remote\..*\.promisor)$"
    if not Git(path).run("config", "--get-regexp", partial, ok=(0, 1)):
        return None
    said = Git(path).run("cat-file", "--batch-all-objects", "--unordered", _IDS)
    return frozenset(said.decode("ascii").split())


def blobs(path: Path, ids: Iterable[str], held: frozenset[str] | None) -> dict[str, bytes]:
    """Return the contents of blobs by id; one that the clone lacks is left out.

    `held` is what `held_objects` says.
    """
    asked = sorted(set(ids) if held is None else held.intersection(ids))
    if not asked:
        return {}
    said = Git(path).run("cat-file", "--batch", stdin="".join(f"{i}\n" for i in asked).encode())
    found: dict[str, bytes] = {}
    start = 0
    for _ in asked:
        end = said.index(b"\n", start)
        name, *rest = said[start:end].decode("ascii").split()
        start = end + 1
        if rest[0] == "blob":
            size = int(rest[1])
            found[name] = said[start : start + size]
            start += size + 1
    return found


def _change(head: bytes, name: bytes) -> Change:
    old_mode, new_mode, old, new, status = head.lstrip(b"\n:").decode("ascii").split()
    return Change(old_mode, new_mode, old, new, status[:1], name.decode("utf-8", "replace"))


def _tokens(chunks: Iterable[bytes]) -> Iterator[bytes]:
    rest = b""
    for chunk in chunks:
        *whole, rest = (rest + chunk).split(b"\0")
        yield from whole
    if rest:
        yield rest
