"""Serving HTTP: binding the address before anything else starts, and ending in order."""

import asyncio
import signal
import socket
import threading
from collections.abc import Callable
from contextlib import suppress
from typing import Any, Final, cast

import uvicorn

from services.runtime.connection_limits import ConnectionLimits, limits_of_process
from services.runtime.connections import ConnectionGuard

#: Seconds that requests under way get to end.
_GRACE: Final = 10


def listen(host: str, port: int) -> socket.socket:
    """Bind and listen, so that a taken port is told at once; raise OSError."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    # asyncio turns Nagle's algorithm off only where the protocol is named, which
    # `socket.create_server` does not do; with it each answer waits 40 ms for an acknowledgement.
    listening = socket.socket(family, socket.SOCK_STREAM, socket.IPPROTO_TCP)
    try:
        listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listening.bind((host, port))
        listening.listen(limits_of_process().accepted_at_once)
    except OSError:
        listening.close()
        raise
    return listening


def address_of(listening: socket.socket) -> str:
    """Return the address to tell people (port 0 has chosen a free one)."""
    host, port = listening.getsockname()[:2]
    return f"http://[{host}]:{port}" if ":" in host else f"http://{host}:{port}"


class HttpServer:
    """uvicorn with an application on a socket that listens already."""

    def __init__(
        self, app: Any, listening: socket.socket, limits: ConnectionLimits | None = None
    ) -> None:
        self._listening = listening
        guard = ConnectionGuard(limits or limits_of_process())
        config = uvicorn.Config(
            app,
            # uvicorn wants a class, and only ever calls it
            http=cast("type[asyncio.Protocol]", guard.protocol),
            ws="none",
            log_config=None,
            access_log=False,
            timeout_graceful_shutdown=_GRACE,
            # asyncio takes so many connections in one go, before it looks at any of them
            backlog=guard.limits.accepted_at_once,
        )
        self._server = uvicorn.Server(config)
        self._thread: threading.Thread | None = None

    @property
    def started(self) -> bool:
        """Whether it has ever answered."""
        return self._server.started

    def end(self) -> None:
        """Take no more requests, and let `run` return when those under way are answered."""
        self._server.should_exit = True

    def run(self, while_serving: Callable[[], None] = lambda: None) -> None:
        """Serve in this (the main) thread until `end`, SIGTERM or SIGINT."""
        # uvicorn takes the signals over and raises them again once it has shut down in order; what
        # is left to do then is done by the caller, so the second time must not kill.
        signal.signal(signal.SIGTERM, lambda *_: self.end())
        while_serving()
        with suppress(KeyboardInterrupt):
            self._server.run(sockets=[self._listening])

    def start(self) -> None:
        """Serve in a thread of its own, beside a main thread that has other work."""
        self._thread = threading.Thread(
            target=self._server.run,
            kwargs={"sockets": [self._listening]},
            name="http",
            daemon=True,
        )
        self._thread.start()

    def stop(self, seconds: float = 2.0) -> None:
        """End what `start` began."""
        self.end()
        if self._thread is not None:
            self._thread.join(seconds)
