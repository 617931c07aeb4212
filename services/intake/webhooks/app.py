"""The HTTP side of ingestion: one route, to be mounted beside others or served alone."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Final

from fastapi import APIRouter, FastAPI, Request, Response

from services.intake.webhooks.ingest import Ingest

WEBHOOK_PATH: Final = "/webhooks/github"


def webhook_router(ingest: Ingest) -> APIRouter:
    """Return the route; whoever mounts it starts and closes `ingest`."""
    router = APIRouter(tags=["webhooks"])

    @router.post(WEBHOOK_PATH, summary="Receive one GitHub webhook delivery")
    async def receive(request: Request) -> Response:
        return await ingest.receive(request)

    return router


def create_app(ingest: Ingest) -> FastAPI:
    """Return an application that does nothing but receive deliveries."""

    @asynccontextmanager
    async def lifespan(_: FastAPI) -> AsyncIterator[None]:
        ingest.start()
        try:
            yield
        finally:
            ingest.close()

    app = FastAPI(title="Shipledger ingestion", lifespan=lifespan)
    app.include_router(webhook_router(ingest))
    return app
