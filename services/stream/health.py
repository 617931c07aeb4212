"""Is this process fit to be asked, and if not, why?"""

from collections.abc import Callable

import msgspec
from sqlalchemy.exc import SQLAlchemyError

from events.errors import ShipledgerError
from events.instant import SECOND
from events.log.port import Clock, Log
from projections.engine.read_model import ReadModel
from services.config.settings import ReadinessSettings
from services.stream.backlog import Progress, last_stamps, measure
from services.stream.clock_ahead import ahead, ahead_of_clock


class State(msgspec.Struct, frozen=True, kw_only=True):
    """What was found; `reasons` says in words why the process is not ready.

    `warnings` are about what answers stand on: the process can be asked, and a person has to look.
    """

    ready: bool
    reasons: tuple[str, ...]
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
            progress = measure(self._read_model, self._log, self._clock)
        except (ShipledgerError, SQLAlchemyError) as error:
            return State(ready=False, reasons=(*reasons, str(error)))
        reasons += self._beyond(progress)
        stamps = last_stamps(progress)
        now = self._clock()
        return State(
            ready=not reasons,
            reasons=tuple(reasons),
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

    def _beyond(self, progress: list[Progress]) -> list[str]:
        reasons = []
        for projection in progress:
            if projection.seconds > self._limits.lag_seconds:
                reasons.append(
                    f"{projection.name} is {projection.records} records and "
                    f"{projection.seconds:.0f} s behind the log (limit "
                    f"{self._limits.lag_seconds:.0f} s)"
                )
            if projection.dead_letters > self._limits.dead_letters:
                reasons.append(
                    f"{projection.name} has set {projection.dead_letters} records aside (limit "
                    f"{self._limits.dead_letters}); see `shipledger deadletters list`"
                )
        return reasons
