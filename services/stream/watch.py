"""What goes on beside the stream: lag, readiness, who caught up when, and an end when it hangs.

One loop looks once a second: it asks Kafka for the ends, writes `caught_up_at` for the partitions
at whose end a projection stands, and sees whether another generation answers by now. Readiness is
told from memory, so the answer comes also while the database or the broker hangs.
"""

import threading
import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from typing import Final

from sqlalchemy import Engine

from events.errors import ShipledgerError, TransientError
from events.instant import SECOND, Instant
from events.log.port import Clock
from projections.engine import generations
from projections.store import progress as reading
from projections.store.transaction import transaction
from services.config.settings import ReadinessSettings
from services.logs.kafka import KafkaLog
from services.runtime.loop import POLL_SECONDS, BackgroundLoop, Backoff
from services.runtime.telemetry.metrics import Metrics
from services.stream.clock_ahead import ahead
from services.stream.feed import Feed
from services.stream.fold import GenerationRetired, cursors, set_aside

#: A look, or a batch, that takes longer than this is worth telling.
SLOW_SECONDS: Final = 30.0
#: So long may records wait while nothing goes forward and nobody knows why.
STALL_SECONDS: Final = 120.0


class Stalled(ShipledgerError):
    """Records wait, nothing is under way, nothing is known to be wrong: a new start may help."""


