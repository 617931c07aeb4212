"""Export of a log to one file, and import from it; the lines are told in `exchange_lines`.

Both stream: memory holds one batch a partition, or the largest record. An import first reads the
whole file and checks it, then stores: a damaged or cut file changes nothing. Import into an empty
log keeps every `recorded_at`; into another it appends anew, so that known history starts now.
Doing it again adds nothing, since the log refuses what it has.
"""

import gzip
import hashlib
import heapq
import shutil
import tempfile
import zlib
from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Iterator
from contextlib import ExitStack, contextmanager
from itertools import chain
from pathlib import Path
from typing import IO, BinaryIO, Final, Protocol, cast, runtime_checkable

import msgspec

from events.errors import InvalidQuestion
from events.log.irregular import TOMBSTONE_TYPE, UNREADABLE_TYPE
from events.log.port import START, Cursor, Log
from events.record import Entry, Record
from services.logs.exchange_lines import (
    FORMAT,
    VERSION,
    Closing,
    DamagedLine,
    EntryLine,
    Header,
    entry_of,
    is_closing,
    line_of,
    seal,
    unseal,
)
from services.logs.files import whole_file

#: One batch a partition is held at once while partitions are brought together.
_EXPORT_BYTES: Final = 1024 * 1024
_EXPORT_RECORDS: Final = 100
_IMPORT_BYTES: Final = 8 * 1024 * 1024
_IMPORT_RECORDS: Final = 500

_GZIP_MAGIC: Final = b"\x1f\x8b"


@runtime_checkable
class _KeepsStamps(Protocol):
    def load(self, entries: Iterable[Entry]) -> int: ...


class Exported(msgspec.Struct, frozen=True, kw_only=True):
    """What an export wrote.

    `moved`: repositories whose records lie in more than one partition; the log has no one order of
    them, and the file has that of `recorded_at`.
    """

    entries: int
    partitions: dict[str, int]
    moved: tuple[str, ...] = ()


class Imported(msgspec.Struct, frozen=True, kw_only=True):
    """What an import did with the entries of a file.

    `stored` includes `conflicts`: second bodies of an id, kept beside the first.
    `kept_stamps` is False where the records were stamped anew: what the file knew about *when*
    things became known is not in this log, whose known history of them starts now.
    """

    entries: int
    stored: int
    duplicates: int
    conflicts: int
    kept_stamps: bool

    @property
    def known_history_starts_now(self) -> bool:
        """Tell whether something was stored under a new stamp."""
        return self.stored > 0 and not self.kept_stamps


def export_log(
    log: Log, out: Path | BinaryIO, partitions: Collection[str] | None = None
) -> Exported:
    """Write all entries, or those of some partitions, up to the present end of the log.

    A path ending in `.gz` is compressed; it appears only when it is whole. Raise InvalidQuestion
    for a partition that the log does not have.
    """
    ends = log.ends()
    if partitions is not None:
        unknown = sorted(set(partitions) - ends.keys())
        if unknown:
            raise InvalidQuestion(f"the log has no partition {', '.join(unknown)}")
        ends = {partition: ends[partition] for partition in partitions}
    with _writer(out) as stream:
        return _write(log, ends, stream)


def import_log(log: Log, source: Path | BinaryIO) -> Imported:
    """Check a whole export, then store it; raise InvalidQuestion, with the line, if it is damaged.

    A stream that cannot be read twice is copied to a temporary file first.
    """
    with _reader(source) as stream:
        total = sum(1 for _ in _entries(stream))
        stream.seek(0)
        if isinstance(log, _KeepsStamps) and not log.ends():
            stored = log.load(_entries(stream))
            return Imported(
                entries=total,
                stored=stored,
                duplicates=total - stored,
                conflicts=0,
                kept_stamps=True,
            )
        return _append(log, _entries(stream))


def _write(log: Log, ends: dict[str, int], stream: IO[bytes]) -> Exported:
    content = hashlib.sha256()
    counts: Counter[str] = Counter()
    places: dict[str, set[str]] = defaultdict(set)
    entries = heapq.merge(
        *(_partition(log, partition, end) for partition, end in sorted(ends.items())),
        key=lambda entry: (entry.recorded_at, entry.partition),
    )
    header = seal(Header(format=FORMAT, version=VERSION))
    for line in chain([header], (_counted(entry, counts, places) for entry in entries)):
        content.update(line)
        stream.write(line)
    closing = Closing(entries=counts.total(), partitions=dict(counts), content=content.hexdigest())
    stream.write(seal(closing))
    moved = sorted(repository for repository, lies_in in places.items() if len(lies_in) > 1)
    return Exported(entries=closing.entries, partitions=closing.partitions, moved=tuple(moved))


