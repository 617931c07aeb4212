"""The process of `shipledger ingest`: HTTP server, group commit, forwarder, pruner.

SIGTERM and SIGINT end it in order: no new requests, what was received is stored, the batch under
way is sent. A forwarder that cannot go on ends the process with exit code 1, so that whatever
supervises it sees that.
"""

import logging
from collections.abc import Callable

import structlog

from services.config.settings import Settings
from services.processes.production import open_ingest
from services.runtime.serving import HttpServer, address_of, listen
from services.runtime.telemetry.logging import CLIENTS, quieten

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

    Raise ConfigurationError, or OSError where the address cannot be bound. `announce` is told the
    address once connections are accepted (port 0 chooses a free one).
    """
    quieten(CLIENTS, logging.CRITICAL)
    faults: list[bool] = []
    with (
        open_ingest(settings, allow_unsigned=allow_unsigned) as service,
        listen(host, port) as listening,
    ):
        server = HttpServer(service.app, listening)

        def stop() -> None:
            faults.append(True)
            server.end()

        def begin() -> None:
            service.forwarder.start(on_fault=stop)
            service.pruner.start()
            announce(address_of(listening))
            _logger.info("ingest.started", address=address_of(listening))

        try:
            server.run(begin)
        finally:
            service.pruner.stop()
            service.forwarder.stop()
    _logger.info("ingest.stopped", fault=bool(faults))
    return 1 if faults or not server.started else 0
