"""`GET /repos/{owner}/{repo}/pulls/{number}/files` as a record: the pages as they came.

GitHub lists at most 3,000 files of a request, whatever their number. It does not say of which
commit; each file's `contents_url` ends in `?ref=` and the head's id, which also tells when the
request changed between two pages.
https://docs.github.com/en/rest/pulls/pulls#list-pull-requests-files
"""

import re
from collections.abc import Sequence
from typing import Final

import msgspec

from events.errors import InvalidEvent
from events.facts.base import Fact
from events.facts.files import FilesObserved
from events.identity import RepositoryKey, derived_id
from events.instant import Instant
from events.record import Record

FILES_TYPE: Final = "shipledger.api.files"
#: GitHub's own limit.
MOST_FILES: Final = 3000
_VERSION: Final = 1
_REF: Final = re.compile(r"[?&]ref=([0-9a-f]{40}|[0-9a-f]{64})\Z")


class FilesBody(msgspec.Struct, frozen=True, kw_only=True):
    """The body of the record, version 1: the pages in order, each the JSON list that came.

    `cut` says that there were more pages and reading was given up.
    """

    version: int
    number: int
    pages: tuple[msgspec.Raw, ...]
    cut: bool = False


class _File(msgspec.Struct, frozen=True):
    filename: str
    previous_filename: str | None = None
    contents_url: str | None = None


def files_record(
    repository: RepositoryKey,
    number: int,
    pages: Sequence[bytes],
    *,
    time: Instant,
    etag: str | None = None,
    cut: bool = False,
) -> Record:
    """Write the pages of one list as a record; the same list again gives the same id.

    `time` is when it was asked for; `etag` lets the same question be asked cheaply later, and is
    kept only of a list of one page: of longer ones it says nothing about the others.
    """
    raw = tuple(msgspec.Raw(page) for page in pages)
    body = msgspec.json.encode(FilesBody(version=_VERSION, number=number, pages=raw, cut=cut))
    kept = {"etag": etag} if etag and len(pages) == 1 and not cut else {}
    return Record(
        id=derived_id(FILES_TYPE, number, body),
        repository=repository,
        source="api",
        type=FILES_TYPE,
        body=body,
        time=time,
        attributes=kept,
    )


def read_body(record: Record) -> FilesBody:
    """Return the body; raise InvalidEvent for a version or a shape that is not known."""
    try:
        body = msgspec.json.decode(record.body, type=FilesBody)
    except msgspec.MsgspecError as error:
        raise InvalidEvent(str(error)) from error
    if body.version != _VERSION:
        raise InvalidEvent(f"version {body.version} is not known to this program", path="version")
    return body


def translate(record: Record) -> tuple[Fact, ...] | str:
    """Return the facts of an answer, or why it has none; raise InvalidEvent for a wrong shape."""
    return (read_list(record),) if record.type == FILES_TYPE else f"no reader for {record.type}"


def read_list(record: Record) -> FilesObserved:
    """Return the list that a record holds."""
    body = read_body(record)
    if record.time is None:
        raise InvalidEvent("nothing says when the list was asked for", path="time")
    files = _files(body)
    heads = {match[1] for file in files if (match := _REF.search(file.contents_url or ""))}
    names = {name for file in files for name in (file.filename, file.previous_filename) if name}
    return FilesObserved(
        number=body.number,
        at=record.time,
        paths=tuple(sorted(names)),
        head=next(iter(heads)) if len(heads) == 1 else None,
        capped=body.cut or len(files) >= MOST_FILES,
        torn=len(heads) > 1,
    )


def _files(body: FilesBody) -> list[_File]:
    files: list[_File] = []
    for nth, page in enumerate(body.pages):
        try:
            files += msgspec.json.decode(page, type=list[_File])
        except msgspec.MsgspecError as error:
            raise InvalidEvent(str(error), path=f"pages[{nth}]") from error
    return files
