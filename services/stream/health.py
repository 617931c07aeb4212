"""Is this process fit to be asked, and if not, why?"""

from collections.abc import Callable, Mapping

import msgspec
from sqlalchemy.exc import SQLAlchemyError

from events.errors import ShipledgerError
from events.instant import SECOND
from events.log.port import Clock, Log
from projections.engine.read_model import ReadModel
from projections.repositories.queries import listing
from services.config.settings import ReadinessSettings
from services.stream.backlog import Progress, last_stamps, measure
from services.stream.clock_ahead import ahead, ahead_of_clock
from services.stream.dead_letters import too_many_set_aside


class State(msgspec.Struct, frozen=True, kw_only=True):
    """What was found; `reasons` says in words why the process is not ready, `notes` which
    repositories are past their limit of records set aside, while others are answered for.

    `warnings` are about what answers stand on: the process can be asked, and a person has to look.
    """

    ready: bool
    reasons: tuple[str, ...]
    notes: tuple[str, ...] = ()
    warnings: tuple[str, ...] = ()
    clock_ahead_seconds: float = 0.0
    behind_records: int = 0
    behind_seconds: float = 0.0
    dead_letters: int = 0
    progress: tuple[Progress, ...] = ()


class Health:
    """Looks at the log, the read model and the projector; never raises."""

    def __init__(
        self,
        *,
        read_model: ReadModel,
        log: Log,
        clock: Clock,
        limits: ReadinessSettings,
        fault: Callable[[], str | None],
    ) -> None:
        self._read_model, self._log, self._clock = read_model, log, clock
        self._limits = limits
        self._fault = fault

    def look(self) -> State:
        """Return the present state."""
        fault = self._fault()
        reasons = [] if fault is None else [fault]
        try:
            held = too_many_set_aside(self._read_model.engine, self._limits.dead_letters)
            with self._read_model.snapshot() as snapshot:
                others = {name.repo for name in listing(snapshot)} - held.keys()
            progress = measure(self._read_model, self._log, self._clock)
        except (ShipledgerError, SQLAlchemyError) as error:
            return State(ready=False, reasons=(*reasons, str(error)))
        reasons += self._beyond(progress, held)
        if not others and fault is None:
            reasons += held.values()
        stamps = last_stamps(progress)
        now = self._clock()
        return State(
            ready=not reasons,
            reasons=tuple(reasons),
            notes=tuple(held.values()),
            warnings=tuple(
                text
                for partition, last in sorted(stamps.items())
                if (text := ahead_of_clock(partition, last, now)) is not None
            ),
            clock_ahead_seconds=ahead(max(stamps.values(), default=0), now) / SECOND,
            behind_records=max((each.records for each in progress), default=0),
            behind_seconds=max((each.seconds for each in progress), default=0.0),
            dead_letters=max((each.dead_letters for each in progress), default=0),
            progress=tuple(progress),
        )

    def _beyond(self, progress: list[Progress], held: Mapping[str, str]) -> list[str]:
        """Return what is beyond the limits, apart from the repositories that are held up alone."""
        reasons = []
        for projection in progress:
            going_on = [each for each in projection.partitions if each.partition not in held]
            seconds = max((each.seconds for each in going_on), default=0.0)
            if seconds > self._limits.lag_seconds:
                records = sum(each.records for each in going_on)
                reasons.append(
                    f"{projection.name} is {records} records and {seconds:.0f} s behind the log "
                    f"(limit {self._limits.lag_seconds:.0f} s)"
                )
        return reasons
