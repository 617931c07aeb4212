"""Lists the files of pull requests by the API and appends the lists as they came."""

from collections.abc import Callable, Iterable
from typing import Final

import msgspec

from events.errors import NotFound
from events.identity import DEFAULT_HOST, RepositoryKey
from events.log.irregular import is_redacted
from events.log.port import Clock, Log
from events.record import Record
from events.sources.github_api.files import (
    FILES_TYPE,
    MOST_FILES,
    files_record,
    read_body,
    read_list,
)
from services.intake.github.client import GitHubClient
from services.logs.walk import entries

#: A longer list is cut: with all its patches it would not fit into a record. It is never a reason
#: to exclude a request then.
_MOST_BYTES: Final = 24 * 1024 * 1024
#: A list that changed between two of its pages is asked for again, so often.
_TRIES: Final = 3


class FilesResult(msgspec.Struct, frozen=True, kw_only=True):
    """What came of the requests: how many lists are new, and how many were known as they are.

    `gone` are the numbers of which GitHub shows no request.
    """

    new: int
    unchanged: int
    gone: tuple[int, ...] = ()


def api_address(host: str) -> str:
    """Return where the REST API of a host is."""
    return f"https://api.{host}" if host == DEFAULT_HOST else f"https://{host}/api/v3"


def import_files(
    client: GitHubClient,
    numbers: Iterable[int],
    *,
    log: Log,
    repository: RepositoryKey,
    full_name: str,
    clock: Clock,
    partition: str | None = None,
    progress: Callable[[int, int], None] | None = None,
) -> FilesResult:
    """List the files of each request; append a list that is not the one recorded already.

    Each list is appended as soon as it is whole, so what was read before a fault is kept.
    """
    wanted = sorted(set(numbers))
    etags = _etags(log, repository, partition or repository)
    new, gone = 0, []
    for done, number in enumerate(wanted, 1):
        try:
            record = _listed(client, repository, full_name, number, etags.get(number), clock)
        except NotFound:
            gone.append(number)
            record = None
        if record is not None:
            (appended,) = log.append([record])
            new += appended.outcome == "stored"
        if progress:
            progress(done, len(wanted))
    return FilesResult(new=new, unchanged=len(wanted) - new - len(gone), gone=tuple(gone))


def _listed(
    client: GitHubClient,
    repository: RepositoryKey,
    full_name: str,
    number: int,
    etag: str | None,
    clock: Clock,
) -> Record | None:
    """Return one list as a record, None where it is what its ETag says."""
    for attempt in range(_TRIES):
        asked_at = clock()
        answer = client.pages(
            f"/repos/{full_name}/pulls/{number}/files",
            etag=etag if attempt == 0 else None,
            most_items=MOST_FILES,
            most_bytes=_MOST_BYTES,
        )
        if answer.unchanged:
            return None
        record = files_record(
            repository, number, answer.pages, time=asked_at, etag=answer.etag, cut=answer.cut
        )
        if not read_list(record).torn:
            break
    return record


def _etags(log: Log, repository: RepositoryKey, partition: str) -> dict[int, str]:
    """Return the ETag of the last recorded list of each request that has one."""
    etags: dict[int, str] = {}
    for record in (entry.record for entry in entries(log, partition)):
        if record.type != FILES_TYPE or record.repository != repository or is_redacted(record):
            continue
        number = read_body(record).number
        etags.pop(number, None)
        if "etag" in record.attributes:
            etags[number] = record.attributes["etag"]
    return etags
