"""How long to wait before asking GitHub again. Pure.

https://docs.github.com/en/rest/using-the-rest-api/rate-limits-for-the-rest-api
"""

from collections.abc import Mapping
from typing import Final

#: Seconds; GitHub asks for at least so long where it does not say for how long.
_SECONDARY: Final = 60.0
_LIMITED: Final = (403, 429)


def pause_before_retry(
    status: int, headers: Mapping[str, str], body: bytes, *, attempt: int, now: float
) -> float | None:
    """Return the seconds to wait before the same request, None where asking again is no use.

    `headers` are looked up in lower case; `attempt` counts from 0; `now` is the time since 1970.
    """
    if status >= 500:
        return float(1 << attempt)
    if status not in _LIMITED:
        return None
    after = _seconds(headers.get("retry-after"))
    if after is not None:
        return after
    reset = _seconds(headers.get("x-ratelimit-reset"))
    if headers.get("x-ratelimit-remaining") == "0" and reset is not None:
        return max(1.0, reset - now + 1.0)
    if status == 429 or b"rate limit" in body.lower():
        return _SECONDARY * (1 << attempt)
    return None  # this 403 means: not allowed


def _seconds(text: str | None) -> float | None:
    return float(text) if text is not None and text.isdecimal() else None
