"""The lines of an exported log: what one says, and how damage to it is noticed.

A file is UTF-8, one JSON object a line, optionally gzipped as a whole:

* the header: `{"format": "shipledger.log", "version": 1, "sha256": …}`;
* one line an entry, in the order of `recorded_at`: the CloudEvents attributes by their names
  (`specversion`, `id`, `type`, `time`, `datacontenttype`; extensions under `attributes`), our
  `repository`, `origin` (the record's source), `partition`, `position` and `recordedat`, and the
  body: as text in `data` where it is valid UTF-8, else in `data_base64`. Both give the same bytes
  back. Times are RFC 3339 in UTC;
* the closing line: the number of entries, by partition and together, and `content`, the SHA-256
  over all lines before it.

Each line ends with `sha256`, the digest of the line as it would be without that member.
"""

import base64
import hashlib
from typing import Final, TypeVar

import msgspec

from events.errors import InvalidQuestion
from events.instant import format_instant, parse_instant
from events.record import SPEC_VERSION, Entry, Record, Source

FORMAT: Final = "shipledger.log"
VERSION: Final = 1

_SEAL_START: Final = b',"sha256":"'
_SEAL_END: Final = b'"}'
_SEAL_LENGTH: Final = len(_SEAL_START) + 64 + len(_SEAL_END)

_T = TypeVar("_T", bound=msgspec.Struct)


class DamagedLine(InvalidQuestion):
    """A line of an export is not what was written."""


class Header(msgspec.Struct, frozen=True, kw_only=True):
    """The first line; other members may be added without a new version."""

    format: str
    version: int


class EntryLine(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """One entry; exactly one of `data` and `data_base64` is there."""

    partition: str
    position: int
    recordedat: str
    repository: str
    origin: Source
    specversion: str
    id: str
    source: str
    type: str
    time: str | None = None
    datacontenttype: str
    attributes: dict[str, str] = {}
    data: str | None = None
    data_base64: str | None = None


class Closing(msgspec.Struct, frozen=True, kw_only=True):
    """The last line: without it the file is not whole."""

    entries: int
    partitions: dict[str, int]
    content: str


def seal(line: msgspec.Struct) -> bytes:
    """Return a line with its digest and its line end."""
    plain = msgspec.json.encode(line)
    digest = hashlib.sha256(plain).hexdigest().encode()
    return plain[:-1] + _SEAL_START + digest + _SEAL_END + b"\n"


def unseal(line: bytes, kind: type[_T]) -> _T:
    """Read a line of a known kind; raise DamagedLine where it is not as it was written."""
    if not line.endswith(b"\n"):
        raise DamagedLine("the file ends in the middle of a line")
    line = line[:-1]
    plain, mark = line[:-_SEAL_LENGTH] + b"}", line[-_SEAL_LENGTH:]
    digest = hashlib.sha256(plain).hexdigest().encode()
    if mark != _SEAL_START + digest + _SEAL_END:
        raise DamagedLine("the line does not fit its digest")
    try:
        return msgspec.json.decode(plain, type=kind)
    except msgspec.DecodeError as error:
        raise DamagedLine(f"not a line of an export: {error}") from error


def is_closing(line: bytes) -> bool:
    """Tell the closing line from an entry's without reading all of it."""
    return line.startswith(b'{"entries":')


def line_of(entry: Entry) -> EntryLine:
    """Return the line of an entry."""
    record = entry.record
    try:
        data, data_base64 = record.body.decode(), None
    except UnicodeDecodeError:
        data, data_base64 = None, base64.b64encode(record.body).decode()
    return EntryLine(
        partition=entry.partition,
        position=entry.position,
        recordedat=format_instant(entry.recorded_at),
        repository=record.repository,
        origin=record.source,
        specversion=SPEC_VERSION,
        id=record.id,
        source=record.source_uri,
        type=record.type,
        time=None if record.time is None else format_instant(record.time),
        datacontenttype=record.content_type,
        attributes=dict(record.attributes),
        data=data,
        data_base64=data_base64,
    )


def entry_of(line: EntryLine) -> Entry:
    """Return the entry of a line; raise DamagedLine where its values make none."""
    try:
        return Entry(
            record=Record(
                id=line.id,
                repository=line.repository,
                source=line.origin,
                type=line.type,
                body=_body(line),
                time=None if line.time is None else parse_instant(line.time),
                content_type=line.datacontenttype,
                attributes=line.attributes,
            ),
            partition=line.partition,
            position=line.position,
            recorded_at=parse_instant(line.recordedat),
        )
    except ValueError as error:
        raise DamagedLine(f"record {line.id}: {error}") from error


def _body(line: EntryLine) -> bytes:
    if line.data is not None:
        return line.data.encode()
    if line.data_base64 is not None:
        return base64.b64decode(line.data_base64, validate=True)
    raise DamagedLine(f"record {line.id} has no body")
