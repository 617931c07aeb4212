"""A part for tests: it says its pid, and does what its order says."""

import os
import signal
import sys

from services.runtime.child import CANNOT_GO_ON, ended_by_parent


def main() -> int:
    """Tell the pid and the order; end as that says, or when standard input does."""
    has_ended = ended_by_parent()
    order = sys.stdin.readline().strip()
    print(os.getpid(), order, flush=True)
    if order == "give up":
        return CANNOT_GO_ON
    if order == "die":
        os.kill(os.getpid(), signal.SIGKILL)
    while not has_ended(10):
        pass
    print("ended in order", flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
