"""Records of git history, which Shipledger writes itself from a clone, and what they state.

`shipledger.git.commits` holds a batch of commits, `shipledger.git.refs` the refs that were new,
moved or gone at one reading. Bodies have a version and are never edited; their golden files in
`tests/payloads/authored/` are never changed. A new shape is a new version with a reader here.

Pull requests are recognised at translation, not at import: a mended rule needs no new import.
Only commits with a `branch` (its first-parent history holds them) are landings; what was merged
inside a request's own branch is not.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Final

import msgspec

from events.errors import InvalidEvent
from events.facts.base import Fact, Trust
from events.facts.git import Commit, CommitsObserved, RefObserved
from events.facts.pull_request import PullRequestObserved
from events.facts.repository import RepositoryObserved
from events.identity import RepositoryKey, derived_id
from events.instant import Instant
from events.record import Record
from events.sources import git_contents
from events.sources.commit_message import Landing, Method, split_message
from events.sources.commit_message import landings as stated_landings

COMMITS_TYPE: Final = "shipledger.git.commits"
REFS_TYPE: Final = "shipledger.git.refs"
_VERSION: Final = 1

_TRUST: Final[Mapping[Method, Trust]] = {
    "merge subject": Trust.GIT_TEMPLATE,
    "trailing number": Trust.GIT_SUBJECT,
}


class CommitsBody(msgspec.Struct, frozen=True, kw_only=True):
    """The body of `shipledger.git.commits`, version 1."""

    version: int
    commits: tuple[Commit, ...]


class RefsBody(msgspec.Struct, frozen=True, kw_only=True):
    """The body of `shipledger.git.refs`, version 1: what differs from the reading before.

    `fetched_at` is when the clone was read: every ref had its value by then.
    """

    version: int
    full_name: str
    default_branch: str | None
    fetched_at: Instant
    refs: tuple[RefObserved, ...]


def commits_record(
    repository: RepositoryKey, commits: Sequence[Commit], *, previous: str = "", time: Instant
) -> Record:
    """Write a batch of commits as a record.

    `previous` is the id of the commits record before it, so that a commit which comes back to a
    branch it was on is a new record and not a repetition. `time` is when the clone was read.
    """
    body = msgspec.json.encode(CommitsBody(version=_VERSION, commits=tuple(commits)))
    return _record(COMMITS_TYPE, repository, body, previous, time)


def refs_record(
    repository: RepositoryKey,
    refs: Sequence[RefObserved],
    *,
    full_name: str,
    default_branch: str | None,
    fetched_at: Instant,
    previous: str = "",
) -> Record:
    """Write refs that are new, moved or gone as a record; `previous` as in `commits_record`."""
    body = RefsBody(
        version=_VERSION,
        full_name=full_name,
        default_branch=default_branch,
        fetched_at=fetched_at,
        refs=tuple(refs),
    )
    return _record(REFS_TYPE, repository, msgspec.json.encode(body), previous, fetched_at)


def _record(
    kind: str, repository: RepositoryKey, body: bytes, previous: str, time: Instant
) -> Record:
    return Record(
        id=derived_id(kind, repository, previous, body),
        repository=repository,
        source="git",
        type=kind,
        body=body,
        time=time,
    )


def read_body(record: Record) -> CommitsBody | RefsBody | None:
    """Return the body of a git record in its newest shape, None for a type that is not ours.

    Raise InvalidEvent for a version this program does not know and for a body out of shape.
    """
    if not any(kind == record.type for kind, _ in _READERS):
        return None
    try:
        version = msgspec.json.decode(record.body, type=_Versioned).version
        reader = _READERS.get((record.type, version))
        if reader is None:
            raise InvalidEvent(
                f"version {version} of {record.type} is not known to this program", path="version"
            )
        return reader(record.body)
    except msgspec.MsgspecError as error:
        raise InvalidEvent(str(error)) from error


class _Versioned(msgspec.Struct):
    version: int


_READERS: Final[Mapping[tuple[str, int], Callable[[bytes], CommitsBody | RefsBody]]] = {
    (COMMITS_TYPE, 1): msgspec.json.Decoder(CommitsBody).decode,
    (REFS_TYPE, 1): msgspec.json.Decoder(RefsBody).decode,
}


def translate(record: Record) -> tuple[Fact, ...] | str:
    """Return what a git record states: commits and the requests they land, refs, or contents."""
    contents = git_contents.translate(record)
    if contents is not None:
        return contents
    body = read_body(record)
    if isinstance(body, CommitsBody):
        commits = tuple(map(_with_subject, body.commits))
        return (CommitsObserved(commits=commits), *landings(commits))
    if isinstance(body, RefsBody):
        sighting = RepositoryObserved(
            full_name=body.full_name, at=body.fetched_at, default_branch=body.default_branch
        )
        return (sighting, *body.refs)
    return f"unknown record type {record.type}"


def _with_subject(commit: Commit) -> Commit:
    """Return the commit with its first line of text as subject, also where an older program wrote
    an empty one of a message that begins with blanks.
    """
    if commit.subject and not commit.subject.startswith("\ufeff"):
        return commit
    subject, message = split_message(f"{commit.subject}\n{commit.message}")
    return msgspec.structs.replace(commit, subject=subject, message=message)


def landings(commits: Iterable[Commit]) -> tuple[PullRequestObserved, ...]:
    """Return the requests that commits land on the branch whose first-parent history they are in.

    A commit proves a merge and no more: its author is not the request's, and it cannot say when
    the request was opened.
    """
    return tuple(
        _landing(commit, stated)
        for commit in commits
        if commit.branch is not None
        for stated in stated_landings(commit.subject, commit.message, parents=len(commit.parents))
    )


def _landing(commit: Commit, stated: Landing) -> PullRequestObserved:
    return PullRequestObserved(
        number=stated.number,
        at=commit.committed_at,
        kind="merge_commit",
        trust=_TRUST[stated.method],
        merged=True,
        merged_at=commit.committed_at,
        base=commit.branch,
        merge_commit_sha=commit.sha,
        title=stated.title,
        recognised_by=stated.method,
    )
