"""Is everything in order? Each check looks at one thing and says what it found.

Nothing is changed, and a check that fails does not keep the others from looking.
"""

import platform
import shutil
import sqlite3
import subprocess
from collections.abc import Callable, Iterator, Mapping
from contextlib import closing
from importlib.metadata import version
from typing import Final, Literal, TypeAlias

import msgspec
from sqlalchemy.exc import ProgrammingError, SQLAlchemyError

from events.errors import ShipledgerError
from events.log.port import Cursor
from projections.engine.read_model import ReadModel
from services.audit.answer_version import answer_version
from services.config.settings import SECRET, Settings
from services.logs.sqlite import SqliteLog
from services.logs.sqlite.connections import connect
from services.logs.walk import entries
from services.runtime.clock import wall_clock
from services.runtime.data_folder import DataFolder, FolderHeld
from services.stream.backlog import measure
from services.stream.clock_ahead import ahead_of_clock, stamped_ahead
from services.stream.engines import reading_engine

Verdict: TypeAlias = Literal["ok", "note", "fault"]

_GIB: Final = 1024**3
_LOW_DISK: Final = 1 * _GIB


class Finding(msgspec.Struct, frozen=True, kw_only=True):
    """What one check found; a `note` is worth reading, a `fault` needs a person."""

    check: str
    verdict: Verdict
    says: str


Check: TypeAlias = Callable[[Settings, DataFolder], Iterator[Finding]]


def examine(settings: Settings, *, deep: bool = False) -> list[Finding]:
    """Run all checks; `deep` also reads every record and compares it with its digest."""
    folder = DataFolder(settings.data)
    checks: list[tuple[str, Check]] = [
        ("programs", _programs),
        ("settings", _settings),
        ("folder", _folder),
        ("log", _log),
        ("read model", _read_model),
        ("kafka", _kafka),
    ]
    if deep:
        checks.append(("records", _records))
    findings: list[Finding] = []
    for name, check in checks:
        try:
            findings += check(settings, folder)
        except (ShipledgerError, SQLAlchemyError, sqlite3.Error, OSError) as error:
            findings.append(Finding(check=name, verdict="fault", says=str(error)))
    return findings


def _programs(_settings: Settings, _folder: DataFolder) -> Iterator[Finding]:
    versions = (
        f"shipledger {version('shipledger')} (answer version {answer_version()}), "
        f"Python {platform.python_version()}, SQLite {sqlite3.sqlite_version}, "
        f"tzdata {version('tzdata')}"
    )
    yield Finding(check="programs", verdict="ok", says=versions)
    git = shutil.which("git")
    if git is None:
        yield Finding(
            check="programs", verdict="note", says="git is not installed; `import git` needs it"
        )
        return
    process = subprocess.run([git, "--version"], capture_output=True, text=True, check=False)  # noqa: S603
    yield Finding(check="programs", verdict="ok", says=process.stdout.strip())


def _settings(settings: Settings, _folder: DataFolder) -> Iterator[Finding]:
    count = len(settings.decided.repositories)
    yield Finding(
        check="settings",
        verdict="ok",
        says=f"{count} repositories configured, digest {settings.digest[:16]}",
    )
    if not settings.webhook_secrets and not settings.repository_secrets:
        yield Finding(
            check="settings",
            verdict="note",
            says=f"{SECRET} is not set; `shipledger up` needs it to receive webhooks",
        )


def _folder(_settings: Settings, folder: DataFolder) -> Iterator[Finding]:
    if not folder.path.is_dir():
        yield Finding(
            check="folder", verdict="note", says=f"{folder.path} does not exist yet; `up` makes it"
        )
        return
    free = shutil.disk_usage(folder.path).free
    yield Finding(
        check="folder",
        verdict="ok" if free > _LOW_DISK else "fault",
        says=f"{folder.path}: {free / _GIB:.1f} GiB free on its disk",
    )
    try:
        with folder.held("command"):
            yield Finding(check="folder", verdict="ok", says="no process holds it")
    except FolderHeld as refusal:
        yield Finding(
            check="folder",
            verdict="ok",
            says=f"held by `shipledger {refusal.role}`, pid {refusal.pid}",
        )


