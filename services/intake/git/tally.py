"""What the commits of one import land, counted for the person who ran it."""

from collections import Counter
from collections.abc import Iterable

from events.facts.git import Commit
from events.instant import to_datetime
from events.sources.git_history import landings


class Tally:
    """Landings by method, the requests that they land, and the months (UTC) they were made in."""

    def __init__(self) -> None:
        self._by_method: Counter[str] = Counter()
        self._requests: set[int] = set()
        self._months: set[str] = set()

    def take(self, commits: Iterable[Commit]) -> None:
        """Count what some commits land."""
        for landing in landings(commits):
            self._by_method[landing.recognised_by or ""] += 1
            self._requests.add(landing.number)
            self._months.add(f"{to_datetime(landing.at):%Y-%m}")

    @property
    def recognised(self) -> dict[str, int]:
        """The number of landings by method."""
        return dict(sorted(self._by_method.items()))

    @property
    def requests(self) -> int:
        """The number of requests: one may land on several branches."""
        return len(self._requests)

    @property
    def months(self) -> tuple[str, ...]:
        """The months (`2026-08`), ascending."""
        return tuple(sorted(self._months))
