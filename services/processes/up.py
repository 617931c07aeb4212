"""Running everything: HTTP server, group commit and mirror here, the projector in a process beside.

SIGTERM and SIGINT end it in order: no new requests, what was received is appended, the batch under
way is committed. A projector that cannot go on ends the process with exit code 1, so that whatever
supervises it sees that.
"""

import socket
from collections.abc import Callable

import structlog

from services.config.settings import Settings
from services.intake.webhooks import deliveries_first
from services.processes.bootstrap import Service, build_service, prepare
from services.runtime.question_server import Answerer, questions_answered
from services.runtime.serving import HttpServer, address_of, listen
from services.stream.stores import Stores, open_stores

_logger = structlog.get_logger(__name__)


def run(
    settings: Settings,
    *,
    host: str,
    port: int,
    allow_unsigned: bool = False,
    announce: Callable[[str], None] = lambda _: None,
    answerer_on: Callable[[Stores], Answerer],
) -> int:
    """Serve until told to stop; return the exit code.

    Raise FolderHeld, ConfigurationError, or OSError where the address cannot be bound. `announce`
    is told the address once connections are accepted (port 0 chooses a free one). `answerer_on`
    makes what answers commands on the folder's socket.
    """
    with open_stores(settings) as stores, stores.folder.held("up"):
        service = build_service(stores, allow_unsigned=allow_unsigned)
        prepare(stores)
        answerer = answerer_on(stores)
        with (
            listen(host, port) as listening,
            questions_answered(stores.folder, "up", settings.source, answerer),
        ):
            return _serve(service, listening, announce)


def _serve(service: Service, listening: socket.socket, announce: Callable[[str], None]) -> int:
    server = HttpServer(deliveries_first(service.ingest, service.app), listening)
    faults: list[bool] = []

    def stop() -> None:
        faults.append(True)
        server.end()

    def begin() -> None:
        service.projector.start(on_fault=stop)
        service.histories.start()
        service.editions.start()
        if service.mirror is not None:
            service.mirror.start(on_fault=stop)
        announce(address_of(listening))
        _logger.info("up.started", address=address_of(listening))

    try:
        server.run(begin)
    finally:
        if service.mirror is not None:
            service.mirror.stop()
        service.editions.stop()
        service.histories.stop()
        service.projector.stop()
    _logger.info("up.stopped", fault=bool(faults))
    return 1 if faults or not server.started else 0
