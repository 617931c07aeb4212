"""Git objects and their ids, computed without git.

Trees are persistent: a changed tree shares everything that stayed the same with the one it was
made from, so a world of thousands of commits stays small and quick.
"""

import hashlib
from collections.abc import Iterator, Mapping
from typing import Final, TypeAlias

import msgspec

#: What a commit changes: path to the id of the new blob, None where the file goes.
Changes: TypeAlias = dict[str, str | None]

ZERO_ID: Final = "0" * 40


def object_id(kind: str, data: bytes) -> str:
    """Return the id that git gives an object of that kind (`blob`, `tree`, `commit`, `tag`)."""
    header = f"{kind} {len(data)}\0".encode()
    return hashlib.sha1(header + data, usedforsecurity=False).hexdigest()


class Tree:
    """An immutable directory: names to blob ids and further trees."""

    __slots__ = ("_sha", "entries")

    def __init__(self, entries: Mapping[str, "str | Tree"]) -> None:
        self.entries = entries
        self._sha: str | None = None

    @property
    def sha(self) -> str:
        """The id of the tree object."""
        if self._sha is None:
            self._sha = object_id("tree", b"".join(self._lines()))
        return self._sha

    def _lines(self) -> Iterator[bytes]:
        # Git sorts a directory as if its name ended with a slash.
        kinds = {name: isinstance(entry, Tree) for name, entry in self.entries.items()}
        for name in sorted(self.entries, key=lambda name: f"{name}/" if kinds[name] else name):
            entry = self.entries[name]
            mode, sha = ("40000", entry.sha) if isinstance(entry, Tree) else ("100644", entry)
            yield f"{mode} {name}\0".encode() + bytes.fromhex(sha)

    def blob(self, path: str) -> str | None:
        """Return the id of the file at a path, None where there is none."""
        first, slash, rest = path.partition("/")
        entry = self.entries.get(first)
        if isinstance(entry, Tree):
            return entry.blob(rest) if slash else None
        return None if slash else entry

    def apply(self, changes: Mapping[str, str | None]) -> "Tree":
        """Return the tree with these changes made to it."""
        entries = dict(self.entries)
        below: dict[str, Changes] = {}
        for path, blob in changes.items():
            first, slash, rest = path.partition("/")
            if slash:
                below.setdefault(first, {})[rest] = blob
            elif blob is None:
                entries.pop(first, None)
            else:
                entries[first] = blob
        for name, changed in below.items():
            old = entries.get(name)
            tree = (old if isinstance(old, Tree) else EMPTY).apply(changed)
            if tree.entries:
                entries[name] = tree
            else:
                entries.pop(name, None)
        return Tree(entries)

    def changes_to(self, other: "Tree") -> Changes:
        """Return what has to change for this tree to become the other one."""
        if self.sha == other.sha:
            return {}
        changes: Changes = {}
        for name in sorted(self.entries.keys() | other.entries.keys()):
            old, new = self.entries.get(name), other.entries.get(name)
            if isinstance(old, Tree) or isinstance(new, Tree):
                below = _as_tree(old).changes_to(_as_tree(new))
                changes.update({f"{name}/{path}": blob for path, blob in below.items()})
            elif old != new:
                changes[name] = new
        return changes


EMPTY: Final = Tree({})


def _as_tree(entry: "str | Tree | None") -> Tree:
    return entry if isinstance(entry, Tree) else EMPTY


class Stamp(msgspec.Struct, frozen=True):
    """Who signed a commit or tag and when: seconds since 1970, and minutes east of Greenwich."""

    name: str
    email: str
    at: int
    zone: int = 0

    def line(self) -> str:
        """Write it as git does: `Name <mail> 1782864000 +0800`."""
        hours, minutes = divmod(abs(self.zone), 60)
        sign = "-" if self.zone < 0 else "+"
        return f"{self.name} <{self.email}> {self.at} {sign}{hours:02}{minutes:02}"


class Commit(msgspec.Struct, frozen=True, kw_only=True):
    """A commit; `changes` are against its first parent."""

    sha: str
    tree: Tree
    parents: tuple[str, ...]
    author: Stamp
    committer: Stamp
    message: str
    changes: Changes

    @property
    def subject(self) -> str:
        """The first line of the message."""
        return self.message.partition("\n")[0]


class Tag(msgspec.Struct, frozen=True, kw_only=True):
    """An annotated tag object; `sha` is its own id, `commit` what it points to."""

    sha: str
    name: str
    commit: str
    tagger: Stamp
    message: str


def make_commit(
    tree: Tree,
    parents: tuple[str, ...],
    *,
    author: Stamp,
    committer: Stamp,
    message: str,
    changes: Changes,
) -> Commit:
    """Make a commit with the id that git would give it."""
    lines = [f"tree {tree.sha}", *(f"parent {parent}" for parent in parents)]
    lines += [f"author {author.line()}", f"committer {committer.line()}"]
    text = "\n".join(lines) + f"\n\n{message}"
    return Commit(
        sha=object_id("commit", text.encode()),
        tree=tree,
        parents=parents,
        author=author,
        committer=committer,
        message=message,
        changes=changes,
    )


def make_tag(name: str, commit: str, *, tagger: Stamp, message: str) -> Tag:
    """Make an annotated tag with the id that git would give it."""
    text = f"object {commit}\ntype commit\ntag {name}\ntagger {tagger.line()}\n\n{message}"
    sha = object_id("tag", text.encode())
    return Tag(sha=sha, name=name, commit=commit, tagger=tagger, message=message)
