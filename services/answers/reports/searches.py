"""The search on GitHub that gives the number comparable to a count. Pure.

GitHub's search knows the present only, so a number is comparable as long as nothing happened to
the requests since; its index lags, and it does not see what a token may not see.
https://docs.github.com/en/search-github/searching-on-github/searching-issues-and-pull-requests
"""

from collections.abc import Mapping
from typing import Final

from events.instant import SECOND, Instant, format_instant

#: Count -> the searches whose results add up to it: `first` is the first moment, `last` the last
#: second, `after` the first moment after. Search keeps no reopenings, no unknown outcomes and no
#: dates of commits.
_SEARCHES: Final[Mapping[str, tuple[str, ...]]] = {
    "opened": ("created:{first}..{last}",),
    "merged": ("is:merged merged:{first}..{last}",),
    "closed_without_merge": ("is:unmerged closed:{first}..{last}",),
    "open_at_start": (
        "is:open created:<{first}",
        "is:closed created:<{first} closed:>={first}",
    ),
    "open_at_end": (
        "is:open created:<{after}",
        "is:closed created:<{after} closed:>={after}",
    ),
    "opened_and_still_open": (
        "is:open created:{first}..{last}",
        "is:closed created:{first}..{last} closed:>={after}",
    ),
}


def searches(count: str, full_name: str, start: Instant, end: Instant) -> tuple[str, ...]:
    """Return the queries whose results add up to a count of [start, end); empty: there is none.

    Times are UTC to the second: `a..b` of the search includes both of its ends.
    """
    edges = {"first": _second(start), "last": _second(end - 1), "after": _second(end)}
    return tuple(
        f"repo:{full_name} is:pr {part.format_map(edges)}" for part in _SEARCHES.get(count, ())
    )


def _second(instant: Instant) -> str:
    return format_instant(instant - instant % SECOND)