def _counted(entry: Entry, counts: Counter[str], places: dict[str, set[str]]) -> bytes:
    counts[entry.partition] += 1
    if entry.record.type not in (UNREADABLE_TYPE, TOMBSTONE_TYPE):
        places[entry.record.repository].add(entry.partition)
    return seal(line_of(entry))


def _partition(log: Log, partition: str, end: int) -> Iterator[Entry]:
    cursor = START
    while cursor.position < end:
        limit = min(_EXPORT_RECORDS, end - cursor.position)
        batch = log.read(partition, cursor, limit=limit, max_bytes=_EXPORT_BYTES)
        yield from batch
        cursor = Cursor(batch[-1].position + 1, batch[-1].recorded_at)


def _entries(stream: IO[bytes]) -> Iterator[Entry]:
    """Yield the entries of an export; raise InvalidQuestion at the first thing that is wrong."""
    number = 1
    try:
        line = stream.readline()
        content = hashlib.sha256(line)
        _check_header(unseal(line, Header))
        counts: Counter[str] = Counter()
        while not is_closing(line := stream.readline()):
            number += 1
            if not line:
                raise DamagedLine("the file ends before its closing line: it was cut off")
            content.update(line)
            entry = entry_of(unseal(line, EntryLine))
            counts[entry.partition] += 1
            yield entry
        number += 1
        closing = unseal(line, Closing)
        if closing.content != content.hexdigest() or closing.partitions != dict(counts):
            raise DamagedLine("lines are missing, added or in another order than written")
        if stream.read(1):
            raise DamagedLine("something follows the closing line")
    except (DamagedLine, EOFError, gzip.BadGzipFile, zlib.error) as error:
        raise InvalidQuestion(f"damaged export, line {number}: {error}") from error


def _check_header(header: Header) -> None:
    if header.format != FORMAT:
        raise DamagedLine(f"the format is {header.format!r}, not {FORMAT!r}")
    if header.version > VERSION:
        raise DamagedLine(
            f"format version {header.version} is newer than this program ({VERSION}): upgrade"
        )


def _append(log: Log, entries: Iterator[Entry]) -> Imported:
    outcomes: Counter[str] = Counter()
    for batch in _batches(entries):
        outcomes.update(appended.outcome for appended in log.append(batch))
    return Imported(
        entries=outcomes.total(),
        stored=outcomes["stored"] + outcomes["conflict"],
        duplicates=outcomes["duplicate"],
        conflicts=outcomes["conflict"],
        kept_stamps=False,
    )


def _batches(entries: Iterator[Entry]) -> Iterator[list[Record]]:
    batch: list[Record] = []
    size = 0
    for entry in entries:
        batch.append(entry.record)
        size += len(entry.record.body)
        if size >= _IMPORT_BYTES or len(batch) == _IMPORT_RECORDS:
            yield batch
            batch, size = [], 0
    if batch:
        yield batch


@contextmanager
def _writer(out: Path | BinaryIO) -> Iterator[IO[bytes]]:
    if not isinstance(out, Path):
        yield out
        return
    with whole_file(out) as part, part.open("wb") as file:
        if out.suffix != ".gz":
            yield file
            return
        # No name and no time inside, so that the same log gives the same file.
        with gzip.GzipFile("", "wb", compresslevel=6, fileobj=file, mtime=0) as packed:
            yield cast(IO[bytes], packed)


def _open(source: Path) -> IO[bytes]:
    try:
        return source.open("rb")
    except OSError as error:
        raise InvalidQuestion(f"cannot read {source}: {error.strerror}") from error


@contextmanager
def _reader(source: Path | BinaryIO) -> Iterator[IO[bytes]]:
    with ExitStack() as stack:
        stream: IO[bytes]
        if isinstance(source, Path):
            stream = stack.enter_context(_open(source))
        else:
            stream = stack.enter_context(tempfile.TemporaryFile())
            shutil.copyfileobj(source, stream)
            stream.seek(0)
        packed = stream.read(len(_GZIP_MAGIC)) == _GZIP_MAGIC
        stream.seek(0)
        if packed:
            stream = cast(IO[bytes], stack.enter_context(gzip.GzipFile(fileobj=stream)))
        yield stream
