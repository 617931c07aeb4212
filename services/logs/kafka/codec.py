"""Records as Kafka messages: CloudEvents 1.0 in Kafka's binary mode. Pure; no client is imported.

key = repository key, value = the raw body, header `content-type`, and one header `ce_<name>` for
every attribute; `ce_origin` is our own extension for the kind of source. A message that somebody
else wrote may carry headers that are no attributes: they are kept, under `header:<name>`.
See the binding: https://github.com/cloudevents/spec/blob/v1.0.2/cloudevents/bindings/kafka-protocol-binding.md
"""

import hashlib
from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Final, NamedTuple, TypeAlias, cast

from events.errors import InvalidEvent
from events.identity import RepositoryKey, source_uri
from events.instant import format_instant, parse_instant
from events.record import JSON, SOURCES, SPEC_VERSION, Record, Source

Headers: TypeAlias = Sequence[tuple[str, bytes]]

CONTENT_TYPE: Final = "content-type"
ATTRIBUTE: Final = "ce_"
FOREIGN: Final = "header:"
STRUCTURED: Final = "application/cloudevents"
#: Attributes that are fields of a record, and so cannot be extensions.
FIELDS: Final = ("specversion", "id", "source", "type", "time", "origin")


class Message(NamedTuple):
    """One Kafka message, without its place."""

    key: bytes
    value: bytes
    headers: list[tuple[str, bytes]]

    @property
    def size(self) -> int:
        """Return the bytes that count towards limits."""
        header_bytes = sum(len(name) + len(value) for name, value in self.headers)
        return len(self.key) + len(self.value) + header_bytes


def encode(record: Record) -> Message:
    """Return a record as a message; raise InvalidEvent where an extension has a taken name."""
    attributes = {
        "specversion": SPEC_VERSION,
        "id": record.id,
        "source": record.source_uri,
        "type": record.type,
        "origin": record.source,
    }
    if record.time is not None:
        attributes["time"] = format_instant(record.time)
    headers = [(CONTENT_TYPE, record.content_type.encode())]
    headers += [(ATTRIBUTE + name, value.encode()) for name, value in attributes.items()]
    for name, value in record.attributes.items():
        if name in FIELDS:
            raise InvalidEvent("is a field of the record", path=f"attributes.{name}")
        header = name.removeprefix(FOREIGN) if name.startswith(FOREIGN) else ATTRIBUTE + name
        headers.append((header, value.encode()))
    return Message(record.repository.encode(), record.body, headers)


def decode(key: bytes | None, value: bytes, headers: Headers) -> Record:
    """Return a message as a record; raise InvalidEvent where it is not one."""
    repository = repository_of(key)
    texts = {name: _text(name, raw) for name, raw in headers}
    content_type = texts.get(CONTENT_TYPE, JSON)
    if content_type.lower().startswith(STRUCTURED):
        raise InvalidEvent("structured mode is not read", path=CONTENT_TYPE)
    if _required(texts, "specversion") != SPEC_VERSION:
        raise InvalidEvent(f"is not {SPEC_VERSION}", path="ce_specversion")
    if _required(texts, "source") != source_uri(repository):
        raise InvalidEvent(f"does not belong to the key {repository}", path="ce_source")
    origin = _required(texts, "origin")
    if origin not in SOURCES:
        raise InvalidEvent(f"unknown source {origin}", path="ce_origin")
    return Record(
        id=_required(texts, "id"),
        repository=repository,
        source=cast("Source", origin),
        type=_required(texts, "type"),
        body=value,
        time=_time(texts.get("ce_time")),
        content_type=content_type,
        attributes=_extensions(texts),
    )


def repository_of(key: bytes | None) -> RepositoryKey:
    """Return the repository key of a message's key; raise InvalidEvent where there is none."""
    if not key:
        raise InvalidEvent("is empty", path="key")
    return _text("key", key)


def _text(name: str, raw: bytes | None) -> str:
    try:
        return (raw or b"").decode()
    except UnicodeDecodeError:
        if not name.startswith(ATTRIBUTE) and name not in (CONTENT_TYPE, "key"):
            return cast("bytes", raw).decode(errors="backslashreplace")
        raise InvalidEvent("is not UTF-8", path=name) from None


def _required(texts: Mapping[str, str], name: str) -> str:
    value = texts.get(ATTRIBUTE + name)
    if not value:
        raise InvalidEvent("is missing", path=ATTRIBUTE + name)
    return value


def _time(text: str | None) -> int | None:
    try:
        return None if text is None else parse_instant(text)
    except ValueError as error:
        raise InvalidEvent(str(error), path="ce_time") from None


def _extensions(texts: Mapping[str, str]) -> dict[str, str]:
    fields = {ATTRIBUTE + name for name in FIELDS} | {CONTENT_TYPE}
    return {
        name.removeprefix(ATTRIBUTE) if name.startswith(ATTRIBUTE) else FOREIGN + name: value
        for name, value in texts.items()
        if name not in fields
    }


@lru_cache(maxsize=4096)
def partition_of(key: RepositoryKey, count: int) -> int:
    """Return the number of the partition that holds this repository's records.

    It is the first 8 bytes of SHA-256(UTF-8 of the key), big-endian, modulo the partition count:
    our own rule, the same for every client and language. Clients' own rules differ (murmur2 here,
    CRC there, "sticky" elsewhere), and one repository in two partitions would have two orders. For
    the same reason the count of a topic never changes.
    """
    return int.from_bytes(hashlib.sha256(key.encode()).digest()[:8], "big") % count
