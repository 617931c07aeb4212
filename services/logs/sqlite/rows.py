"""Records as rows, and back.

Bodies are compressed with zlib at level 1 where that saves at least a tenth. Measured on 2,000
GitHub pull request payloads of 24 kB (the published examples; 2 cores, local disk, FULL):

| | as received | zlib 1 | zlib 6 |
|---|---|---|---|
| size of the file / bytes received | 1.03 | 0.17 | 0.15 |
| to compress, to expand one body | | 62 µs, 35 to 80 µs | 140 µs, 32 µs |
| appends a second, one by one | 2,020 | 4,070 | |
| appends a second, groups of 100 | 8,900 | 11,600 | |
| bodies read a second | 85,000 | 34,000 | |

So compressing makes appending faster (fewer pages to sync) and the disk six times larger, and what
it costs in reading is small beside translating and folding a record.
"""

import zlib
from collections.abc import Iterator, Sequence
from typing import Final, NamedTuple, cast

import msgspec

from events.errors import BrokenLog
from events.identity import body_digest
from events.log.irregular import digest_as_received, is_redacted
from events.record import Entry, Record, Source

_LEVEL: Final = 1
#: Below this many bytes a page is not filled anyway.
_SMALL: Final = 256

_Attributes = msgspec.json.Decoder(dict[str, str])


class PackedBody(NamedTuple):
    """A body as it is stored."""

    encoding: str
    data: bytes


class Packed(NamedTuple):
    """A record made ready for storing, which is done before the writer's lock is taken."""

    record: Record
    digest: str
    body: PackedBody


class Header(NamedTuple):
    """One row of `record` with the key of its partition, in the order of the queries."""

    sequence: int
    partition: str
    position: int
    recorded_at: int
    id: str
    source: str
    type: str
    time: int | None
    content_type: str
    attributes: str
    digest: str
    size: int


def pack(record: Record, *, compress: bool) -> Packed:
    """Compute what storing needs from the record alone."""
    return Packed(record, digest_as_received(record), pack_body(record.body, compress=compress))


def pack_body(body: bytes, *, compress: bool) -> PackedBody:
    """Return the body compressed where that is worth it."""
    if compress and len(body) >= _SMALL:
        data = zlib.compress(body, _LEVEL)
        if len(data) < 0.9 * len(body):
            return PackedBody("zlib", data)
    return PackedBody("raw", body)


def pack_attributes(record: Record) -> str:
    """Return the attributes as JSON text."""
    return msgspec.json.encode(dict(record.attributes)).decode()


def entry_of(header: Header, stored: PackedBody) -> Entry:
    """Return the entry of a row and its body; raise BrokenLog if the bytes are not those stored."""
    record = Record(
        id=header.id,
        repository=header.partition,
        source=cast(Source, header.source),
        type=header.type,
        body=_unpack(header, stored),
        time=header.time,
        content_type=header.content_type,
        attributes=_Attributes.decode(header.attributes),
    )
    if body_digest(record.body) != header.digest and not is_redacted(record):
        raise BrokenLog(f"{_place(header)}: the body is not the one that was stored")
    return Entry(
        record=record,
        partition=header.partition,
        position=header.position,
        recorded_at=header.recorded_at,
    )


def within(headers: Sequence[Header], max_bytes: int) -> Iterator[Header]:
    """Yield the first headers whose bodies fit into `max_bytes` together, but at least one."""
    total = 0
    for nth, header in enumerate(headers):
        total += header.size
        if nth and total > max_bytes:
            return
        yield header


def _unpack(header: Header, stored: PackedBody) -> bytes:
    if stored.encoding == "raw":
        return stored.data
    try:
        return zlib.decompress(stored.data, bufsize=header.size or 1)
    except zlib.error as error:
        raise BrokenLog(f"{_place(header)}: the body cannot be expanded: {error}") from error


def _place(header: Header) -> str:
    return f"{header.partition} position {header.position} (record {header.id})"
