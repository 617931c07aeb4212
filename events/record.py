"""Records: what the log keeps, as received.

A record is a CloudEvents 1.0 event whose data are the raw bytes; nothing in it is interpreted.
An entry is a record at its place in the log.
"""

from collections.abc import Mapping
from typing import Final, Literal, TypeAlias, get_args

import msgspec

from events.identity import RepositoryKey, source_uri
from events.instant import Instant

#: Where a record came from. Each source has one translator in `events.sources`.
Source: TypeAlias = Literal[
    "webhook", "api", "archive", "git", "census", "curation", "configuration", "publication", "tick"
]
SOURCES: Final[frozenset[str]] = frozenset(get_args(Source))

SPEC_VERSION: Final = "1.0"
JSON: Final = "application/json"
FORM: Final = "application/x-www-form-urlencoded"


class Record(msgspec.Struct, frozen=True, kw_only=True):
    """One thing received or decided, before it has a place in the log.

    `id` is unique within `repository`; `type` is the CloudEvents type
    (`com.github.pull_request.closed`, `shipledger.git.commits`); `time` is the source's own time
    of it, where it names one; `attributes` are CloudEvents extensions (lower-case letters and
    digits), such as `hookid` and `receivedat` of a webhook delivery.
    """

    id: str
    repository: RepositoryKey
    source: Source
    type: str
    body: bytes
    time: Instant | None = None
    content_type: str = JSON
    attributes: Mapping[str, str] = {}

    @property
    def source_uri(self) -> str:
        """The CloudEvents `source` attribute."""
        return source_uri(self.repository)


class Entry(msgspec.Struct, frozen=True, kw_only=True):
    """A record at its place: K = `recorded_at` and `position` rise together in a partition."""

    record: Record
    partition: str
    position: int
    recorded_at: Instant
