"""Mirrors one repository: fetches when asked or when it is time, and appends what it saw.

A fetch that fails is tried again with growing pauses; what was asked meanwhile is answered then.
A record is appended before the cursor moves, so a mirror that is killed anywhere fetches again and
appends only what is missing.
"""

import threading
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Final
from urllib.parse import quote

import msgspec

from events.errors import BrokenLog, ShipledgerError, TransientError
from events.identity import RepositoryKey
from events.instant import SECOND
from events.log.port import Clock, Log
from services.config.remotes import Remote
from services.intake.git import (
    GitFault,
    GitRepository,
    ImportResult,
    Reading,
    append_news,
    compare_copies,
    read_contents,
)
from services.intake.mirror.clone import Clone, refspecs
from services.intake.mirror.follower import Follower
from services.intake.mirror.process import CloneUnusable, MirrorStopped, RemoteGit, RemoteTooSlow
from services.intake.mirror.schedule import Schedule
from services.intake.mirror.state import MirrorState, StateFile
from services.runtime.loop import POLL_SECONDS, BackgroundLoop, Backoff
from services.runtime.telemetry import Metrics


@dataclass(frozen=True, slots=True, kw_only=True)
class Target:
    """One repository: where it is fetched from, how often, and where its records go.

    `branches` are the globs of the branches beside the default one that count as landing (none:
    those of `services.intake.git.branches`); `contents`: files are fetched and read;
    `partition` is where the log keeps the repository.
    """

    repository: RepositoryKey
    full_name: str
    remote: Remote
    refs: tuple[str, ...]
    interval: float
    time_limit: float
    branches: tuple[str, ...] = ()
    contents: bool = False
    partition: str


#: Seconds until a log that could not be read is tried again.
_PAUSE: Final = 2.0
#: Seconds to wait at the end for git to be ended and a record to be appended.
_LAST_FETCH: Final = 15.0


class Fetched(msgspec.Struct, frozen=True, kw_only=True):
    """What one fetch came to; `result` is None for a repository without any branch yet."""

    repository: str
    result: ImportResult | None = None

    @property
    def outcome(self) -> str:
        """The fetch in one word, as the metrics have it."""
        if self.result is None:
            return "empty"
        return "changed" if self.result.records else "unchanged"


