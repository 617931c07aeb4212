"""How long something takes, in CPU seconds of this thread, and how that grows with its input."""

import signal
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from statistics import median
from types import FrameType
from typing import Final

#: CPU seconds after which one call is given up.
DEADLINE: Final = 2.0
#: How often the size grows between two measurements.
STEP: Final = 4
#: `STEP` times the input may take so many times as long: linear is about 4, quadratic 16.
LIMIT: Final = 9.0
#: Up to this growth one measurement is enough: quadratic time would have to look a third as long.
CLEAR: Final = 5.5
#: CPU seconds below which growth cannot be told from noise.
NOISE: Final = 0.004

Reading = Callable[[str], object]


class TooSlow(BaseException):
    """A call was given up: no handler of ours takes it for one of its own errors."""


@contextmanager
def deadline(seconds: float = DEADLINE) -> Iterator[None]:
    """Raise TooSlow when the process has computed for so long inside."""

    def give_up(_signal: int, _frame: FrameType | None) -> None:
        raise TooSlow

    before = signal.signal(signal.SIGVTALRM, give_up)
    signal.setitimer(signal.ITIMER_VIRTUAL, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_VIRTUAL, 0)
        signal.signal(signal.SIGVTALRM, before)


def seconds(reading: Reading, text: str) -> float:
    """Return the CPU seconds of one call."""
    start = time.thread_time()
    reading(text)
    return time.thread_time() - start


def growth(reading: Reading, text: Callable[[int], str], size: int) -> float | None:
    """Return how many times as long a text of `STEP` times the size takes.

    None: both are too quick to tell. Infinite: a call was given up. Where one large text beside
    the quicker of two small ones is far from the limit, that is the answer. Else medians of three
    each; what looks bad is measured again, so that a busy machine accuses nobody.
    """
    try:
        with deadline():
            once = seconds(reading, text(size))
        if once < NOISE / STEP:
            return None
        with deadline(3 * DEADLINE):
            once = min(once, seconds(reading, text(size)))
            factor = seconds(reading, text(size * STEP)) / max(once, NOISE / STEP)
        if factor <= CLEAR:
            return factor
        factor = float("inf")
        for _again in range(2):
            with deadline(6 * DEADLINE):
                small = median(seconds(reading, text(size)) for _ in range(3))
                large = median(seconds(reading, text(size * STEP)) for _ in range(3))
            factor = min(factor, large / max(small, NOISE / STEP))
            if factor <= LIMIT:
                return factor
        return factor
    except TooSlow:
        return float("inf")
