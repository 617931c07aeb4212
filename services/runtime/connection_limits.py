"""How many connections a server takes, and how long each may do nothing."""

import resource
from dataclasses import dataclass
from typing import Final

_MIB: Final = 1024 * 1024
#: Open files that a server may ask for; more are of no use with this many connections.
_FILES: Final = 4096


@dataclass(frozen=True, slots=True, kw_only=True)
class ConnectionLimits:
    """Bounds of all connections of a server; times in seconds."""

    connections: int = 1000
    accepted_at_once: int = 512
    """Connections that the kernel keeps until they are taken, and that are taken in one go."""
    head_seconds: float = 10.0
    head_bytes: int = 64 * 1024
    """Of the request line with all headers, and of the trailers."""
    body_seconds: float = 30.0
    """From the head to the end of the body; who receives deliveries waits less."""
    stalled_seconds: float = 20.0
    """For which the reader of an answer may take nothing of it."""
    linger_seconds: float = 10.0
    linger_bytes: int = 128 * _MIB
    """How long, and how much, is read and thrown away after an early answer."""


def limits_of_process() -> ConnectionLimits:
    """Return limits that leave files for logs and databases; raises the soft limit where it can."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = _FILES if hard == resource.RLIM_INFINITY else min(_FILES, hard)
    if soft != resource.RLIM_INFINITY and soft < wanted:
        resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, hard))
        soft = wanted
    files = _FILES if soft == resource.RLIM_INFINITY else soft
    default = ConnectionLimits()
    return ConnectionLimits(
        connections=max(8, min(default.connections, files // 2)),
        accepted_at_once=max(8, min(default.accepted_at_once, files // 4)),
    )