class Watch(BackgroundLoop):
    """Looks after the feeds of one worker."""

    def __init__(
        self,
        *,
        feeds: Sequence[Feed],
        log: KafkaLog,
        engine: Engine,
        clock: Clock,
        limits: ReadinessSettings,
        metrics: Metrics,
        on_fault: Callable[[BaseException], None],
        stall_seconds: float = STALL_SECONDS,
    ) -> None:
        """`on_fault` has to end the process."""
        super().__init__("watch", backoff=Backoff(POLL_SECONDS, POLL_SECONDS), last_round=0.0)
        self._feeds, self._log, self._engine = list(feeds), log, engine
        self._clock, self._limits, self._metrics = clock, limits, metrics
        self._end_process = on_fault
        self._stall_seconds = stall_seconds
        self._looked = time.monotonic()
        self._ends: Mapping[int, int] = {}
        self._letters: dict[str, int] = {}
        self._stamps: dict[str, Instant] = {}
        self._lagging: dict[tuple[str, int], float] = {}
        self._told: dict[str, set[int]] = {}
        self._measuring = threading.Lock()

    def reasons(self) -> list[str]:
        """Say why the worker is not ready, from memory alone."""
        now = time.monotonic()
        reasons = [feed.fault for feed in self._feeds if feed.fault is not None]
        reasons += [
            f"{f.projection.name}: not in the group yet" for f in self._feeds if not f.joined
        ]
        reasons += self._slow(now)
        limit = self._limits.lag_seconds
        for name, (records, seconds) in self.measure().items():
            if seconds > limit:
                reasons.append(
                    f"{name} is {records} records and {seconds:.0f} s behind the log "
                    f"(limit {limit:.0f} s)"
                )
        for name, letters in dict(self._letters).items():
            if letters > self._limits.dead_letters:
                reasons.append(
                    f"{name} has set {letters} records aside (limit {self._limits.dead_letters}); "
                    "see `shipledger deadletters list`"
                )
        return reasons

    def _slow(self, now: float) -> list[str]:
        limit = min(SLOW_SECONDS, self._limits.lag_seconds)
        trouble = self.fault()
        reasons = [] if trouble is None else [trouble]
        if trouble is None and now - self._looked > limit:
            reasons.append(
                f"for {now - self._looked:.0f} s neither the log nor the read model has answered"
            )
        for feed in self._feeds:
            under_way = feed.under_way
            if under_way is not None and now - under_way.since > limit:
                seconds = now - under_way.since
                reasons.append(f"{feed.projection.name}: a batch takes {seconds:.0f} s already")
        return reasons

    def measure(self) -> Mapping[str, tuple[int, float]]:
        """Return how far each projection is behind, (records, seconds), and set the metrics to it.

        From the ends as last heard of: while the broker is away the seconds go on.
        """
        with self._measuring:
            return {feed.projection.name: self._measure(feed, self._ends) for feed in self._feeds}

    def _round(self) -> float:
        self._look()
        self._looked = time.monotonic()
        return POLL_SECONDS

    def _tell_retry(self, error: TransientError, pause: float) -> None:
        if self.fault() is None:
            self._logger.warning("worker.trouble", error=str(error), seconds=pause)

    def _tell_end(self, fault: Exception) -> None:
        self._end_process(fault)

    def _look(self) -> None:
        seen_at = self._clock()
        ends = self._ends = {int(name): end for name, end in self._log.ends().items()}
        self.measure()
        for feed in self._feeds:
            self._mark(feed, ends, seen_at)
            self._see_that_it_moves(feed, ends)

    def _mark(self, feed: Feed, ends: Mapping[int, int], seen_at: int) -> None:
        """Note in the database where this projection stood at the end; see that it still answers.

        The positions are read from the database again: one restored from an older backup is behind
        what this worker remembers.
        """
        mine = [number for number, at in feed.assigned.items() if at >= ends.get(number, 0)]
        with transaction(self._engine) as connection:
            if not generations.serves(connection, feed.projection):
                raise GenerationRetired(
                    f"generation {feed.projection.generation} of {feed.projection.name} does not "
                    "answer any more"
                )
            cursor_of = cursors(connection, feed.projection)
            caught = [
                str(number)
                for number in mine
                if str(number) in cursor_of
                and cursor_of[str(number)].position >= ends.get(number, 0)
            ]
            reading.mark_partitions(connection, feed.projection.name, caught, seen_at)
            letters = set_aside(connection, feed.projection)
        self._metrics.dead_letters.labels(feed.projection.name).set(letters)
        self._stamps[feed.projection.name] = max(
            (cursor_of[name].recorded_at for name in map(str, feed.assigned) if name in cursor_of),
            default=0,
        )
        self._metrics.clock_ahead.set(ahead(max(self._stamps.values()), seen_at) / SECOND)
        self._letters[feed.projection.name] = letters

    def _measure(self, feed: Feed, ends: Mapping[int, int]) -> tuple[int, float]:
        """Return how far a projection is behind, (records, seconds), in the worst partition."""
        name = feed.projection.name
        worst, oldest = 0, 0.0
        assigned = feed.assigned
        for number, position in assigned.items():
            records = max(0, ends.get(number, 0) - position)
            seconds = self._seconds(feed, number) if records else 0.0
            if not records:
                self._lagging.pop((name, number), None)
            self._metrics.lag_records.labels(name, str(number)).set(records)
            self._metrics.lag_seconds.labels(name, str(number)).set(seconds)
            worst, oldest = max(worst, records), max(oldest, seconds)
        self._forget(name, set(assigned))
        return worst, oldest

    def _forget(self, name: str, assigned: set[int]) -> None:
        """Say nothing more of partitions that went to another worker, who speaks of them now."""
        for number in self._told.get(name, set()) - assigned:
            self._lagging.pop((name, number), None)
            for gauge in (self._metrics.lag_records, self._metrics.lag_seconds):
                with suppress(KeyError):
                    gauge.remove(name, str(number))
        self._told[name] = assigned

    def _seconds(self, feed: Feed, number: int) -> float:
        """Return since when records wait: from the batch under way, else since we have seen it."""
        under_way = feed.under_way
        if under_way is not None and under_way.partition == number:
            return max(0.0, self._clock() / SECOND - under_way.appended_ms / 1000)
        now = time.monotonic()
        return now - self._lagging.setdefault((feed.projection.name, number), now)

    def _see_that_it_moves(self, feed: Feed, ends: Mapping[int, int]) -> None:
        if feed.fault is not None or feed.under_way is not None:
            return
        idle = time.monotonic() - feed.progressed
        waiting = {n for n, at in feed.assigned.items() if ends.get(n, 0) > at}
        if idle > self._stall_seconds and (waiting or not feed.joined):
            raise Stalled(
                f"{feed.projection.name}: nothing has moved for {idle:.0f} s while records wait in "
                f"partitions {sorted(waiting)}"
                if waiting
                else f"{feed.projection.name}: the group has not answered for {idle:.0f} s"
            )