class Worker(BackgroundLoop):
    """Use it from one thread; `stopping` ends it, also in the middle of a fetch."""

    def __init__(
        self,
        target: Target,
        folder: Path,
        *,
        log: Log,
        clock: Clock,
        metrics: Metrics,
        stopping: threading.Event,
    ) -> None:
        super().__init__(
            f"mirror {target.full_name}",
            backoff=Backoff(_PAUSE, _PAUSE),
            last_round=_LAST_FETCH,
            stopping=stopping,
            daemon=False,
        )
        self.target = target
        own_folder = folder / quote(target.repository, safe="")
        git = RemoteGit(
            target.remote, refspecs(target.refs), stopping=stopping, limit=target.time_limit
        )
        self._clone = Clone(own_folder, git, target.full_name, contents=target.contents)
        self._file = StateFile(own_folder / "state.json")
        self._state = self._file.load()
        self._follower = Follower(log, target.repository, target.partition)
        self._compared = False
        """Whether what looks alike was compared since something was recorded."""
        self._log = log
        self._clock = clock
        self._metrics = metrics
        self._logger = self._logger.bind(repository=target.full_name)
        self._schedule: Schedule | None = None
        self._tell_age()

    def fetch(self) -> Fetched:
        """Fetch once and append what is new; raise what hinders it."""
        started = time.perf_counter()
        try:
            fetched = self._checked()
        except MirrorStopped:
            raise
        except ShipledgerError as error:
            slow = isinstance(error, RemoteTooSlow)
            self._count("too_slow" if slow else "failed", time.perf_counter() - started)
            raise
        self._count(fetched.outcome, time.perf_counter() - started)
        self._tell_age()
        return fetched

    def _round(self) -> float:
        try:
            self._schedule = self._schedule or self._begin()
            return self._step(self._schedule)
        except (BrokenLog, TransientError):
            raise
        except ShipledgerError as error:
            raise TransientError(str(error)) from error

    def _idle(self, seconds: float) -> None:
        if seconds > 0:
            self._log.wait(seconds)

    def _tell_retry(self, error: TransientError, pause: float) -> None:
        self._logger.warning("mirror.log_away", error=str(error), again_in_seconds=pause)

    def _tell_end(self, fault: Exception) -> None:
        self._logger.error("mirror.fault", exc_info=fault)

    def _begin(self) -> Schedule:
        self._follower.catch_up()
        if self._state.next_position > self._follower.position:
            self._logger.warning("mirror.cursor_beyond_log", position=self._state.next_position)
            self._state = msgspec.structs.replace(self._state, next_position=0)
        schedule = Schedule(self.target.interval, first=time.monotonic() + self._until_first())
        if self._follower.asks_since(self._state.next_position):
            schedule.ask(time.monotonic())
        return schedule

    def _step(self, schedule: Schedule) -> float:
        """Fetch if that is due; return for how long to wait for the log."""
        if self._follower.catch_up():
            schedule.ask(time.monotonic())
        remaining = schedule.due() - time.monotonic()
        if remaining > 0:
            return min(remaining, POLL_SECONDS)
        self._fetch_as_planned(schedule)
        return 0.0

    def _fetch_as_planned(self, schedule: Schedule) -> None:
        schedule.start()
        started = time.monotonic()
        try:
            fetched = self.fetch()
        except MirrorStopped:
            return
        except BrokenLog:
            raise
        except ShipledgerError as error:
            pause = schedule.fail(time.monotonic())
            self._logger.warning("mirror.failed", error=str(error), again_in_seconds=pause)
            return
        schedule.succeed(time.monotonic())
        took = round(time.monotonic() - started, 3)
        result = fetched.result
        if result is not None and result.records:
            self._logger.info(
                "mirror.changed", commits=result.commits, refs=result.refs, seconds=took
            )
            self._clone.tidy()
        else:
            self._logger.debug("mirror.unchanged", outcome=fetched.outcome, seconds=took)

    def _checked(self) -> Fetched:
        try:
            return self._fetch()
        except OSError as error:
            raise CloneUnusable(f"{self._clone.path}: {error.strerror or error}") from error

    def _fetch(self) -> Fetched:
        self._follower.catch_up()
        position, asked_at = self._follower.position, self._clock()
        self._clone.update()
        try:
            result = self._record(asked_at)
        except GitFault as fault:
            # Fetched well and cannot be read: the clone is damaged where fetching does not look.
            self._clone.repair(str(fault))
            result = self._record(asked_at)
        self._state = MirrorState(
            next_position=position, asked_at=asked_at, follows=self.target.refs
        )
        self._file.save(self._state)
        return Fetched(repository=self.target.full_name, result=result)

    def _record(self, asked_at: int) -> ImportResult | None:
        """Append what the clone holds beyond the log, of which the newest is read first."""
        self._follower.catch_up()
        known, git = self._follower.known, self._clone.read()
        if not known.refs and not git.refs():
            return None
        last = None if known.fetched_at is None else self._state.asked_at or known.fetched_at
        result = append_news(
            git,
            known,
            log=self._log,
            repository=self.target.repository,
            full_name=self.target.full_name,
            reading=Reading(
                at=max(self._clock(), asked_at),
                last=last,
                follows=self.target.refs,
                followed=self._state.follows,
            ),
            branches=self.target.branches,
        )
        if self.target.contents:
            self._read_contents(git)
        else:
            self._compare_copies(git, anew=result.records > 0)
        return result

    def _read_contents(self, git: GitRepository) -> None:
        """Append what the files of new commits show; what is cut off goes on at the next fetch."""
        self._follower.catch_up()
        read = read_contents(
            git,
            self._follower.known,
            log=self._log,
            repository=self.target.repository,
            clock=self._clock,
            progress=self._go_on,
        )
        if read.judged or read.patches:
            self._logger.info("mirror.contents", **msgspec.to_builtins(read))

    def _compare_copies(self, git: GitRepository, *, anew: bool) -> None:
        """Append the patch ids of commits that look alike, as far as their blobs are here.

        Without anything new it is done once: what a process before this one was cut off in.
        """
        self._compared = self._compared and not anew
        if self._compared:
            return
        self._follower.catch_up()
        patches = compare_copies(
            git,
            self._follower.known,
            log=self._log,
            repository=self.target.repository,
            clock=self._clock,
            progress=self._go_on,
        )
        self._compared = True
        if patches:
            self._logger.info("mirror.copies", patches=patches)

    def _go_on(self, done: int, total: int) -> None:
        if self._stopping.is_set():
            raise MirrorStopped(f"{done} of {total} contents of {self.target.full_name} were read")

    def _until_first(self) -> float:
        """Return for how many seconds the fetch of an earlier process is still good."""
        if self._state.asked_at is None:
            return 0.0
        age = max(0.0, (self._clock() - self._state.asked_at) / SECOND)
        return max(0.0, self.target.interval - age)

    def _count(self, outcome: str, seconds: float) -> None:
        self._metrics.fetches.labels(self.target.full_name, outcome).inc()
        self._metrics.fetch_seconds.labels(self.target.full_name).observe(seconds)

    def _tell_age(self) -> None:
        asked_at = self._state.asked_at
        if asked_at is not None:
            self._metrics.fetch_age.labels(self.target.full_name).set_function(
                lambda: (self._clock() - asked_at) / SECOND
            )
