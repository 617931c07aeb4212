"""The background loop: what a round comes to decides how it goes on."""

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager

import pytest
from structlog.testing import capture_logs

from events.errors import BrokenLog, LogUnavailable
from services.runtime.loop import BackgroundLoop, Backoff, Paused


class Scripted(BackgroundLoop):
    """A loop whose rounds raise what a script says, then are well; it notes how long it waits."""

    def __init__(
        self, *script: Exception | None, stopping: threading.Event | None = None, idle: float = 60.0
    ) -> None:
        super().__init__(
            "scripted", backoff=Backoff(0.001, 0.004), last_round=10.0, stopping=stopping
        )
        self._script = list(script)
        self._seconds = idle
        self.rounds = 0
        self.faults: list[str | None] = []
        self.pauses: list[float] = []
        self.script_is_done = threading.Event()

    def _round(self) -> float:
        self.rounds += 1
        self.faults.append(self.fault())
        if self._script:
            outcome = self._script.pop(0)
            if outcome is not None:
                raise outcome
            return 0.0
        return self._seconds

    def _idle(self, seconds: float) -> None:
        if seconds:
            self.script_is_done.set()
        super()._idle(seconds)

    def _tell_retry(self, error: Exception, pause: float) -> None:
        self.pauses.append(pause)


@contextmanager
def started(loop: Scripted, on_fault: Callable[[], None] = lambda: None) -> Iterator[None]:
    loop.start(on_fault)
    try:
        yield
    finally:
        assert loop.stop()


def busy(times: int) -> list[LogUnavailable]:
    return [LogUnavailable("busy") for _ in range(times)]


def test_pauses_double_up_to_the_longest_and_begin_anew() -> None:
    backoff = Backoff(1.0, 5.0)
    assert [backoff.next() for _ in range(5)] == [1.0, 2.0, 4.0, 5.0, 5.0]
    backoff.reset()
    assert backoff.next() == 1.0


def test_a_passing_fault_is_tried_again_after_growing_pauses_and_is_told_until_it_has_passed() -> (
    None
):
    loop = Scripted(*busy(4))
    with started(loop):
        assert loop.script_is_done.wait(10)
        assert loop.fault() is None
    assert loop.pauses == [0.001, 0.002, 0.004, 0.004]
    assert loop.faults == [None, *["trying again: busy"] * 4]


def test_a_good_round_makes_the_pauses_begin_anew() -> None:
    loop = Scripted(*busy(2), None, *busy(1))
    with started(loop):
        assert loop.script_is_done.wait(10)
    assert loop.pauses == [0.001, 0.002, 0.001]


def test_any_other_fault_ends_the_loop_and_is_told_once() -> None:
    told = threading.Event()
    loop = Scripted(BrokenLog("records are missing"))
    with capture_logs() as logs:
        with started(loop, told.set):
            assert told.wait(10)
            loop.join()
        assert loop.fault() == "stopped: records are missing"
    assert [(line["event"], line["log_level"]) for line in logs] == [("scripted.stopped", "error")]
    assert loop.rounds == 1


def test_a_paused_loop_says_why_looks_again_at_a_steady_pace_and_tells_each_reason_once() -> None:
    full = [Paused("full", seconds=0.001) for _ in range(3)]
    loop = Scripted(*full, Paused("away", seconds=0.001))
    with capture_logs() as logs, started(loop):
        assert loop.script_is_done.wait(10)
    assert [line["reason"] for line in logs] == ["full", "away"]
    assert loop.faults == [None, "full", "full", "full", "away"]
    assert loop.pauses == [], "pauses of a paused loop do not grow"


@pytest.mark.parametrize(
    "outcome", [None, LogUnavailable("busy"), Paused("full", seconds=60)], ids=repr
)
def test_stopping_ends_it_at_once_whatever_it_waits_for(outcome: Exception | None) -> None:
    loop = Scripted(outcome)
    loop._backoff = Backoff(60.0, 60.0)
    loop.start()
    while not loop.rounds:
        threading.Event().wait(0.001)
    assert loop.stop()
    assert loop.rounds <= 2


def test_loops_that_share_a_sign_stop_together() -> None:
    stopping = threading.Event()
    loops = [Scripted(stopping=stopping) for _ in range(2)]
    for loop in loops:
        loop.start()
    stopping.set()
    for loop in loops:
        loop.join()


def test_one_that_was_never_started_stops_and_has_no_fault() -> None:
    loop = Scripted()
    assert loop.stop()
    assert loop.fault() is None
    assert loop.rounds == 0


@pytest.mark.filterwarnings("ignore::pytest.PytestUnhandledThreadExceptionWarning")
def test_a_thread_that_is_gone_is_a_fault_although_nothing_was_raised() -> None:
    class Ending(Scripted):
        def _round(self) -> float:
            raise SystemExit

    loop = Ending()
    loop.start()
    loop.join()
    assert loop.fault() == "the scripted has ended"
