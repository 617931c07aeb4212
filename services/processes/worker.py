"""The process of `shipledger worker`."""

import asyncio
import logging
from collections.abc import Callable
from typing import Final

from services.config.settings import Settings
from services.processes.production import open_worker
from services.runtime.serving import address_of, listen
from services.runtime.telemetry.logging import CLIENTS, quieten
from services.stream.worker import Worker

#: Faust tells of every service that starts or stops.
_TALKATIVE: Final = ("faust", "mode", "services.stream.consumer")


def run(
    settings: Settings,
    only: tuple[str, ...],
    *,
    host: str,
    port: int,
    announce: Callable[[str], None] = lambda _: None,
) -> int:
    """Work until told to stop; return the exit code.

    Raise ConfigurationError, or OSError where the address cannot be bound. `announce` is told the
    address of the server that tells how the worker is.
    """
    quieten(_TALKATIVE, logging.WARNING)
    quieten(CLIENTS, logging.CRITICAL)
    with open_worker(settings, only) as parts, listen(host, port) as listening:
        announce(address_of(listening))
        asyncio.run(Worker(parts).run(listening))
    return 0
