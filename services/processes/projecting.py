"""The projector of `shipledger up`, in a process of its own.

To fold records is work for an interpreter; while it shared one with the server, each took from the
other. Nothing else changes by that: rows and checkpoint commit together, the log and the read model
are files that several processes may have open, and a projector that is killed goes on from its last
commit. Its metrics and its faults are told to the server, which answers for them.
"""

import sys
import threading
from pathlib import Path
from typing import Final, Literal

import msgspec

from projections.engine.runner import AppliedBatch, Observer, Runner
from services.config.settings import Settings
from services.logs.sqlite import SqliteLog
from services.runtime.child import CANNOT_GO_ON, ChildProcess, ended_by_parent
from services.runtime.clock import wall_clock
from services.runtime.data_folder import DataFolder
from services.runtime.telemetry import configure_logging
from services.stream.dead_letters import too_many_set_aside
from services.stream.engines import writing_engine
from services.stream.projector import LAST_BATCH, Projector

_MODULE: Final = "services.processes.projecting"
#: Seconds between looks whether the projector's state has changed.
_LOOK: Final = 0.2


class _Order(msgspec.Struct, frozen=True, kw_only=True):
    """What the process is told at its start."""

    data: str
    dead_letters: int
    log_format: Literal["json", "columns"]
    log_level: str


class _Lag(msgspec.Struct, frozen=True, kw_only=True, tag="lag"):
    projection: str
    partition: str
    records: int


class _State(msgspec.Struct, frozen=True, kw_only=True, tag="state"):
    fault: str | None


class _Applied(msgspec.Struct, frozen=True, kw_only=True, tag="applied"):
    batch: AppliedBatch


_message = msgspec.json.Decoder(_Lag | _State | _Applied)


class ProjectorProcess(ChildProcess):
    """Keeps the projector's process running, and hands on what it tells."""

    def __init__(self, settings: Settings, observer: Observer) -> None:
        log_format = settings.log_format or ("columns" if sys.stderr.isatty() else "json")
        order = _Order(
            data=str(settings.data.absolute()),
            dead_letters=settings.decided.readiness.dead_letters,
            log_format=log_format,
            log_level=settings.log_level,
        )
        super().__init__(
            "projector",
            _MODULE,
            self._take,
            order=msgspec.json.encode(order),
            last_work=LAST_BATCH,
        )
        self._observer = observer

    def _take(self, line: bytes) -> None:
        match _message.decode(line):
            case _Lag() as lag:
                self._observer.lag(lag.projection, lag.partition, lag.records)
            case _Applied(batch=batch):
                self._observer.batch(batch)
            case _State(fault=fault):
                self.trouble = fault


class _Telling:
    """An observer that tells the parent; implements `projections.engine.runner.Observer`."""

    def __init__(self) -> None:
        self._lock = threading.Lock()

    def batch(self, batch: AppliedBatch) -> None:
        """See `Observer.batch`."""
        self.tell(_Applied(batch=batch))

    def lag(self, projection: str, partition: str, records: int) -> None:
        """See `Observer.lag`."""
        self.tell(_Lag(projection=projection, partition=partition, records=records))

    def tell(self, message: _Lag | _State | _Applied) -> None:
        """Write one line; where nobody reads any more, the end is near."""
        with self._lock:
            try:
                sys.stdout.buffer.write(msgspec.json.encode(message) + b"\n")
                sys.stdout.buffer.flush()
            except OSError:
                return


def main() -> int:
    """Project until standard input ends; return the exit code."""
    has_ended = ended_by_parent()
    order = msgspec.json.decode(sys.stdin.buffer.readline(), type=_Order)
    configure_logging(order.log_format, level=order.log_level)
    folder, telling = DataFolder(Path(order.data)), _Telling()
    log, engine = SqliteLog(folder.log, clock=wall_clock), writing_engine(folder.read_model)
    projector = Projector(
        runner=Runner(engine, log, wall_clock, observer=telling),
        log=log,
        too_many_set_aside=lambda: too_many_set_aside(engine, order.dead_letters),
    )
    stopped = threading.Event()
    projector.start(on_fault=stopped.set)
    told: str | None = None
    while not stopped.is_set() and not has_ended(_LOOK):
        if (fault := projector.fault()) != told:
            telling.tell(_State(fault=fault))
            told = fault
    projector.stop()
    engine.dispose()
    log.close()
    return CANNOT_GO_ON if stopped.is_set() else 0


if __name__ == "__main__":
    sys.exit(main())