def _log(_settings: Settings, folder: DataFolder) -> Iterator[Finding]:
    if not folder.log.exists():
        yield Finding(check="log", verdict="note", says="there is none yet")
        return
    with closing(SqliteLog(folder.log, clock=wall_clock, read_only=True)) as log:
        ends = log.ends()
        yield from _stamps(log, ends)
    size = folder.log.stat().st_size / 1024**2
    says = f"{sum(ends.values()):,} records in {len(ends)} partitions, {size:.1f} MiB"
    yield Finding(check="log", verdict="ok", says=says)
    with closing(connect(folder.log, read_only=True, busy_timeout=10)) as connection:
        faults = [row[0] for row in connection.execute("PRAGMA quick_check(5)")]
    whole = faults == ["ok"]
    yield Finding(
        check="log",
        verdict="ok" if whole else "fault",
        says="the file is whole" if whole else "damaged: " + "; ".join(faults),
    )


def _stamps(log: SqliteLog, ends: Mapping[str, int]) -> Iterator[Finding]:
    now = wall_clock()
    for partition, end in sorted(ends.items()):
        last = log.read(partition, Cursor(end - 1, 0), limit=1)[-1]
        says = ahead_of_clock(partition, last.recorded_at, now)
        if says is not None:
            yield Finding(check="log", verdict="fault", says=says)


def _read_model(_settings: Settings, folder: DataFolder) -> Iterator[Finding]:
    if not (folder.read_model.exists() and folder.log.exists()):
        yield Finding(check="read model", verdict="note", says="there is none yet")
        return
    engine = reading_engine(folder.read_model)
    try:
        with closing(SqliteLog(folder.log, clock=wall_clock, read_only=True)) as log:
            progress = measure(ReadModel(engine), log, wall_clock)
    finally:
        engine.dispose()
    for projection in progress:
        beyond = [part.partition for part in projection.partitions if part.position > part.end]
        if beyond:
            yield Finding(
                check="read model",
                verdict="fault",
                says=f"{projection.name} has read beyond the end of the log in "
                f"{', '.join(beyond)}: the log was replaced by an older one; delete "
                "read_model.sqlite and ask again",
            )
        rules = "; made by older rules: run `shipledger projections rebuild`"
        yield Finding(
            check="read model",
            verdict="note" if projection.outdated or projection.dead_letters else "ok",
            says=f"{projection.name}: {projection.records:,} records to read, "
            f"{projection.dead_letters:,} set aside" + (rules if projection.outdated else ""),
        )


def _kafka(settings: Settings, _folder: DataFolder) -> Iterator[Finding]:
    """Look at the topic and, where it is named, at what the database has read of it."""
    if settings.kafka is None:
        return
    from services.logs.kafka import KafkaLog

    with closing(KafkaLog(settings.kafka)) as log:
        records = sum(log.ends().values())
    says = f"{records:,} records in the {settings.kafka.partitions} partitions it was made with"
    yield Finding(check="kafka", verdict="ok", says=f"topic {settings.kafka.topic}: {says}")
    if settings.database is None:
        return
    engine = reading_engine(settings.database)
    try:
        with engine.connect() as connection:
            for warning in stamped_ahead(connection, wall_clock()):
                yield Finding(check="kafka", verdict="fault", says=warning)
    except ProgrammingError:
        says = "the database has no read model yet; `shipledger worker` makes it"
        yield Finding(check="kafka", verdict="note", says=says)
    finally:
        engine.dispose()


def _records(_settings: Settings, folder: DataFolder) -> Iterator[Finding]:
    if not folder.log.exists():
        return
    with closing(SqliteLog(folder.log, clock=wall_clock, read_only=True)) as log:
        count = sum(1 for partition in log.ends() for _ in entries(log, partition))
    yield Finding(
        check="records", verdict="ok", says=f"{count:,} records read, all as they were stored"
    )
