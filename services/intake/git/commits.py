"""Commits as one `git log` process prints them: the format asked for, and its reader.

Text that is not UTF-8 is decoded with U+FFFD in place of what cannot be read: never a surrogate,
always the same. A date that git cannot read is 1970; one past the year 9999 is its last second.
"""

from collections.abc import Iterable, Iterator
from itertools import islice
from typing import Final

import msgspec

from events.facts.git import Commit
from events.instant import INF, SECOND, Instant
from events.sources.commit_message import split_message

#: Fields end with NUL, and so do commits (`-z`): no text of a commit can hold one.
_FIELDS: Final = ("%H", "%P", "%at", "%ct", "%an", "%B")
_LAST_SECOND: Final = INF // SECOND

#: Reads the commits named on standard input. Changed paths are raw differences to the first
#: parent: no rename detection, which would hide one of two names and fetch blobs of a partial
#: clone. Whatever the user's configuration could change is said.
LOG_ARGUMENTS: Final = (
    "log",
    "--no-walk=unsorted",
    "--stdin",
    "-z",
    "--raw",
    "--no-abbrev",
    "--no-renames",
    "--diff-merges=first-parent",
    "--ignore-submodules=none",
    "--no-relative",
    "--no-ext-diff",
    "--no-textconv",
    "--no-color",
    "--no-decorate",
    "--no-show-signature",
    "--encoding=UTF-8",
    "--format=" + "".join(f"{field}%x00" for field in _FIELDS),
)

#: Reads titles alone, of all that the commits named on standard input reach; no merges.
TITLES_ARGUMENTS: Final = (
    "log",
    "--stdin",
    "--no-merges",
    "-z",
    "--no-show-signature",
    "--no-notes",
    "--encoding=UTF-8",
    "--format=%H%x1f%at%x1f%ct%x1f%an%x1f%B",
)


class CommitTitle(msgspec.Struct, frozen=True, kw_only=True):
    """As much of a commit as tells whether another one looks like it."""

    sha: str
    author: str
    authored_at: Instant
    committed_at: Instant
    subject: str


def parse_titles(output: bytes) -> Iterator[CommitTitle]:
    """Read what `git log` with TITLES_ARGUMENTS prints."""
    for row in filter(None, output.split(b"\0")):
        sha, authored, committed, author, message = row.split(b"\x1f", 4)
        yield CommitTitle(
            sha=sha.decode("ascii"),
            author=_text(author),
            authored_at=instant_of(authored),
            committed_at=instant_of(committed),
            subject=split_message(_text(message))[0],
        )


def parse_log(chunks: Iterable[bytes]) -> Iterator[Commit]:
    """Read what `git log` with LOG_ARGUMENTS prints; stop where the output stops."""
    tokens = _tokens(chunks)
    sha = next(tokens, b"")
    while sha:
        fields = list(islice(tokens, len(_FIELDS)))  # the rest of them, and the commit's own NUL
        if len(fields) < len(_FIELDS):
            return
        paths: set[str] = set()
        token = next(tokens, b"")
        while token.startswith((b":", b"\n:")):
            paths.add(_text(next(tokens, b"")))
            token = next(tokens, b"")
        yield _commit(sha, fields, paths)
        sha = token


def _tokens(chunks: Iterable[bytes]) -> Iterator[bytes]:
    rest = b""
    for chunk in chunks:
        *whole, rest = (rest + chunk).split(b"\0")
        yield from whole
    if rest:
        yield rest


def _commit(sha: bytes, fields: list[bytes], paths: set[str]) -> Commit:
    parents, authored, committed, author, message, _ = fields
    subject, rest = split_message(_text(message))
    return Commit(
        sha=sha.decode("ascii"),
        parents=tuple(parents.decode("ascii").split()),
        authored_at=instant_of(authored),
        committed_at=instant_of(committed),
        author=_text(author),
        subject=subject,
        message=rest,
        paths=tuple(sorted(paths)),
    )


def instant_of(unix_seconds: bytes) -> Instant:
    """Return the instant of a Unix time as git prints it, within what can be written as a date."""
    seconds = int(unix_seconds) if unix_seconds.isdigit() else 0
    return min(seconds, _LAST_SECOND) * SECOND


def _text(raw: bytes) -> str:
    return raw.decode("utf-8", "replace")
