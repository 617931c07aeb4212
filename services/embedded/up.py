"""Running everything in one process: HTTP server, group commit, projector, mirror.

SIGTERM and SIGINT end it in order: no new requests, what was received is appended, the batch under
way is committed. A projector that cannot go on ends the process with exit code 1, so that whatever
supervises it sees that.
"""

import signal
import socket
from collections.abc import Callable
from contextlib import suppress
from typing import Final

import structlog
import uvicorn

from services import bootstrap
from services.settings import Settings

_BACKLOG: Final = 2048
#: Seconds that requests under way get to end.
_GRACE: Final = 10

_logger = structlog.get_logger(__name__)


def run(
    settings: Settings,
    *,
    host: str,
    port: int,
    allow_unsigned: bool = False,
    announce: Callable[[str], None] = lambda _: None,
) -> int:
    """Serve until told to stop; return the exit code.

    Raise FolderHeld, ConfigurationError, or OSError where the address cannot be bound. `announce`
    is told the address once connections are accepted (port 0 chooses a free one).
    """
    with bootstrap.open_stores(settings) as stores, stores.folder.held("up"):
        service = bootstrap.build_service(stores, allow_unsigned=allow_unsigned)
        bootstrap.prepare(stores)
        with _listen(host, port) as listening:
            return _serve(service, listening, announce)


def _serve(
    service: bootstrap.Service, listening: socket.socket, announce: Callable[[str], None]
) -> int:
    server = uvicorn.Server(
        uvicorn.Config(
            service.app,
            log_config=None,
            access_log=False,
            timeout_graceful_shutdown=_GRACE,
            backlog=_BACKLOG,
        )
    )
    faults: list[bool] = []

    def stop() -> None:
        faults.append(True)
        server.should_exit = True

    # uvicorn takes the signals over and raises them again once it has shut down in order; what is
    # left to do then is done here, so the second time must not kill.
    signal.signal(signal.SIGTERM, lambda *_: setattr(server, "should_exit", True))
    service.projector.start(on_fault=stop)
    if service.mirror is not None:
        service.mirror.start(on_fault=stop)
    announce(_address(listening))
    _logger.info("up.started", address=_address(listening))
    try:
        with suppress(KeyboardInterrupt):
            server.run(sockets=[listening])
    finally:
        if service.mirror is not None:
            service.mirror.stop()
        service.projector.stop()
    _logger.info("up.stopped", fault=bool(faults))
    return 1 if faults or not server.started else 0


def _listen(host: str, port: int) -> socket.socket:
    """Bind before anything else is started, so that a taken port is told at once."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    # asyncio turns Nagle's algorithm off only where the protocol is named, which
    # `socket.create_server` does not do; with it each answer waits 40 ms for an acknowledgement.
    listening = socket.socket(family, socket.SOCK_STREAM, socket.IPPROTO_TCP)
    try:
        listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listening.bind((host, port))
        listening.listen(_BACKLOG)
    except OSError:
        listening.close()
        raise
    return listening


def _address(listening: socket.socket) -> str:
    host, port = listening.getsockname()[:2]
    return f"http://[{host}]:{port}" if ":" in host else f"http://{host}:{port}"
