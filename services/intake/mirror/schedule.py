"""When to fetch. Pure: it is told the time, in seconds of a clock that never goes back.

A fetch is due an interval after the one before, and soon after something asked for one: once
nothing more has come for a moment, since one click at GitHub sends several deliveries, but not
later than a few seconds after the first. After a failure the pauses grow, whoever asks.
"""

from typing import Final

from services.runtime.loop import Backoff

#: Seconds without a further request, and at most.
QUIET: Final = 1.0
LONGEST_DELAY: Final = 5.0
FIRST_PAUSE: Final = 5.0
LONGEST_PAUSE: Final = 900.0


class Schedule:
    """The times of one repository."""

    def __init__(self, interval: float, *, first: float) -> None:
        self._interval = interval
        self._timer = first
        self._asked: tuple[float, float] | None = None
        self._paused_until = 0.0
        self._backoff = Backoff(FIRST_PAUSE, LONGEST_PAUSE)

    def ask(self, now: float) -> None:
        """Something asks for a fetch."""
        first = now if self._asked is None else self._asked[0]
        self._asked = (first, now)

    def start(self) -> None:
        """A fetch begins; who asks from now on asks for the next one."""
        self._asked = None

    def succeed(self, now: float) -> None:
        """The fetch went well."""
        self._timer = now + self._interval
        self._paused_until = 0.0
        self._backoff.reset()

    def fail(self, now: float) -> float:
        """The fetch failed; return for how many seconds there will be none."""
        pause = self._backoff.next()
        self._timer = self._paused_until = now + pause
        return pause

    def due(self) -> float:
        """Return when the next fetch is due."""
        due = self._timer
        if self._asked is not None:
            first, last = self._asked
            due = min(due, last + QUIET, first + LONGEST_DELAY)
        return max(due, self._paused_until)
