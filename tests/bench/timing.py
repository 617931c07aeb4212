"""How the benches measure."""

import time
from collections.abc import Callable


def fastest(work: Callable[[], object], *, rounds: int) -> float:
    """Return the shortest of a few runs, in seconds: what others do to the machine only adds."""
    times = []
    for _ in range(rounds):
        start = time.perf_counter()
        work()
        times.append(time.perf_counter() - start)
    return min(times)
