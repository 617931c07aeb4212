"""Archive files -> records: one for each event of a tracked repository, and one for each gap."""

import re
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Final

import msgspec

from events.errors import InvalidQuestion
from events.identity import RepositoryKey
from events.instant import Instant, format_instant, parse_instant
from events.log.port import Clock, Log
from events.record import Record
from events.sources.gharchive import TYPE_PREFIX, USED, Place
from services.intake.archive.gaps import MISSING, Knowledge, spans
from services.intake.archive.hours import HourFile
from services.logs.walk import entries

_BATCH: Final = 200
Progress = Callable[[int, int], None]


class Tracked(msgspec.Struct, frozen=True, kw_only=True):
    """A repository whose events are wanted; `id` is GitHub's, where it is known."""

    full_name: str
    key: RepositoryKey
    partition: str
    id: int | None = None


class ArchiveResult(msgspec.Struct, frozen=True, kw_only=True):
    """What an import read and kept."""

    files: int
    events: int
    """All that the files hold."""
    stored: int
    repeated: int
    """Of tracked repositories, and recorded before: the archive repeats itself."""
    unreadable: int
    """Lines that are no event; each is part of its file's gap."""
    gaps: tuple[tuple[str, str, str], ...]
    """Spans of which nothing certain is known: from, until (UTC), and why."""
    ids: dict[str, int]
    """GitHub's ids of the tracked repositories, by name, as the events show them."""


def import_archive(
    paths: Sequence[Path],
    tracked: Sequence[Tracked],
    *,
    log: Log,
    clock: Clock,
    progress: Progress = lambda _done, _total: None,
) -> ArchiveResult:
    """Read files in the order of their hours; record the events of tracked repositories.

    Hours between the first and the last file that are not among them are gaps. Reading the same
    files again stores nothing. Raise InvalidQuestion for a file that cannot be one, or twice the
    same hour, and OSError for one that is not there, before anything is recorded.
    """
    files = _in_order(paths)
    finder = _Finder(tracked)
    tally = _Tally(log)
    for place, file in enumerate(files):
        progress(place, len(files))
        for line in file:
            tally.events += 1
            tally.add(finder.record(line))
        if finder.unreadable and file.fault is None:
            file.fault = f"{finder.unreadable} lines are no events"
        tally.unreadable += finder.unreadable
        finder.unreadable = 0
    tally.flush()
    progress(len(files), len(files))
    hours = [file.hour for file in files]
    faults = {file.hour: file.fault for file in files if file.fault is not None}
    named: dict[Instant, str] = {}
    for repository in tracked:
        known = _known(repository, log)
        named |= dict.fromkeys(known.missing(hours), MISSING) | faults
        log.append(list(known.records(repository.key, hours, faults, now=clock())))
    return ArchiveResult(
        files=len(files),
        events=tally.events,
        stored=tally.stored,
        repeated=tally.repeated,
        unreadable=tally.unreadable,
        gaps=tuple(
            (format_instant(start), format_instant(end), reason)
            for start, end, reason in spans(named)
        ),
        ids=finder.ids,
    )


def _in_order(paths: Sequence[Path]) -> list[HourFile]:
    files = sorted((HourFile(path) for path in paths), key=lambda file: file.hour)
    for file in files:
        file.path.stat()
    hours = [file.hour for file in files]
    if len(set(hours)) < len(hours):
        twice = next(file for file in files if hours.count(file.hour) > 1)
        raise InvalidQuestion(f"two files are of the hour of {twice.path.name}; give one of them")
    return files


class _Line(msgspec.Struct, frozen=True):
    """As much of an event as tells whose it is; its own reader checks the rest."""

    id: str | int
    type: str
    repo: Place
    created_at: str


class _Finder:
    """Finds the events of tracked repositories. Most lines are of others, and are never decoded."""

    def __init__(self, tracked: Sequence[Tracked]) -> None:
        self._by_name = {repository.full_name.lower(): repository for repository in tracked}
        self._by_id = {r.id: r for r in tracked if r.id is not None}
        names = [rf'"name":\s?"{re.escape(repository.full_name)}"' for repository in tracked]
        ids = [rf'"id":\s?{number}\b' for number in self._by_id]
        self._may_be = re.compile("|".join((*names, *ids)).encode(), re.IGNORECASE)
        self._decoder = msgspec.json.Decoder(_Line)
        self.unreadable = 0
        self.ids: dict[str, int] = {}

    def record(self, line: bytes) -> tuple[Tracked, Record] | None:
        if not self._may_be.search(line):
            self.unreadable += not line.startswith(b"{")
            return None
        try:
            event = self._decoder.decode(line)
            at = parse_instant(event.created_at)
        except (msgspec.MsgspecError, ValueError):
            self.unreadable += 1
            return None
        repository = self._by_id.get(event.repo.id) or self._by_name.get(event.repo.name.lower())
        if repository is None or event.type not in USED:
            return None
        self.ids[repository.full_name] = event.repo.id
        record = Record(
            id=f"event-{event.id}",
            repository=repository.key,
            source="archive",
            type=TYPE_PREFIX + event.type,
            body=line.rstrip(b"\r\n"),
            time=at,
        )
        return repository, record


class _Tally:
    """Appends in batches, and counts."""

    def __init__(self, log: Log) -> None:
        self._log = log
        self._waiting: list[Record] = []
        self.events = self.stored = self.repeated = self.unreadable = 0

    def add(self, found: tuple[Tracked, Record] | None) -> None:
        if found is not None:
            self._waiting.append(found[1])
            if len(self._waiting) >= _BATCH:
                self.flush()

    def flush(self) -> None:
        if self._waiting:
            appended = self._log.append(self._waiting)
            new = sum(each.outcome == "stored" for each in appended)
            self.stored += new
            self.repeated += len(appended) - new
            self._waiting = []


def _known(repository: Tracked, log: Log) -> Knowledge:
    known = Knowledge()
    for entry in entries(log, repository.partition):
        if entry.record.repository == repository.key:
            known.add(entry.record)
    return known
