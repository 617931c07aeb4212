"""The HTTP side of an ingesting process: deliveries, and what operators ask."""

from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager, suppress

from fastapi import FastAPI

from events.errors import LogUnavailable
from services.intake.webhooks import Ingest, webhook_router
from services.logs.queue.room import Room
from services.runtime.operations import operations_router
from services.runtime.telemetry.metrics import Metrics


def create_app(ingest: Ingest, room: Room, metrics: Metrics) -> FastAPI:
    """Return the application; its lifespan starts and closes ingestion.

    It is ready as long as it can take deliveries: with Kafka away it still can, until the queue is
    full. That records wait is told by the metrics.
    """

    @asynccontextmanager
    async def lifespan(_: FastAPI) -> AsyncIterator[None]:
        ingest.start()
        try:
            yield
        finally:
            ingest.close()

    def reasons() -> Sequence[str]:
        lacking = room.lacking()
        return [] if lacking is None else [lacking]

    def measure() -> None:
        with suppress(LogUnavailable, OSError):  # the gauges keep what was measured last
            room.measure()

    app = FastAPI(title="Shipledger ingestion", lifespan=lifespan, openapi_url=None)
    app.include_router(webhook_router(ingest))
    app.include_router(operations_router(metrics, reasons, measure))
    return app
