"""Write a world's repository to disk with `git fast-import`."""

import os
import subprocess
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Final

from services.simulator.objects import Commit, Tag
from services.simulator.repository import Repository

#: Commits are made on this ref, which is deleted at the end.
_SCRATCH: Final = "refs/simulator/scratch"


def build(
    repository: Repository, path: Path, *, default_branch: str, refs: Mapping[str, str]
) -> None:
    """Make a bare git repository with these refs; raise CalledProcessError where git refuses.

    Git computes every object id anew, so ids that it agrees with are really those of the objects.
    """
    branch = f"--initial-branch={default_branch}"
    # Inside a hook, GIT_DIR and its like would lead git to the repository of the hook.
    environment = {name: value for name, value in os.environ.items() if name[:4] != "GIT_"}
    subprocess.run(  # noqa: S603 - fixed words and a path after `--`
        ["git", "init", "-q", "--bare", "--object-format=sha1", branch, "--", path],  # noqa: S607
        check=True,
        capture_output=True,
        env=environment,
    )
    subprocess.run(  # noqa: S603
        ["git", "-C", path, "fast-import", "--quiet", "--done"],  # noqa: S607
        input=b"".join(_stream(repository, refs)),
        check=True,
        capture_output=True,
        env=environment,
    )


def _stream(repository: Repository, refs: Mapping[str, str]) -> Iterator[bytes]:
    marks = {sha: mark for mark, sha in enumerate([*repository.blobs, *repository.commits], 1)}
    for sha, content in repository.blobs.items():
        yield f"blob\nmark :{marks[sha]}\n".encode() + _data(content)
    for commit in repository.commits.values():
        yield from _commit(commit, marks)
    annotated = {tag.name: tag for tag in repository.tags.values()}
    for ref, sha in refs.items():
        tag = annotated.get(ref.removeprefix("refs/tags/"))
        if tag is not None and tag.sha == sha:
            yield _tag(tag, marks)
        else:
            yield f"reset {ref}\nfrom :{marks[sha]}\n\n".encode()
    yield f"reset {_SCRATCH}\nfrom {'0' * 40}\n\ndone\n".encode()


def _commit(commit: Commit, marks: dict[str, int]) -> Iterator[bytes]:
    head = f"commit {_SCRATCH}\nmark :{marks[commit.sha]}\n"
    head += f"author {commit.author.line()}\ncommitter {commit.committer.line()}\n"
    yield head.encode() + _data(commit.message.encode())
    for word, parent in zip(_parent_words(), commit.parents, strict=False):
        yield f"{word} :{marks[parent]}\n".encode()
    for path, blob in commit.changes.items():
        line = f"D {path}\n" if blob is None else f"M 100644 :{marks[blob]} {path}\n"
        yield line.encode()
    yield b"\n"


def _parent_words() -> Iterator[str]:
    yield "from"
    while True:
        yield "merge"


def _tag(tag: Tag, marks: dict[str, int]) -> bytes:
    head = f"tag {tag.name}\nfrom :{marks[tag.commit]}\ntagger {tag.tagger.line()}\n"
    return head.encode() + _data(tag.message.encode())


def _data(content: bytes) -> bytes:
    return f"data {len(content)}\n".encode() + content + b"\n"
