"""`shipledger worker`: one process, one Faust application for each projection it feeds.

It ends with 0 when told to; with 1 on a fault that it cannot go on from; with 75 (`EX_TEMPFAIL`)
when another generation of a projection has taken over. In both last cases a supervisor starts it
again, and it goes on from the database's positions: starting anew is the one way back, so it is
the way that is used every day. A database or broker that is away is waited for instead.
"""

import asyncio
import logging
import os
import signal
import socket
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any, Final

import structlog
from fastapi import FastAPI
from sqlalchemy import Engine

from events.errors import InvalidQuestion, TransientError
from events.log.port import Clock
from projections.engine import generations
from projections.store.base import Projection
from projections.store.transaction import passing_faults, transaction
from services.config.settings import ReadinessSettings
from services.logs.kafka import KafkaLog, KafkaSettings
from services.runtime.loop import Backoff
from services.runtime.operations import operations_router
from services.runtime.serving import HttpServer
from services.runtime.telemetry.metrics import Metrics
from services.stream.app import Tuning, build_app
from services.stream.feed import Feed
from services.stream.fold import GenerationRetired
from services.stream.watch import STALL_SECONDS, Watch

FAULT: Final = 1
START_AGAIN: Final = os.EX_TEMPFAIL

#: Seconds that an orderly end may take; after that it is cut off, which loses nothing.
_GRACE: Final = 10.0
_LAST_BATCH: Final = 5.0

_logger = structlog.get_logger(__name__)


@dataclass(frozen=True, slots=True, kw_only=True)
class WorkerParts:
    """What a worker is put together from; `only` names projections, empty means all."""

    engine: Engine
    log: KafkaLog
    kafka: KafkaSettings
    clock: Clock
    metrics: Metrics
    readiness: ReadinessSettings
    only: tuple[str, ...] = ()
    tuning: Tuning = field(default_factory=Tuning)
    stall_seconds: float = STALL_SECONDS


def die(fault: BaseException) -> None:
    """End this process now, with the reason in its log; whatever was not committed is undone.

    Not by an exception: the threads and loops of the clients would first have to be brought to an
    end in order, and Faust would acknowledge on the way.
    """
    if isinstance(fault, GenerationRetired):
        _logger.warning("worker.start_again", reason=str(fault))
        code = START_AGAIN
    else:
        _logger.error("worker.stopped", reason=str(fault), exc_info=fault)
        code = FAULT
    logging.shutdown()
    os._exit(code)


class Worker:
    """Runs in the main thread of its process; `on_fault` is for tests."""

    def __init__(
        self, parts: WorkerParts, *, on_fault: Callable[[BaseException], None] = die
    ) -> None:
        self._parts = parts
        self._on_fault = on_fault
        self._watch: Watch | None = None
        self._waiting: str | None = "starting"
        self._ended = asyncio.Event()

    def reasons(self) -> Sequence[str]:
        """Say why the worker is not ready."""
        if self._watch is None:
            return [self._waiting or "starting"]
        return self._watch.reasons()

    async def run(self, listening: socket.socket) -> None:
        """Work until told to stop by SIGTERM or SIGINT."""
        loop = asyncio.get_running_loop()
        for number in (signal.SIGTERM, signal.SIGINT):
            loop.add_signal_handler(number, self._ended.set)
        web = FastAPI(title="Shipledger worker", openapi_url=None)
        web.include_router(operations_router(self._parts.metrics, self.reasons))
        server = HttpServer(web, listening)
        server.start()
        try:
            projections = await self._prepared()
            if projections:
                await self._work(projections)
        finally:
            server.stop()
        _logger.info("worker.ended")

    async def _prepared(self) -> list[Projection]:
        """Wait for the database and the broker; return what to feed, nothing if told to stop."""
        backoff = Backoff(0.1, 10.0)
        while not self._ended.is_set():
            try:
                return await asyncio.to_thread(self._prepare)
            except TransientError as error:
                pause = backoff.next()
                self._waiting = f"waiting: {error}"
                _logger.warning("worker.waiting", error=str(error), seconds=pause)
                with suppress(TimeoutError):
                    await asyncio.wait_for(self._ended.wait(), pause)
        return []

    def _prepare(self) -> list[Projection]:
        parts = self._parts
        with passing_faults():
            generations.prepare(parts.engine)
        parts.log.prepare()
        with transaction(parts.engine) as connection:
            return chosen(generations.active(connection), parts.only)

    async def _work(self, projections: Sequence[Projection]) -> None:
        parts = self._parts
        feeds = [
            Feed(parts.engine, projection, parts.kafka.topic, parts.kafka.partitions, parts.metrics)
            for projection in projections
        ]
        apps = [build_app(feed, parts.kafka, self._on_fault, parts.tuning) for feed in feeds]
        self._watch = Watch(
            feeds=feeds,
            log=parts.log,
            engine=parts.engine,
            clock=parts.clock,
            limits=parts.readiness,
            metrics=parts.metrics,
            on_fault=self._on_fault,
            stall_seconds=parts.stall_seconds,
        )
        self._watch.start()
        for app in apps:
            app.finalize()
        crashed = [asyncio.create_task(self._follow(app)) for app in apps]
        await self._ended.wait()
        self._watch.stop()
        ended = await asyncio.gather(*(feed.stop(_LAST_BATCH) for feed in feeds))
        with suppress(TimeoutError):
            async with asyncio.timeout(_GRACE):
                await asyncio.gather(*(app.stop() for app in apps), return_exceptions=True)
        for task in crashed:
            task.cancel()
        if not all(ended):
            # a thread that waits for the database cannot be called back, and Python would wait too
            _logger.warning("worker.cut_off", advice="it goes on from the last commit")
            logging.shutdown()
            os._exit(0)

    async def _follow(self, app: Any) -> None:
        """Start an application; one that ends by itself is a fault."""
        try:
            await app.start()
            await app.wait_until_stopped()
        except Exception as error:
            self._on_fault(error)
            return
        if not self._ended.is_set():
            self._on_fault(app.crash_reason or RuntimeError(f"{app.conf.id} has ended by itself"))


def chosen(active: Sequence[Projection], only: Sequence[str]) -> list[Projection]:
    """Return the projections of those names, all without any; raise InvalidQuestion."""
    by_name = {projection.name: projection for projection in active}
    unknown = [name for name in only if name not in by_name]
    if unknown:
        raise InvalidQuestion(
            f"there is no projection {unknown[0]!r}; there are: {', '.join(by_name)}"
        )
    return [by_name[name] for name in by_name if not only or name in only]
